/**
 * The format of a back-up file: one line that names the format, then a compressed (and, with a key, sealed) stream of frames,
 * each with its type, length and octets. An entry is a head, its octets and a tail. The last frame proves that the file is
 * complete. A tar would need every size in advance, and a table's size is unknown until it has been read.
 */
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";
import { createGunzip, createGzip, constants } from "node:zlib";
import { z } from "zod";
import { openStream, SALT_BYTES, sealStream, UnreadableBackupError } from "./seal-stream.ts";

export const manifestSchema = z.object({
  createdAt: z.iso.datetime(),
  migrations: z.array(z.object({ version: z.int(), name: z.string(), sha256: z.string() })),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string().regex(/^-?[0-9]+$/), isCalled: z.boolean() })),
  partitions: z.array(
    z.object({
      name: z.string().regex(/^delivery(?:_part)?_(?:[0-9]{4}_[0-9]{2}|default)$/),
      parent: z.enum(["delivery", "delivery_part"]),
      bound: z.string().regex(/^(?:DEFAULT|FOR VALUES FROM \('[0-9a-f-]{36}'\) TO \('[0-9a-f-]{36}'\))$/),
    }),
  ),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  fileCount: z.int(),
});
/** What is in a back-up, and in a database that is moved. */
export type Manifest = z.infer<typeof manifestSchema>;

const MAGIC = Buffer.from("EWEBAL BACK-UP 1\n");
const KIND = { plain: 0, sealed: 1 } as const;
const FRAME = { head: 1, octets: 2, tail: 3, end: 4 } as const;
const FRAME_HEAD_BYTES = 5;
/** Longer octets are split into several frames. A longer frame makes the file unreadable. */
const FRAME_BYTES_MAX = 256 * 1024;

/** The writer calls `tail` after it has written the octets. */
export type Entry = {
  head: Record<string, unknown>;
  octets: AsyncIterable<Buffer>;
  tail?: () => Record<string, unknown>;
};

/**
 * Writes a back-up under a temporary name and renames it at the end, so that a file with the final name is complete.
 *
 * @param key seals the file. Without a key, everybody who gets the file can read it.
 */
export async function writeArchive(
  path: string,
  key: Buffer | undefined,
  entries: AsyncIterable<Entry>,
): Promise<void> {
  const draft = `${path}.part`;
  const salt = randomBytes(SALT_BYTES);
  const head =
    key === undefined
      ? Buffer.concat([MAGIC, Buffer.from([KIND.plain])])
      : Buffer.concat([MAGIC, Buffer.from([KIND.sealed]), salt]);
  const seal = key === undefined ? passOn : sealStream(key, salt);
  try {
    await pipeline(
      Readable.from(writeFrames(entries)),
      createGzip({ level: constants.Z_BEST_SPEED }),
      seal,
      prepend(head),
      createWriteStream(draft, { mode: 0o600, flush: true }),
    );
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function* passOn(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* source;
}

function prepend(head: Buffer): (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* withHead(source) {
    yield head;
    yield* source;
  };
}

async function* writeFrames(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
  for await (const { head, octets, tail } of entries) {
    yield frame(FRAME.head, Buffer.from(JSON.stringify(head)));
    for await (const chunk of octets) {
      for (let start = 0; start < chunk.length; start += FRAME_BYTES_MAX)
        yield frame(FRAME.octets, chunk.subarray(start, start + FRAME_BYTES_MAX));
    }
    yield frame(FRAME.tail, Buffer.from(JSON.stringify(tail?.() ?? {})));
  }
  yield frame(FRAME.end, Buffer.alloc(0));
}

function frame(type: number, octets: Buffer): Buffer {
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head[0] = type;
  head.writeUInt32BE(octets.length, 1);
  return Buffer.concat([head, octets]);
}

export type ReadEntry = {
  head: unknown;
  /** Read these to their end before you ask for the next entry. */
  octets: AsyncGenerator<Buffer>;
  /** Call this after the octets have been read. */
  tail: () => unknown;
};

/**
 * Reads a back-up, entry by entry.
 *
 * @throws UnreadableBackupError in words for the operator: another file, another key, cut short or damaged.
 */
export async function* readArchive(path: string, key: Buffer | undefined): AsyncGenerator<ReadEntry> {
  const { start, open: unseal } = await readHead(path, key);
  const source = createReadStream(path, { start });
  const gunzip = createGunzip();
  const outcome = pipeline(source, unseal, gunzip).then(
    () => undefined,
    (error: unknown) => error,
  );
  try {
    yield* readEntries(readFrames(explained(gunzip, outcome)));
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

/** Reports the first failure of the pipeline instead of the early end that it causes. */
async function* explained(source: AsyncIterable<Buffer>, outcome: Promise<unknown>): AsyncGenerator<Buffer> {
  try {
    yield* source;
  } catch (error) {
    const first = (await outcome) ?? error;
    const isCompression = first instanceof Error && "code" in first && String(first.code).startsWith("Z_");
    throw isCompression ? new UnreadableBackupError("the back-up was cut short or damaged", { cause: first }) : first;
  }
}

async function readHead(
  path: string,
  key: Buffer | undefined,
): Promise<{ start: number; open: (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> }> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(MAGIC.length + 1 + SALT_BYTES);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    if (bytesRead <= MAGIC.length || !head.subarray(0, MAGIC.length).equals(MAGIC))
      throw new UnreadableBackupError(`${path} is no back-up of this program`);
    if (head[MAGIC.length] === KIND.plain) return { start: MAGIC.length + 1, open: passOn };
    if (key === undefined)
      throw new UnreadableBackupError("the back-up is encrypted; set BACKUP_KEY to the key that it was written with");
    return { start: head.length, open: openStream(key, head.subarray(MAGIC.length + 1)) };
  } finally {
    await file.close();
  }
}

type Frame = { type: number; octets: Buffer };

async function* readFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    while (rest.length - start >= FRAME_HEAD_BYTES) {
      const length = rest.readUInt32BE(start + 1);
      if (length > FRAME_BYTES_MAX) throw new UnreadableBackupError("the back-up was damaged");
      const end = start + FRAME_HEAD_BYTES + length;
      if (rest.length < end) break;
      yield { type: rest[start] ?? 0, octets: rest.subarray(start + FRAME_HEAD_BYTES, end) };
      start = end;
    }
    rest = rest.subarray(start);
  }
}

async function* readEntries(frames: AsyncGenerator<Frame>): AsyncGenerator<ReadEntry> {
  for (;;) {
    const head = await nextFrame(frames);
    if (head.type === FRAME.end) {
      // Behind it stands the checksum of the compressed stream, which is compared when the stream is read to its end.
      if ((await frames.next()).done !== true) throw new UnreadableBackupError("the back-up was damaged");
      return;
    }
    if (head.type !== FRAME.head) throw new UnreadableBackupError("the back-up was damaged");
    let tail: unknown;
    const octets = (async function* readOctets(): AsyncGenerator<Buffer> {
      for (;;) {
        const next = await nextFrame(frames);
        if (next.type === FRAME.octets) yield next.octets;
        else if (next.type === FRAME.tail) {
          tail = JSON.parse(next.octets.toString());
          return;
        } else throw new UnreadableBackupError("the back-up was damaged");
      }
    })();
    yield { head: JSON.parse(head.octets.toString()) as unknown, octets, tail: () => tail };
  }
}

async function nextFrame(frames: AsyncGenerator<Frame>): Promise<Frame> {
  const { value, done } = await frames.next();
  if (done === true) throw new UnreadableBackupError("the back-up was cut short");
  return value;
}
