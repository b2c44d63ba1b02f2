/** `npm run schema -w packages/server`: writes schema.sql anew from the migrations. */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { migrate } from "../db/migrate.ts";
import { createPool } from "../db/pool.ts";
import { dumpSchema } from "./schema-dump.ts";
import { databaseUrl } from "./test-databases.ts";
import { startTestServer } from "./test-server.ts";

const DATABASE = "schema";
const path = process.argv[2] ?? fileURLToPath(new URL("../../schema.sql", import.meta.url));

const server = await startTestServer();
const maintenance = createPool({ url: server.url });
const db = createPool({ url: databaseUrl(server.url, DATABASE) });
try {
  await maintenance.query(`create database ${DATABASE}`);
  await migrate(db);
  await writeFile(path, await dumpSchema(db));
} finally {
  await Promise.all([maintenance.end(), db.end()]);
  await server.stop();
}
