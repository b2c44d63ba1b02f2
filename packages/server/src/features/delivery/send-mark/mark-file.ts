import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { KnownMark } from "./send-mark-store.ts";

const markSchema = z.object({ installationId: z.uuid(), epochId: z.uuid(), generation: z.int().nonnegative() });

/** The mark beside the database: what a worker of this data directory knew last. Several may share it; the newest is kept. */
export class MarkFile {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, "send-mark.json");
  }

  /** @returns undefined when there is none. One that a power cut has spoilt counts as none. */
  async read(): Promise<KnownMark | undefined> {
    try {
      return markSchema.parse(JSON.parse(await readFile(this.#path, "utf8")));
    } catch (error) {
      const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (isMissing || error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
      throw error;
    }
  }

  /** Without a sync: a file that is older than the database says nothing wrong, and the database has synced. */
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
