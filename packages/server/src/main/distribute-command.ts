/** `npm run distribute -- DATABASE_URL`. */
import { distribute } from "../db/distribute.ts";
import { createPool } from "../db/pool.ts";
import { migrate } from "../db/migrate.ts";

const HELP = `npm run distribute -- DATABASE_URL

Spreads the customers' rows of a database over the servers of a Citus cluster: an empty database, or one that was in use. Its
coordinator has the extension citus and knows the workers already. Stop the product on every machine first. Run it again after
an upgrade; what is distributed stays as it is. Ends with 0 when it is done, else with 1 and nothing changed.`;

async function run(url: string): Promise<string> {
  const db = createPool({ url, applicationName: "ewebal command", connectionsMax: 2, statementTimeoutMs: 0 });
  try {
    await migrate(db);
    const tables = await distribute(db);
    return tables.length === 0
      ? "The database is distributed already; nothing was changed."
      : `${tables.length} tables are distributed now: ${tables.join(", ")}.`;
  } finally {
    await db.end();
  }
}

const [argument, ...others] = process.argv.slice(2);
if (argument === "--help") process.stdout.write(`${HELP}\n`);
else if (argument === undefined || others.length > 0) {
  process.stderr.write("Nothing was distributed: name the address of one database; --help says more.\n");
  process.exitCode = 1;
} else {
  try {
    process.stdout.write(`${await run(argument)}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
    process.stderr.write(`Nothing was distributed: ${reason}.\n`);
    process.exitCode = 1;
  }
}
