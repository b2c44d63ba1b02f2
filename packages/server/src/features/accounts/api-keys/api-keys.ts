/**
 * Keys of customers' programs, of three kinds. A key works until it is revoked or expires, and makes calls in the customer's name.
 *
 *   api     256 random bits behind a prefix that secret scanners recognise; only the hash is stored
 *   twilio  an account sid, and a token of 128 random bits: its hash is compared, and it is sealed, because it signs callbacks
 *   smpp    a system id, and a password of 8 characters, which is all that SMPP has room for. A plain hash of so few could be
 *           undone by who has a copy of the database, so it is sealed, and guesses are slowed
 */
import { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import {
  limits,
  type ListQuery,
  programKeyLimits,
  type ProgramKeyKind,
  type ProgramKeyMode,
  programKeyScopes,
  type ProgramKeyScope,
} from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { apiKeysChanged, publishChange } from "../../../events/index.ts";
import { clientKey } from "../../../http/rate-limits/client-address.ts";
import { countTry, giveTryBack, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { writeMail } from "../../../mail/index.ts";
import { openSecret, sealSecret } from "../../../secrets/seal-secret.ts";
import { getSecretsKey, getSecretsKeys } from "../../../secrets/secrets-key.ts";
import { apiKeyMadeMail } from "../account-mails.ts";
import {
  type ApiKey,
  type KeptSecret,
  type KeyChange,
  type OwnedApiKey,
  type ProgramKey,
  countApiKeys,
  deleteApiKey,
  deleteApiKeysOf,
  findKeyByHash,
  findKeyByName,
  findSealedSecret,
  insertApiKey,
  selectAllApiKeys,
  selectApiKeys,
  selectKeyIds,
  selectKeysById,
  touchApiKey,
  updateApiKey,
} from "./api-key-store.ts";
import { lockCredentials } from "../users/user-store.ts";

/** Keys that were made before there were test keys begin `ewebal_`; they go on. */
const KEY_FORM = /^(?:ewebal_|ewb_(?:live|test)_)[\w-]{43}$/;
/** Without letters and digits that are taken for each other when somebody types them off a screen. */
const PASSWORD_CHARACTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const PASSWORD_LENGTH = 8; // what `bind` of SMPP has room for
const NAME_CHARACTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const SYSTEM_ID_RANDOM_LENGTH = 10; // of the 15 characters that `bind` has room for
/** The last use is recorded once in this time; a program may call a hundred times a second. */
const TOUCH_AFTER_MS = 60_000;

export type KeyWish = {
  name: string;
  kind?: ProgramKeyKind | undefined;
  mode?: ProgramKeyMode | undefined;
  /** Left out: all. */
  scopes?: readonly ProgramKeyScope[] | undefined;
  /** Left out or empty: from anywhere. */
  addresses?: readonly string[] | undefined;
  expiresAt?: Date | null | undefined;
  binds?: number | undefined;
  perSecond?: number | undefined;
};

/** @property key the secret itself, for the one moment in which it is shown: the key, Twilio's token, or SMPP's password. */
export type MadeKey = ApiKey & { key: string };

/**
 * Makes a key, and tells its owner by mail: a stranger at an open dashboard must not leave with one unnoticed.
 *
 * @throws AppError `LIMIT_REACHED` at 100 keys; `VALIDATION` for an end that has passed.
 */
export async function createApiKey(deps: Deps, userId: string, wish: KeyWish): Promise<MadeKey> {
  const { name, kind = "api", mode = "live", expiresAt = null } = wish;
  assertToCome(deps, expiresAt);
  const keyId = uuidv7();
  const { key, publicName } = makeSecret(kind, mode);
  const isSmpp = kind === "smpp";
  const made: ApiKey = {
    keyId,
    name,
    kind,
    mode,
    scopes: programKeyScopes.filter((scope) => wish.scopes?.includes(scope) ?? true),
    addresses: [...new Set(wish.addresses)],
    publicName,
    binds: isSmpp ? (wish.binds ?? programKeyLimits.bindsDefault) : null,
    perSecond: isSmpp ? (wish.perSecond ?? programKeyLimits.perSecondDefault) : null,
    createdAt: deps.clock.now(),
    expiresAt,
    lastUsedAt: null,
    lastUsedFrom: null,
  };
  const secret: KeptSecret = {
    keyHash: isSmpp ? undefined : hashOf(key),
    sealed: kind === "api" ? undefined : sealSecret(await getSecretsKey(deps.config), keyId, key),
  };
  await withTransaction(deps.db, async (tx) => {
    // The lock makes the count true: two windows must not both make the last one.
    const user = await lockCredentials(tx, userId);
    if (user === undefined) throw new AppError("NOT_FOUND");
    if ((await countApiKeys(tx, userId)) >= limits.apiKeysMax) {
      throw new AppError("LIMIT_REACHED", { message: `You have ${limits.apiKeysMax} keys already. Revoke one first` });
    }
    await insertApiKey(tx, { ...made, userId, secret });
    await writeMail(deps, tx, apiKeyMadeMail(deps.config, user, made));
    await tellKeysChanged(tx, userId);
  });
  return { ...made, key };
}

function makeSecret(kind: ProgramKeyKind, mode: ProgramKeyMode): { key: string; publicName: string | null } {
  if (kind === "api") return { key: `ewb_${mode}_${randomBytes(32).toString("base64url")}`, publicName: null };
  if (kind === "twilio") {
    return { key: randomBytes(16).toString("hex"), publicName: `AC${randomBytes(16).toString("hex")}` };
  }
  return {
    key: randomText(PASSWORD_CHARACTERS, PASSWORD_LENGTH),
    publicName: `ew${randomText(NAME_CHARACTERS, SYSTEM_ID_RANDOM_LENGTH)}`,
  };
}

function randomText(characters: string, length: number): string {
  return Array.from({ length }, () => characters[randomInt(characters.length)]).join("");
}

/** @throws AppError `NOT_FOUND` for a key that is another customer's, or revoked; `VALIDATION` for an end that has passed. */
export async function editApiKey(
  deps: Pick<Deps, "db" | "clock">,
  key: { userId: string; keyId: string },
  change: KeyChange,
): Promise<ApiKey> {
  assertToCome(deps, change.expiresAt);
  return await withTransaction(deps.db, async (tx) => {
    const edited = await updateApiKey(tx, key, {
      ...change,
      scopes: change.scopes && programKeyScopes.filter((scope) => change.scopes?.includes(scope)),
      addresses: change.addresses && [...new Set(change.addresses)],
    });
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

/** `clientAddress` is noted as the key's last use. */
type ShownKey = { key: string; clientAddress: string };

/**
 * Finds the customer whose key of kind `api` this is, and records that it was used. Neither its addresses nor its scopes are looked at.
 *
 * @returns undefined for a text that is not a key, or a key that was revoked or has expired.
 * @throws AppError `BLOCKED`.
 */
export async function findApiKeyOwner(
  deps: Pick<Deps, "db" | "clock">,
  { key, clientAddress }: ShownKey,
): Promise<ProgramKey | undefined> {
  if (!KEY_FORM.test(key)) return undefined;
  const program = await findKeyByHash(deps.db, hashOf(key));
  return program && (await useKey(deps, program, clientAddress));
}

/** A name and its secret: Twilio's sid and token, or SMPP's system id and password. */
type ShownName = { name: string; secret: string; clientAddress: string };

/**
 * Finds a key by its name and secret, and records that it was used. Neither its addresses nor its scopes are looked at.
 *
 * @returns undefined for an unknown name, a wrong secret, and a key that was revoked or has expired.
 * @throws AppError `BLOCKED`; `RATE_LIMITED` after ten wrong passwords of SMPP from one address in a minute.
 */
export async function findNamedKey(
  deps: Pick<Deps, "db" | "clock" | "config">,
  kind: "twilio" | "smpp",
  { name, secret, clientAddress }: ShownName,
): Promise<ProgramKey | undefined> {
  const by = [name, clientKey(clientAddress)];
  // Counted before the comparison, so that guesses at once all count. A token has 128 random bits: nobody guesses that.
  if (kind === "smpp") await countTry(deps, deps.db, rateRules.smppPassword, ...by);
  const found = await findKeyByName(deps.db, kind, name);
  if (found === undefined) return undefined;
  const { program } = found;
  const kept =
    kind === "twilio" ? found.secret.keyHash : hashOfText(await openKept(deps, program.keyId, found.secret.sealed));
  if (kept === undefined || !timingSafeEqual(hashOf(secret), kept)) return undefined;
  if (kind === "smpp") await giveTryBack(deps, deps.db, rateRules.smppPassword, ...by);
  return await useKey(deps, program, clientAddress);
}

/** Keys by their ids, for connections that outlive a call: those that were revoked, have expired, or whose customer is blocked, are left out. */
export async function findLiveKeys(
  { db, clock }: Pick<Deps, "db" | "clock">,
  keyIds: readonly string[],
): Promise<ProgramKey[]> {
  const now = clock.now();
  const found = await selectKeysById(db, keyIds);
  return found.filter(({ isBlocked, expiresAt }) => !isBlocked && (expiresAt === null || expiresAt > now));
}

/** A customer's live keys of one kind that have a scope, for what comes without being asked for. */
export async function findKeyIds(
  db: Queryable,
  asked: { userId: string; kind: ProgramKeyKind; scope: ProgramKeyScope },
): Promise<string[]> {
  return await selectKeyIds(db, asked);
}

/** The secret of a key of kind `twilio`, for signing what we call; undefined when the key was revoked, or is of another kind. */
export async function readKeyToken(deps: Pick<Deps, "db" | "config">, keyId: string): Promise<string | undefined> {
  return await openKept(deps, keyId, await findSealedSecret(deps.db, keyId));
}

async function openKept(
  { config }: Pick<Deps, "config">,
  keyId: string,
  sealed: Buffer | undefined,
): Promise<string | undefined> {
  return sealed && openSecret(await getSecretsKeys(config), keyId, sealed);
}

async function useKey(
  deps: Pick<Deps, "db" | "clock">,
  program: ProgramKey,
  clientAddress: string,
): Promise<ProgramKey | undefined> {
  const { keyId, expiresAt, lastUsedAt } = program;
  const now = deps.clock.now();
  if (expiresAt !== null && expiresAt <= now) return undefined;
  if (program.isBlocked) throw new AppError("BLOCKED", { account: { kind: "user", id: program.userId } });
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= TOUCH_AFTER_MS)
    await touchApiKey(deps.db, { keyId, lastUsedAt, now, clientAddress });
  return program;
}

/** Undefined for a secret that no key of this installation opens: then nothing matches it. */
function hashOfText(text: string | undefined): Buffer | undefined {
  return text === undefined ? undefined : hashOf(text);
}

function hashOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
