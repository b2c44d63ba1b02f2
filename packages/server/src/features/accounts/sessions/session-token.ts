/**
 * The signed token of a session. Programs decode its payload as the specification says, so the payload holds only
 * `id` and times; the session row and kind travel in the protected header, under the same signature.
 */
import { decodeProtectedHeader, errors, jwtVerify, type JWTVerifyResult, SignJWT } from "jose";
import { validate as isUuid } from "uuid";
import type { Session } from "../../../http/session/session.ts";

/** `accountId` is what the payload says as `id`. */
export type SessionClaims = Pick<Session, "sessionId" | "kind" | "accountId">;

const ALGORITHM = "HS256";
const AUDIENCE = "ewebal";
/** `{"` in base64url, as every token begins. */
const TOKEN_START = "eyJ";
const KEY_ID = /^[1-9][0-9]{0,8}$/;
/** A token's type: one kind never passes for the other, nor for a token of some other purpose. */
const TYPES = { user: "ewebal-user+jwt", admin: "ewebal-admin+jwt" } as const;

/** Finds the key that a token names. A token without a key id was signed with the first key. */
export type FindKey = (id: number) => Promise<Uint8Array | undefined>;

export async function signSessionToken(
  { id, key }: { id: number; key: Uint8Array },
  claims: SessionClaims & { issuedAt: Date; expiresAt: Date },
): Promise<string> {
  return await new SignJWT({ id: claims.accountId })
    .setProtectedHeader({
      alg: ALGORITHM,
      kid: String(id),
      typ: TYPES[claims.kind],
      aud: AUDIENCE,
      sid: claims.sessionId,
    })
    .setIssuedAt(claims.issuedAt)
    .setExpirationTime(claims.expiresAt)
    .sign(key);
}

/** @returns undefined for anything that we did not sign as a session, and for an expired token. */
export async function readSessionToken(findKey: FindKey, token: string, now: Date): Promise<SessionClaims | undefined> {
  const verified = await verify(findKey, token, now);
  if (verified === undefined) return undefined;
  const { typ, aud, sid } = verified.protectedHeader;
  const { id } = verified.payload;
  const kind = typ === TYPES.user ? "user" : typ === TYPES.admin ? "admin" : undefined;
  if (kind === undefined || aud !== AUDIENCE || !isUuid(sid) || !isUuid(id)) return undefined;
  return { sessionId: sid as string, kind, accountId: id as string };
}

async function verify(
  findKey: FindKey,
  token: string,
  now: Date,
): Promise<JWTVerifyResult<{ id?: unknown }> | undefined> {
  const keyId = keyIdOf(token);
  const key = keyId === undefined ? undefined : await findKey(keyId);
  if (key === undefined) return undefined;
  try {
    return await jwtVerify<{ id?: unknown }>(token, key, {
      algorithms: [ALGORITHM],
      requiredClaims: ["iat", "exp"],
      currentDate: now,
    });
  } catch (error) {
    // The reason would only help a forger.
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

function keyIdOf(token: string): number | undefined {
  // A program's key, at every call of a program: looking for a header in it costs an exception.
  if (!token.startsWith(TOKEN_START)) return undefined;
  try {
    const { kid = "1" } = decodeProtectedHeader(token);
    return KEY_ID.test(kid) ? Number(kid) : undefined;
  } catch {
    // No token at all.
    return undefined;
  }
}
