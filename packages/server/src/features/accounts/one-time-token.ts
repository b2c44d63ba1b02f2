/**
 * Links in mails: 256 random bits, of which only the hash is stored. A token is alive until it is used, expires, or is
 * replaced; it works for one purpose and one person.
 */
import { createHash, randomBytes } from "node:crypto";
import type { Queryable } from "../../db/pool.ts";
import type { Deps } from "../../base/deps.ts";
import { deleteTokensOf, findTokenActor, hasUnusedToken, insertToken, takeToken } from "./one-time-token-store.ts";

const MINUTE_MS = 60_000;

/** Each purpose with the life of its tokens. */
export const tokenLifeMs = {
  "verify-user": 24 * 60 * MINUTE_MS,
  "reset-password": 30 * MINUTE_MS,
  "reset-admin-password": 30 * MINUTE_MS,
  // Longer than its code lives, so that who comes late hears of the code and not of the link.
  "admin-otp": 24 * 60 * MINUTE_MS,
  "verify-admin": 24 * 60 * MINUTE_MS,
} as const;

export type TokenPurpose = keyof typeof tokenLifeMs;

type TokenUse = { purpose: TokenPurpose; token: string };
type TokenDeps = Pick<Deps, "clock">;

/** @returns the token itself, which exists from now on only in the mail. */
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

/** Uses a token up. Of any number of parallel uses one gets the person's id; the others get undefined. */
export async function useToken(
  deps: TokenDeps,
  tx: Queryable,
  { purpose, token }: TokenUse,
): Promise<string | undefined> {
  return await takeToken(tx, { purpose, tokenHash: hashOf(token), now: deps.clock.now() });
}

/** Whose a living token is, without using it. */
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

/** Kills every token of a person for a purpose. Two issues at once must wait for each other on the person's row. */
export async function revokeTokens(tx: Queryable, tokens: { purpose: TokenPurpose; actorId: string }): Promise<void> {
  await deleteTokensOf(tx, tokens);
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
