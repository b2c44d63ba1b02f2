/** `npm run move -- DATABASE_URL`. */
import { readDatabaseUrl } from "../base/config-readers.ts";
import { cancelMove, move } from "../backup/move.ts";
import { runCommand } from "../backup/run-command.ts";
import { createPool } from "../db/pool.ts";

const HELP = `npm run move -- DATABASE_URL
Moves everything from the embedded database of DATA_DIR to an empty database of PostgreSQL 15 or newer, whose owner DATABASE_URL names.
Uploaded files, keys and the other settings stay where they are. While Ewebal runs on DATA_DIR, it finishes what it has in hand and stops;
it does not start again on the old database. Every row is compared on both sides before anything counts. Interrupted, it can be run again.
npm run move -- --cancel
Gives up a move that was interrupted. Ewebal may then be started on the embedded database again.
Ends with 0 when everything is moved, and says what to set; else with 1.`;

/** With the user, because two roles may see different databases; without the password, because it is shown and kept. */
function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^/?#@:]*)(?::[^/?#@]*)?(@|)/, "$1$2").replace(/\?.*$/, "");
}

function readTarget(text: string): string {
  try {
    return readDatabaseUrl(text);
  } catch (error) {
    throw new Error(`the address ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

await runCommand(
  {
    help: HELP,
    failure: "Nothing was moved",
    argument: "address of a database",
    hasTarget: false,
    isOfEmbedded: true,
    run: async (address, { config: { dataDir }, log, db, onProgress }) => {
      const url = readTarget(address);
      const to = withoutPassword(url);
      const target = createPool({ url, applicationName: "ewebal move", connectionsMax: 3, statementTimeoutMs: 0 });
      try {
        const { rowCount, tableCount, jobCount, wasDone } = await move({
          source: db,
          target,
          to,
          dataDir,
          log,
          onProgress,
        });
        const next = "set DATABASE_URL to that address and start Ewebal";
        return wasDone
          ? `Everything is at ${to} already; ${next}.`
          : `Moved ${rowCount.toLocaleString("en")} rows of ${tableCount} tables and ${jobCount} waiting jobs to ${to}, the same on both sides; ${next}.`;
      } finally {
        await target.end();
      }
    },
    cancel: async ({ config: { dataDir }, db }) => {
      const to = await cancelMove(db, dataDir);
      return to === undefined
        ? "No move has begun; nothing was changed."
        : `The move to ${to} is given up: Ewebal may be started on the embedded database again. Drop the database at ${to} before you move there.`;
    },
  },
  process.argv.slice(2),
);
