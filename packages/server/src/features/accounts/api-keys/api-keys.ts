/**
 * Keys of customers' programs: 256 random bits behind a prefix that secret scanners recognise. Only the hash is stored;
 * a key works until it is revoked or expires, and makes calls of the program API in the customer's name.
 */
import { createHash, randomBytes } from "node:crypto";
import { limits, type ListQuery } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { apiKeysChanged, publishChange } from "../../../events/index.ts";
import { writeMail } from "../../../mail/index.ts";
import { apiKeyMadeMail } from "../account-mails.ts";
import {
  type ApiKey,
  type KeyOwner,
  type OwnedApiKey,
  countApiKeys,
  deleteApiKey,
  deleteApiKeysOf,
  findKeyOwner,
  insertApiKey,
  selectAllApiKeys,
  selectApiKeys,
  touchApiKey,
  updateApiKey,
} from "./api-key-store.ts";
import { lockCredentials } from "../users/user-store.ts";

const KEY_PREFIX = "ewebal_";
const KEY_FORM = /^ewebal_[\w-]{43}$/;
/** The last use is recorded once in this time; a program may call a hundred times a second. */
const TOUCH_AFTER_MS = 60_000;

/** @property key the key itself, which is stored nowhere. */
export type MadeKey = ApiKey & { key: string };

/**
 * Makes a key, and tells its owner by mail: a stranger at an open dashboard must not leave with one unnoticed.
 *
 * @returns the key itself, for the one moment in which it exists.
 * @throws AppError `LIMIT_REACHED` at 20 keys; `VALIDATION` for an end that has passed.
 */
export async function createApiKey(
  deps: Deps,
  userId: string,
  name: string,
  expiresAt: Date | null = null,
): Promise<MadeKey> {
  assertToCome(deps, expiresAt);
  const key = KEY_PREFIX + randomBytes(32).toString("base64url");
  const keyId = uuidv7();
  const createdAt = deps.clock.now();
  await withTransaction(deps.db, async (tx) => {
    // The lock makes the count true: two windows must not both make the twentieth.
    const user = await lockCredentials(tx, userId);
    if (user === undefined) throw new AppError("NOT_FOUND");
    if ((await countApiKeys(tx, userId)) >= limits.apiKeysMax) {
      throw new AppError("LIMIT_REACHED", { message: `You have ${limits.apiKeysMax} keys already. Revoke one first` });
    }
    await insertApiKey(tx, { keyId, userId, name, keyHash: hashOf(key), createdAt, expiresAt });
    await writeMail(deps, tx, apiKeyMadeMail(deps.config, user, name));
    await tellKeysChanged(tx, userId);
  });
  return { keyId, name, createdAt, expiresAt, lastUsedAt: null, key };
}

/** @throws AppError `NOT_FOUND` for a key that is another customer's, or revoked; `VALIDATION` for an end that has passed. */
export async function editApiKey(
  deps: Pick<Deps, "db" | "clock">,
  key: { userId: string; keyId: string },
  change: { name?: string | undefined; expiresAt?: Date | null | undefined },
): Promise<ApiKey> {
  assertToCome(deps, change.expiresAt);
  return await withTransaction(deps.db, async (tx) => {
    const edited = await updateApiKey(tx, key, { name: change.name, expiresAt: change.expiresAt });
    if (edited === undefined) throw new AppError("NOT_FOUND");
    await tellKeysChanged(tx, key.userId);
    return edited;
  });
}

/** Revokes all keys of a customer, when their new password asks for it. @returns how many there were. */
export async function endApiKeysOf(tx: Tx, userId: string): Promise<number> {
  const count = await deleteApiKeysOf(tx, userId);
  if (count > 0) await tellKeysChanged(tx, userId);
  return count;
}

function assertToCome({ clock }: Pick<Deps, "clock">, end: Date | null | undefined): void {
  if (end && end <= clock.now()) throw fieldError("expiresAt", "has passed");
}

/** @throws AppError `NOT_FOUND` for a key that is another customer's, or revoked already. */
export async function revokeApiKey(deps: Pick<Deps, "db">, key: { userId: string; keyId: string }): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    if ((await deleteApiKey(tx, key)) === undefined) throw new AppError("NOT_FOUND");
    await tellKeysChanged(tx, key.userId);
  });
}

/** Revokes a key of any customer, for administrators. @returns whose it was. @throws AppError `NOT_FOUND`. */
export async function revokeAnyApiKey(tx: Tx, keyId: string): Promise<{ userId: string; name: string }> {
  const revoked = await deleteApiKey(tx, { keyId });
  if (revoked === undefined) throw new AppError("NOT_FOUND");
  await tellKeysChanged(tx, revoked.userId);
  return revoked;
}

async function tellKeysChanged(tx: Tx, userId: string): Promise<void> {
  await publishChange(tx, apiKeysChanged(userId));
}

type Page<Row> = { rows: Row[]; next: string | null };

export async function listApiKeys(db: Queryable, userId: string, query: ListQuery): Promise<Page<ApiKey>> {
  assertIdCursor(query.after);
  return await readPage(
    query.limit,
    (limit) => selectApiKeys(db, userId, { after: query.after, limit }),
    ({ keyId }) => keyId,
  );
}

export async function listAllApiKeys(
  db: Queryable,
  query: ListQuery & { search?: string | undefined },
): Promise<Page<OwnedApiKey>> {
  const { search, after } = query;
  assertIdCursor(after);
  return await readPage(
    query.limit,
    (limit) => selectAllApiKeys(db, { search, after, limit }),
    ({ keyId }) => keyId,
  );
}

/**
 * Finds the customer whose key this is, and records that it was used.
 *
 * @returns undefined for a text that is not a key, or a key that was revoked or has expired.
 * @throws AppError `BLOCKED`.
 */
export async function findApiKeyOwner(deps: Pick<Deps, "db" | "clock">, key: string): Promise<KeyOwner | undefined> {
  if (!KEY_FORM.test(key)) return undefined;
  const owner = await findKeyOwner(deps.db, hashOf(key));
  if (owner === undefined) return undefined;
  const now = deps.clock.now();
  if (owner.expiresAt !== null && owner.expiresAt <= now) return undefined;
  if (owner.isBlocked) throw new AppError("BLOCKED", { account: { kind: "user", id: owner.userId } });
  if (owner.lastUsedAt === null || now.getTime() - owner.lastUsedAt.getTime() >= TOUCH_AFTER_MS)
    await touchApiKey(deps.db, owner.keyId, now);
  return owner;
}

function hashOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
