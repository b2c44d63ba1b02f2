import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** First byte of what is stored: how the rest is to be read. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a short text, such as a password, with AES-256-GCM.
 *
 * @param owner the id of whose it is: what was sealed for one row cannot be put into another.
 * @returns version, nonce, tag and what is encrypted.
 */
export function sealSecret(key: Buffer, owner: string, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(owner));
  const hidden = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), hidden]);
}

/** @returns undefined when it was sealed with another key or for another owner, or was changed. */
export function openSecret(key: Buffer, owner: string, sealed: Buffer): string | undefined {
  const tagStart = 1 + NONCE_BYTES;
  const hiddenStart = tagStart + TAG_BYTES;
  if (sealed[0] !== VERSION || sealed.byteLength < hiddenStart) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(1, tagStart), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(tagStart, hiddenStart));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(hiddenStart)), decipher.final()]).toString("utf8");
  } catch {
    // GCM says only that something does not fit together.
    return undefined;
  }
}
