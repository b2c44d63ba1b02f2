import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/** The first byte of a stored secret is its version. Version 1 names no key, so every key is tried. In version 2 the key's id follows. */
const VERSION_WITHOUT_ID = 1;
const VERSION = 2;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a short text, such as a password, with AES-256-GCM.
 *
 * @param owner the id of the row's owner: a secret that was sealed for one row does not open in another.
 * @returns version, key id, nonce, tag and ciphertext.
 */
export function sealSecret(key: Buffer, owner: string, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(owner));
  const hidden = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), keyIdOf(key), nonce, cipher.getAuthTag(), hidden]);
}

/**
 * @param keys the keys that may have sealed it. A replaced key is needed until `reseal-secrets.ts` has run.
 * @returns undefined when the secret was sealed with another key or for another owner, or was changed.
 */
export function openSecret(keys: Buffer | readonly Buffer[], owner: string, sealed: Buffer): string | undefined {
  const all = Buffer.isBuffer(keys) ? [keys] : keys;
  const nonceStart = sealed[0] === VERSION ? 1 + KEY_ID_BYTES : 1;
  const candidates = sealed[0] === VERSION_WITHOUT_ID ? all : all.filter((key) => isSealedWith(key, sealed));
  for (const key of candidates) {
    const secret = open(key, owner, sealed.subarray(nonceStart));
    if (secret !== undefined) return secret;
  }
  return undefined;
}

/** Whether a stored secret names this key. Version 1 names none. */
export function isSealedWith(key: Buffer, sealed: Buffer): boolean {
  return sealed[0] === VERSION && sealed.subarray(1, 1 + KEY_ID_BYTES).equals(keyIdOf(key));
}

/** An id that distinguishes the keys of one installation and reveals nothing about the key. */
function keyIdOf(key: Buffer): Buffer {
  return createHash("sha256").update("ewebal secrets key id").update(key).digest().subarray(0, KEY_ID_BYTES);
}

/** @param box nonce, tag and ciphertext. */
function open(key: Buffer, owner: string, box: Buffer): string | undefined {
  const hiddenStart = NONCE_BYTES + TAG_BYTES;
  if (box.byteLength < hiddenStart) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, box.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner)).setAuthTag(box.subarray(NONCE_BYTES, hiddenStart));
  try {
    return Buffer.concat([decipher.update(box.subarray(hiddenStart)), decipher.final()]).toString("utf8");
  } catch {
    // GCM reports only that key, owner and ciphertext do not match.
    return undefined;
  }
}
