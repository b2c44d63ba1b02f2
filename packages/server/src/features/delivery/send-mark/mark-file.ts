import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { KnownMark } from "./send-mark-store.ts";

const markSchema = z.object({ installationId: z.uuid(), epochId: z.uuid(), generation: z.int().nonnegative() });

/** The mark in the data directory: what a worker of this directory knew last. Several workers may share the file; the newest mark stays. */
export class MarkFile {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, "send-mark.json");
  }

  /** @returns undefined without a file, and for a file that a power cut has spoilt. */
  async read(): Promise<KnownMark | undefined> {
    try {
      return markSchema.parse(JSON.parse(await readFile(this.#path, "utf8")));
    } catch (error) {
      const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (isMissing || error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
      throw error;
    }
  }

  /** Writes without a sync: a mark that is older than the database's is no contradiction, and the database has synced its own. */
  async write(mark: KnownMark): Promise<void> {
    const draft = `${this.#path}.${randomUUID()}`;
    try {
      await writeFile(draft, JSON.stringify(mark), { mode: 0o600 });
      await rename(draft, this.#path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }
}
