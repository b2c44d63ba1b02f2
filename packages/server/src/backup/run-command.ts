/**
 * What the commands of back-up, restore and new keys share: help, a progress line, one sentence at the end, exit status
 * 0 or 1.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pino, type Logger } from "pino";
import { z } from "zod";
import { PROGRAM_NAME, readConfig, type Config } from "../base/config.ts";
import { refuseMoved } from "../base/moved-mark.ts";
import { startEmbeddedPostgres } from "@ewebal/embedded-postgres";
import { createPool, type Db } from "../db/pool.ts";
import { openFileStore, type FileStore } from "../files/index.ts";
import type { Progress } from "./back-up.ts";

export type CommandTools = {
  config: Config;
  log: Logger;
  db: Db;
  files: FileStore;
  onProgress: (progress: Progress | string) => void;
};

export type Command = {
  help: string;
  /** The beginning of the sentence that explains a failure. */
  failure: string;
  /** What the argument is when it is not a file. */
  argument?: string;
  /** Whether the command takes `--into ADDRESS`. */
  hasTarget: boolean;
  /** Works on the embedded database, whatever DATABASE_URL says, and also when it is no longer the one to work with. */
  isOfEmbedded?: boolean;
  /** What `--cancel` does, which takes no argument. Without it there is no such option. */
  cancel?: (tools: CommandTools) => Promise<string>;
  /** @returns the sentence that the command prints at its end. */
  run: (path: string, tools: CommandTools) => Promise<string>;
};

const PROGRESS_INTERVAL_MS = 1_000;

export async function runCommand(command: Command, args: readonly string[]): Promise<void> {
  const endLine = progressLine();
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: "boolean" },
        ...(command.hasTarget && { into: { type: "string" } }),
        ...(command.cancel !== undefined && { cancel: { type: "boolean" } }),
      },
    });
    if (values.help === true) return void process.stdout.write(`${command.help}\n`);
    const cancel = "cancel" in values && values.cancel === true ? command.cancel : undefined;
    const [path = "", ...others] = positionals;
    if ((path === "") !== (cancel !== undefined) || others.length > 0)
      throw new Error(`name one ${command.argument ?? "file"}; --help says more`);
    const into = "into" in values && typeof values.into === "string" ? values.into : undefined;
    const config = readSettings(command, into);
    assertSource(command, path, config);
    const sentence = await withDatabase(command, config, async (tools) => {
      const all = { ...tools, onProgress: endLine.show };
      return await (cancel === undefined ? command.run(path, all) : cancel(all));
    });
    endLine.clear();
    process.stdout.write(`${sentence}\n`);
  } catch (error) {
    endLine.clear();
    process.stderr.write(`${command.failure}: ${wordsOf(error)}.\n`);
    process.exitCode = 1;
  }
}

function readSettings({ isOfEmbedded = false }: Command, into: string | undefined): Config {
  if (isOfEmbedded) return readConfig({ ...process.env, DATABASE_URL: "" });
  return readConfig(into === undefined ? process.env : { ...process.env, DATABASE_URL: into });
}

/** Runs before the database is started, so that the back-up of an empty folder does not create one. */
function assertSource({ hasTarget }: Command, path: string, { databaseUrl, dataDir }: Config): void {
  if (hasTarget && !existsSync(path)) throw new Error(`there is no file ${path}`);
  if (!hasTarget && databaseUrl === undefined && !existsSync(join(dataDir, "postgres-password")))
    throw new Error(`there is no database in ${dataDir}; set DATA_DIR or DATABASE_URL`);
}

/** Adopts the embedded server if it runs. Otherwise starts it for the duration of the command. */
async function withDatabase(
  { isOfEmbedded = false }: Command,
  config: Config,
  work: (tools: Omit<CommandTools, "onProgress">) => Promise<string>,
): Promise<string> {
  const log = pino({ level: "warn", base: { process: "command" } }, pino.destination(2));
  // A back-up of a database that was moved would be an old one, and nobody would notice.
  if (config.databaseUrl === undefined && !isOfEmbedded) refuseMoved(config.dataDir);
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres({ program: PROGRAM_NAME, dataDir: config.dataDir, log })
      : undefined;
  const db = createPool({
    url: config.databaseUrl ?? embedded?.url ?? "",
    applicationName: "ewebal command",
    connectionsMax: 3,
  });
  const files = await openFileStore(config);
  try {
    return await work({ config, log, db, files });
  } finally {
    files.close();
    await db.end();
    await embedded?.stop();
  }
}

/** Redraws one line on a terminal; writes one line a second to a log. */
function progressLine(): { show: (progress: Progress | string) => void; clear: () => void } {
  const isTerminal = process.stdout.isTTY;
  let shownAtMs = -Infinity;
  let isShown = false;
  return {
    show: (progress) => {
      if (performance.now() - shownAtMs < PROGRESS_INTERVAL_MS) return;
      shownAtMs = performance.now();
      const line = typeof progress === "string" ? progress : countsOf(progress);
      process.stdout.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`);
      isShown = isTerminal;
    },
    clear: () => {
      if (isShown) process.stdout.write("\r\u001b[K");
    },
  };
}

function countsOf({ tablesDone, tableCount, rowCount, filesDone, fileCount }: Progress): string {
  const files = fileCount === 0 ? "" : `, ${filesDone} of ${fileCount} files`;
  return `${tablesDone} of ${tableCount} tables, ${rowCount.toLocaleString("en")} rows${files}`;
}

function wordsOf(error: unknown): string {
  if (error instanceof z.ZodError || error instanceof SyntaxError) return "the back-up was damaged";
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
}
