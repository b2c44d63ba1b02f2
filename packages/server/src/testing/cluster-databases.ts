import type { Client } from "pg";
import { urlOf, withClient } from "./citus-cluster.ts";
import type { TestDatabaseServer } from "./test-databases.ts";

/** Lets the triggers of the ledger pass what a test has left; only a superuser's sessions have it. */
const CLEARING = "ewebal.clearing";

/** One for each process that runs tests: a copy for each test, on three servers, would take seconds. */
let lent: { name: string; isBusy: boolean } | undefined;
let extraCount = 0;

/**
 * Lends a distributed database that is empty but for what migrations write. It is used again by the next test, so a test must not change the
 * schema; it is one test's alone while it lasts.
 */
export async function lendClusterDatabase(
  server: TestDatabaseServer,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const adminUrls = server.clusterUrls ?? [];
  const [coordinator = ""] = adminUrls;
  if (lent?.isBusy === true || lent === undefined) {
    extraCount += 1;
    const name = `ewebal_test_${server.runKey}_${process.pid}_${extraCount}`;
    const owner = new URL(server.url).username;
    for (const url of adminUrls)
      await withClient(url, async (client) => {
        await client.query(`create database ${name} template ${server.template} owner ${owner} strategy file_copy`);
      });
    await withClient(urlOf(coordinator, name), keepSeeds);
    lent = { name, isBusy: false };
  }
  const mine = lent;
  mine.isBusy = true;
  try {
    await use(urlOf(coordinator, mine.name, new URL(server.url).username));
    await withClient(urlOf(coordinator, mine.name), clear);
  } catch (error) {
    // Whatever a failed test may still be doing, it does to a database that nobody gets again.
    lent = undefined;
    throw error;
  } finally {
    mine.isBusy = false;
  }
}

/** Makes it possible to clear copies of a template: on each server, before the template is closed. */
export async function prepareClearing(client: Client): Promise<void> {
  await client.query("set citus.enable_ddl_propagation = off; set citus.enable_alter_role_propagation = off");
  await client.query(`alter role postgres set ${CLEARING} = 'on'`);
  await client.query(`
    create or replace function refuse_ledger_change() returns trigger language plpgsql as $$
    begin
      if current_setting('${CLEARING}', true) = 'on' then return case when tg_level = 'ROW' then coalesce(new, old) end; end if;
      raise exception '% of % is refused: the ledger is append-only', tg_op, tg_table_name
        using errcode = 'restrict_violation', hint = 'A correction is a journal that names what it reverses.';
    end $$`);
}

type LocalTable = { table: string; isSeeded: boolean };

async function listLocalTables(client: Client): Promise<LocalTable[]> {
  const { rows } = await client.query<LocalTable>(
    `select oid::regclass::text as table, to_regclass('seed.' || relname) is not null as "isSeeded" from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in ('schema_migration', 'app_user', 'dnd_number', 'api_key')
       and obj_description(oid, 'pg_class') like 'directory:%' order by 1`,
  );
  return rows;
}

async function keepSeeds(client: Client): Promise<void> {
  await client.query("set citus.enable_ddl_propagation = off");
  await client.query("create schema seed");
  for (const { table } of await listLocalTables(client)) {
    const { rowCount } = await client.query(`select from ${table} limit 1`);
    if (rowCount === 1) await client.query(`create table seed.${table} as table ${table}`);
  }
}

/** Children first; rows are deleted, because emptying a table makes new files on every server. */
async function clear(client: Client): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    `select logicalrelid::text as table from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
     where partmethod = 'h' and not relispartition`,
  );
  const first = ["journal_entry", "journal", "hold", "contact_sheet", "card_payment_claim", "deposit"];
  const last = ["ledger_account"];
  const others = rows.map(({ table }) => table).filter((table) => !first.includes(table) && !last.includes(table));
  await client.query("set citus.multi_shard_modify_mode = 'sequential'");
  for (const table of [...first, ...others, ...last]) await client.query(`delete from ${table}`);
  const locals = await listLocalTables(client);
  await client.query("set session_replication_role = replica");
  await client.query(`truncate ${locals.map(({ table }) => table).join(", ")} restart identity cascade`);
  for (const { table, isSeeded } of locals)
    if (isSeeded) await client.query(`insert into ${table} overriding system value table seed.${table}`);
  await client.query("set session_replication_role = origin");
  for (const table of ["api_key", "app_user", "dnd_number"]) await client.query(`delete from ${table}`);
  await client.query("select setval('express_turn', 0, false), setval('bulk_turn', 0, false)");
}
