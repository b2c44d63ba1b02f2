/**
 * AES-256-GCM over a stream of any length, in pieces of 64 KiB. A reader gets a piece only after the piece was authenticated, and
 * detects a file that was cut, reordered or changed. The construction is STREAM (Hoang, Reyhanitabar, Rogaway, Vizár 2015), as age uses it: the nonce
 * counts the pieces, and its last byte says which one ends the file.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";

export const SALT_BYTES = 32;
const PIECE_BYTES = 64 * 1024;
const TAG_BYTES = 16;

/** The file was changed, or sealed with another key. The message is for the operator. */
export class UnreadableBackupError extends Error {
  override readonly name = "UnreadableBackupError";
}

/** @param key 32 bytes. @param salt random, 32 bytes, kept in front of the file: no two files share a key. */
export function sealStream(key: Buffer, salt: Buffer): (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  const fileKey = deriveKey(key, salt);
  return async function* seal(source) {
    let index = 0;
    for await (const { piece, isLast } of cut(source, PIECE_BYTES)) {
      const cipher = createCipheriv("aes-256-gcm", fileKey, nonceOf(index, isLast));
      yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
      index += 1;
    }
  };
}

/** @throws UnreadableBackupError for another key, and for a file that was cut or changed. */
export function openStream(key: Buffer, salt: Buffer): (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  const fileKey = deriveKey(key, salt);
  return async function* open(source) {
    let index = 0;
    for await (const { piece, isLast } of cut(source, PIECE_BYTES + TAG_BYTES)) {
      yield openPiece(fileKey, { piece, isLast, index });
      index += 1;
    }
  };
}

function openPiece(
  fileKey: Buffer,
  { piece, isLast, index }: { piece: Buffer; isLast: boolean; index: number },
): Buffer {
  const end = piece.length - TAG_BYTES;
  try {
    const decipher = createDecipheriv("aes-256-gcm", fileKey, nonceOf(index, isLast));
    decipher.setAuthTag(piece.subarray(Math.max(end, 0)));
    return Buffer.concat([decipher.update(piece.subarray(0, Math.max(end, 0))), decipher.final()]);
  } catch (error) {
    const words =
      index === 0
        ? "BACKUP_KEY is not the key that this back-up was written with, or its beginning was damaged"
        : "the back-up was cut short or damaged";
    throw new UnreadableBackupError(words, { cause: error });
  }
}

function deriveKey(key: Buffer, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, "ewebal back-up 1", 32));
}

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Cuts a stream into pieces of exactly this size. The last piece may be shorter, and is empty for an empty stream. */
async function* cut(source: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<{ piece: Buffer; isLast: boolean }> {
  let gathered: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    gathered.push(chunk);
    size += chunk.length;
    // A piece is certain not to be the last one only when at least one octet follows it.
    if (size <= bytes) continue;
    const whole = Buffer.concat(gathered);
    let start = 0;
    for (; whole.length - start > bytes; start += bytes)
      yield { piece: whole.subarray(start, start + bytes), isLast: false };
    gathered = [whole.subarray(start)];
    size = whole.length - start;
  }
  yield { piece: Buffer.concat(gathered), isLast: true };
}
