/** `npm run distribute -- DATABASE_URL [--shards N]`. */
import { parseArgs } from "node:util";
import { distribute, SHARDS_MAX } from "../db/distribute.ts";
import { createPool } from "../db/pool.ts";
import { migrate } from "../db/migrate.ts";

const HELP = `npm run distribute -- DATABASE_URL [--shards N]

Spreads the customers' rows of a database over the servers of a Citus cluster: an empty database, or one that was in use. Its
coordinator has the extension citus and knows the workers already. Stop the product on every machine first. Run it again after
an upgrade; what is distributed stays as it is.

--shards N   Split the rows into N shards; without it two for each worker, and 8 at least. Only the first run decides. Each shard makes
             every look at all customers' rows a little slower, and there cannot be more workers than shards.

Ends with 0 when it is done, else with 1 and nothing changed.`;

async function run(url: string, shardCount: number | undefined): Promise<string> {
  const db = createPool({ url, applicationName: "ewebal command", connectionsMax: 2, statementTimeoutMs: 0 });
  try {
    await migrate(db);
    const tables = await distribute(db, shardCount === undefined ? {} : { shardCount });
    return tables.length === 0
      ? "The database is distributed already; nothing was changed."
      : `${tables.length} tables are distributed now: ${tables.join(", ")}.`;
  } finally {
    await db.end();
  }
}

type Arguments = { isHelp: boolean; urls: string[]; shards: string | undefined };

function readArguments(): Arguments | undefined {
  try {
    const options = { help: { type: "boolean" }, shards: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    return { isHelp: values.help === true, urls: positionals, shards: values.shards };
  } catch {
    return undefined;
  }
}

const refusal = (reason: string): void => {
  process.stderr.write(`Nothing was distributed: ${reason}.\n`);
  process.exitCode = 1;
};
const given = readArguments();
const [url, ...others] = given?.urls ?? [];
const shardCount = given?.shards === undefined ? undefined : Number(given.shards);
if (given?.isHelp === true) process.stdout.write(`${HELP}\n`);
else if (url === undefined || others.length > 0) refusal("name the address of one database; --help says more");
else if (shardCount !== undefined && !(Number.isInteger(shardCount) && shardCount >= 1 && shardCount <= SHARDS_MAX))
  refusal(`--shards takes a whole number from 1 to ${SHARDS_MAX}`);
else {
  try {
    process.stdout.write(`${await run(url, shardCount)}\n`);
  } catch (error) {
    refusal(error instanceof Error ? error.message.replace(/\.$/, "") : String(error));
  }
}
