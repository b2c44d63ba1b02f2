import { randomBytes } from "node:crypto";
import type { Queryable } from "../../db/pool.ts";
import { findSecret, insertSecretUnlessThere } from "./app-secret-store.ts";

/** What each key is for. One key, one use: a leak of one opens nothing else. */
export type SecretName = "session-token-key" | "otp-key" | "card-sandbox-key";

/** As long as the output of the SHA-256 they are used with. */
const SECRET_BYTES = 32;

const secretsByDb = new WeakMap<Queryable, Map<SecretName, Promise<Buffer>>>();

/**
 * A key that all processes share. The first one that asks for it makes it; it never changes after that, so each
 * process reads it once.
 */
export function getSecret(db: Queryable, name: SecretName): Promise<Buffer> {
  const secrets = secretsByDb.get(db) ?? new Map<SecretName, Promise<Buffer>>();
  secretsByDb.set(db, secrets);
  const known = secrets.get(name);
  if (known !== undefined) return known;
  const read = readOrMakeSecret(db, name).catch((error: unknown) => {
    // A database that was away for a moment must not leave this process without the key for ever.
    secrets.delete(name);
    throw error;
  });
  secrets.set(name, read);
  return read;
}

async function readOrMakeSecret(db: Queryable, name: SecretName): Promise<Buffer> {
  const stored = await findSecret(db, name);
  if (stored !== undefined) return stored;
  await insertSecretUnlessThere(db, name, randomBytes(SECRET_BYTES));
  // Read back rather than kept: another process may have been first.
  const shared = await findSecret(db, name);
  if (shared === undefined) throw new Error(`The key ${name} was stored and cannot be read`);
  return shared;
}
