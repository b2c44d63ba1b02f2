/**
 * Links in mails: 256 random bits, of which only the hash is stored. A token works until it is used, expires or is
 * replaced, for one purpose and one person.
 */
import { createHash, randomBytes } from "node:crypto";
import type { Queryable } from "../../db/pool.ts";
import type { Deps } from "../../base/deps.ts";
import { deleteTokensOf, findTokenActor, hasUnusedToken, insertToken, takeToken } from "./one-time-token-store.ts";

const MINUTE_MS = 60_000;

/** How long the tokens of each purpose work. */
export const tokenLifeMs = {
  "verify-user": 24 * 60 * MINUTE_MS,
  "reset-password": 30 * MINUTE_MS,
  "reset-admin-password": 30 * MINUTE_MS,
  // Longer than its code, so that people who come late are told that the code has expired, not the link.
  "admin-otp": 24 * 60 * MINUTE_MS,
  "verify-admin": 24 * 60 * MINUTE_MS,
} as const;

export type TokenPurpose = keyof typeof tokenLifeMs;

type TokenUse = { purpose: TokenPurpose; token: string };
type TokenDeps = Pick<Deps, "clock">;

/** @returns the token, which from now on exists only in the mail. */
export async function issueToken(
  deps: TokenDeps,
  tx: Queryable,
  issue: { purpose: TokenPurpose; actorId: string },
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const createdAt = deps.clock.now();
  const expiresAt = new Date(createdAt.getTime() + tokenLifeMs[issue.purpose]);
  await insertToken(tx, { ...issue, tokenHash: hashOf(token), createdAt, expiresAt });
  return token;
}

/** Uses a token. Of several calls at once one gets the person's id, the others get undefined. */
export async function useToken(
  deps: TokenDeps,
  tx: Queryable,
  { purpose, token }: TokenUse,
): Promise<string | undefined> {
  return await takeToken(tx, { purpose, tokenHash: hashOf(token), now: deps.clock.now() });
}

/** Finds the person of a token without using it. */
export async function findTokenOwner(
  deps: TokenDeps,
  db: Queryable,
  { purpose, token }: TokenUse,
): Promise<string | undefined> {
  return await findTokenActor(db, { purpose, tokenHash: hashOf(token), now: deps.clock.now() });
}

/** Whether a person has a token for a purpose that could still be used. */
export async function hasLiveToken(
  deps: TokenDeps,
  db: Queryable,
  tokens: { purpose: TokenPurpose; actorId: string },
): Promise<boolean> {
  return await hasUnusedToken(db, { ...tokens, now: deps.clock.now() });
}

/** Revokes every token of a person for a purpose. The caller holds the person's row, so that two new tokens cannot both stay. */
export async function revokeTokens(tx: Queryable, tokens: { purpose: TokenPurpose; actorId: string }): Promise<void> {
  await deleteTokensOf(tx, tokens);
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
