/**
 * Brings the database to what this version needs, makes the demo accounts when asked to, and ends. A process of its own:
 * the first process lives as long as the product and would keep the whole program in memory for these few seconds.
 */
import { pino } from "pino";
import { createPool } from "./db/pool.ts";
import { makeDemo } from "./demo.ts";
import { hasKeptCarriersYet } from "./features/delivery/index.ts";
import { prepareDatabase } from "./prepare-database.ts";
import type { PrepareMessage, PreparedMessage } from "./process-tree/messages.ts";
import { openDeps } from "./role-deps.ts";
import { refuseMissingParts } from "./trial-parts.ts";

async function prepare({ config, databaseUrl, isDemo }: PrepareMessage): Promise<string[]> {
  const log = pino({ level: config.logLevel, base: { process: "prepare" } });
  const db = createPool({ url: databaseUrl, applicationName: "ewebal prepare", connectionsMax: 3 });
  try {
    // Before anything is changed: an older version may go on with this database.
    refuseMissingParts(config, await hasKeptCarriersYet(db));
    await prepareDatabase(db, log);
  } finally {
    await db.end();
  }
  if (!isDemo) return [];
  const { deps, close } = await openDeps({ config, databaseUrl, role: "prepare", log });
  try {
    return await makeDemo(deps);
  } finally {
    await close();
  }
}

async function answer(message: PrepareMessage): Promise<PreparedMessage> {
  try {
    return { kind: "prepared", notes: await prepare(message) };
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}

process.once("message", (message: PrepareMessage) => {
  void answer(message).then((outcome) => process.send?.(outcome, () => process.exit(0)));
});
// Ctrl-C reaches the whole process group; a migration that has begun is finished, and the first process then stops the rest.
process.on("SIGINT", () => undefined);
// Without the first process nobody waits for the outcome, and the next start prepares again.
process.on("disconnect", () => process.exit(1));
