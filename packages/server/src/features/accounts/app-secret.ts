/**
 * Keys that all processes share, kept in the database. Each use has its own keys, so that a leaked one opens nothing else. The
 * newest key of a use signs; earlier ones only verify, and are deleted once all they signed has expired (`deleteReplacedSecrets`).
 */
import { randomBytes } from "node:crypto";
import type { Queryable } from "../../db/pool.ts";
import { deleteSecretsReplacedBefore, insertSecretUnlessThere, selectSecrets } from "./app-secret-store.ts";

export type SecretName = "session-token-key" | "otp-key" | "card-sandbox-key";

/** `id` counts from 1; a signature names it. */
export type AppSecret = { id: number; key: Buffer };

/** As long as the output of the SHA-256 they are used with. */
const SECRET_BYTES = 32;
/** How long a process trusts the keys it has read; so long it may sign with a key that another process has replaced. */
const RING_FRESH_MS = 20_000;
/** An unknown key id makes a process read the keys again, once in this time at most. */
const LOOK_AGAIN_MS = 1_000;

type Ring = { readAtMs: number; keys: Promise<AppSecret[]> };

const ringsByDb = new WeakMap<Queryable, Map<SecretName, Ring>>();

/** The key to sign with. The first process that asks makes it. */
export async function getCurrentSecret(db: Queryable, name: SecretName): Promise<AppSecret> {
  return newest(await readRing(db, name, RING_FRESH_MS));
}

/** @returns the key that a signature names; undefined when there is none, or none any more. */
export async function findSecret(db: Queryable, name: SecretName, id: number): Promise<Buffer | undefined> {
  const known = (await readRing(db, name, RING_FRESH_MS)).find((secret) => secret.id === id);
  return (known ?? (await readRing(db, name, LOOK_AGAIN_MS)).find((secret) => secret.id === id))?.key;
}

/** All keys that still verify, newest first: for signatures that do not name their key. */
export async function listSecrets(db: Queryable, name: SecretName): Promise<AppSecret[]> {
  return (await readRing(db, name, LOOK_AGAIN_MS)).toReversed();
}

/** A key that is never replaced. */
export async function getSecret(db: Queryable, name: SecretName): Promise<Buffer> {
  return (await getCurrentSecret(db, name)).key;
}

/** Makes a new key, which signs from now on (in other processes within 20 s). @returns its id. */
export async function replaceSecret(db: Queryable, name: SecretName, now: Date): Promise<number> {
  const { id } = newest(await readOrMakeRing(db, name));
  await insertSecretUnlessThere(db, storedName(name, id + 1), randomBytes(SECRET_BYTES), now);
  ringsByDb.get(db)?.delete(name);
  return id + 1;
}

/** Deletes keys that were replaced before a time, when everything they signed has expired. @returns how many. */
export async function deleteReplacedSecrets(db: Queryable, name: SecretName, replacedBefore: Date): Promise<number> {
  return await deleteSecretsReplacedBefore(db, name, replacedBefore);
}

function readRing(db: Queryable, name: SecretName, freshMs: number): Promise<AppSecret[]> {
  const rings = ringsByDb.get(db) ?? new Map<SecretName, Ring>();
  ringsByDb.set(db, rings);
  const known = rings.get(name);
  if (known !== undefined && performance.now() - known.readAtMs < freshMs) return known.keys;
  const keys = readOrMakeRing(db, name).catch((error: unknown) => {
    // Do not keep the failure: the database may be back at the next call.
    rings.delete(name);
    throw error;
  });
  rings.set(name, { readAtMs: performance.now(), keys });
  return keys;
}

/** Oldest first. */
async function readOrMakeRing(db: Queryable, name: SecretName): Promise<AppSecret[]> {
  const stored = await selectSecrets(db, name);
  if (stored.length > 0) return stored;
  await insertSecretUnlessThere(db, storedName(name, 1), randomBytes(SECRET_BYTES), new Date());
  // Read it back, because another process may have inserted its key first.
  return await selectSecrets(db, name);
}

/** The first key is stored without a number. */
function storedName(name: SecretName, id: number): string {
  return id === 1 ? name : `${name}/${id}`;
}

function newest(ring: readonly AppSecret[]): AppSecret {
  const secret = ring.at(-1);
  if (secret === undefined) throw new Error("A key was stored and cannot be read");
  return secret;
}
