import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { readArchive } from "./archive.ts";
import { UnreadableBackupError } from "./seal-stream.ts";

const headSchema = z.object({ kind: z.string(), name: z.string().optional() });
/** Our own names; anything else in a file could lead out of the folder. */
const NAME_FORM = /^[a-z]+\.csv$/;

/**
 * Writes the CSV files of a removed month into a folder, which is made when it is not there.
 *
 * @returns the names of the files.
 * @throws UnreadableBackupError as `readArchive`, and for a back-up, which is restored as a whole.
 */
export async function unpackMonth(path: string, folder: string, key: Buffer | undefined): Promise<string[]> {
  const names: string[] = [];
  for await (const { head, octets } of readArchive(path, key)) {
    const { kind, name = "" } = headSchema.parse(head);
    if (kind !== "export" || !NAME_FORM.test(name))
      throw new UnreadableBackupError(`${path} is no month's file; a back-up is read by npm run restore`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await pipeline(octets, createWriteStream(join(folder, name), { flags: "wx", mode: 0o600 }));
    names.push(name);
  }
  return names;
}
