// The commands as an operator runs them: help, one sentence, exit status.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildMessage } from "../testing/delivery-factories.ts";
import { expect, test } from "../testing/database.ts";

type Outcome = { code: number; out: string; err: string };

async function run(
  command: "backup" | "restore",
  args: string[],
  environment: Record<string, string>,
): Promise<Outcome> {
  const path = fileURLToPath(new URL(`../main/${command}-command.ts`, import.meta.url));
  return await new Promise((done) => {
    execFile(
      process.execPath,
      [path, ...args],
      { env: { PATH: process.env["PATH"], ...environment } },
      (error, out, err) => {
        done({ code: error === null ? 0 : Number(error.code), out, err });
      },
    );
  });
}

test(
  "a back-up and its restore into another database end with 0 and one sentence, all else with 1 and one sentence",
  { timeout: 60_000 },
  async ({ db, databaseUrl, emptyDatabaseUrl }) => {
    await buildMessage(db, { recipientCount: 20 });
    const folder = await mkdtemp(join(tmpdir(), "ewebal-command-"));
    const environment = { DATABASE_URL: databaseUrl, DATA_DIR: folder, BACKUP_KEY: randomBytes(32).toString("base64") };
    const path = join(folder, "one.backup");
    try {
      const help = await run("restore", ["--help"], {});
      expect([help.code, help.out.split("\n")[0], help.err]).toEqual([
        0,
        "npm run restore -- FILE [--into DATABASE_URL]",
        "",
      ]);
      const made = await run("backup", [path], environment);
      expect(made).toMatchObject({
        code: 0,
        err: "",
        out: expect.stringMatching(
          /Backed up \d+ rows of \d+ tables and 0 files as of .* \(.* bytes, encrypted\)\.\n$/,
        ) as string,
      });
      const foreign = await run("restore", [path, "--into", emptyDatabaseUrl], {
        ...environment,
        BACKUP_KEY: randomBytes(32).toString("base64"),
      });
      expect(foreign).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^Nothing was restored: BACKUP_KEY is not the key/) as string,
      });
      const restored = await run("restore", [path, "--into", emptyDatabaseUrl], environment);
      expect(restored).toMatchObject({
        code: 0,
        err: "",
        out: expect.stringMatching(
          /Restored \d+ rows .*; 1 messages are held until an administrator decides\.\n$/,
        ) as string,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
