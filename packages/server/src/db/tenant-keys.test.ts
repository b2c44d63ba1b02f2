/**
 * A distributed PostgreSQL (Citus) keeps a customer's rows together by `user_id`. That works as long as every key of a
 * tenant table begins with it; a single one that does not could only be mended by rewriting the table.
 */
import { expect, test } from "../testing/database.ts";
import type { Db } from "./pool.ts";

/** Tables with a user_id that are not split by it, because they are looked up before the customer is known. */
const DIRECTORY_TABLES = new Map([
  ["app_user", "An e-mail address is unique among all customers; every foreign key may point here."],
  ["inbound_number", "A message from a phone shows the number that it was sent to: that finds the customer."],
  ["link_block", "A link of a message shows its code and nothing else: the block of the code finds the customer."],
  ["account_member", "A person who signs in is looked up among the members of all accounts: that finds theirs."],
  ["privacy_request", "A number that is erased is erased for every customer, so its request has none."],
  ["api_key", "A program shows its key and nothing else: the hash finds the customer."],
]);

type Key = { table: string; name: string; columns: string[] };

async function listTenantTables(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ table: string }>(`
    select relname as table from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and attname = 'user_id'
     order by 1`);
  return rows.map((row) => row.table);
}

/** Primary keys, unique constraints and unique indexes. */
async function listUniqueKeys(db: Db): Promise<Key[]> {
  const { rows } = await db.query<Key>(`
    select table_class.relname as table, index_class.relname as name,
           array(select pg_get_indexdef(indexrelid, place, true) from generate_series(1, indnkeyatts) as place) as columns
      from pg_index join pg_class as table_class on table_class.oid = indrelid join pg_class as index_class on index_class.oid = indexrelid
     where table_class.relnamespace = 'public'::regnamespace and indisunique and not table_class.relispartition`);
  return rows;
}

/** Foreign keys between tenant tables; those to directory tables may be anything. */
async function listForeignKeys(db: Db): Promise<(Key & { target: string; targetColumns: string[] })[]> {
  const { rows } = await db.query<Key & { target: string; targetColumns: string[] }>(`
    select source.relname as table, conname as name, target.relname as target,
           array(select attname::text from unnest(conkey) with ordinality as part (number, place)
                   join pg_attribute on attrelid = conrelid and attnum = number order by place) as columns,
           array(select attname::text from unnest(confkey) with ordinality as part (number, place)
                   join pg_attribute on attrelid = confrelid and attnum = number order by place) as "targetColumns"
      from pg_constraint join pg_class as source on source.oid = conrelid join pg_class as target on target.oid = confrelid
     where contype = 'f' and conparentid = 0 and source.relnamespace = 'public'::regnamespace`);
  return rows;
}

async function findFaults(db: Db): Promise<string[]> {
  const tenantTables = new Set((await listTenantTables(db)).filter((table) => !DIRECTORY_TABLES.has(table)));
  const uniqueKeys = (await listUniqueKeys(db)).filter(({ table }) => tenantTables.has(table));
  const keyless = [...tenantTables].filter((table) => !uniqueKeys.some((key) => key.table === table));
  const foreignKeys = (await listForeignKeys(db)).filter(
    ({ table, target }) => tenantTables.has(table) && tenantTables.has(target),
  );
  return [
    ...keyless.map((table) => `${table} has no key`),
    ...uniqueKeys
      .filter(({ columns }) => columns[0] !== "user_id")
      .map(({ table, name }) => `${table}: ${name} does not begin with user_id`),
    ...foreignKeys
      .filter(({ columns, targetColumns }) => columns[0] !== "user_id" || targetColumns[0] !== "user_id")
      .map(({ table, name }) => `${table}: ${name} does not begin with user_id`),
  ];
}

test("every key of a tenant table begins with user_id", async ({ db }) => {
  expect(await findFaults(db)).toEqual([]);
});

test("every table says in its comment whether it is split by customer: `distribute` goes by it", async ({ db }) => {
  const { rows } = await db.query<{ table: string }>(
    `select relname as table from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'schema_migration'
       and coalesce(obj_description(oid, 'pg_class'), '') !~ '^(?:tenant(?: by actor)?|directory): '`,
  );
  expect(rows).toEqual([]);
});

test("a directory table says in its comment that it is one", async ({ db }) => {
  for (const table of DIRECTORY_TABLES.keys()) {
    const { rows } = await db.query<{ comment: string }>("select obj_description($1::regclass) as comment", [table]);
    expect(rows[0]?.comment, table).toMatch(/^directory: /);
  }
});

test("keys that break the rule are found", async ({ db }) => {
  await db.query(`
    create table probe (user_id uuid, probe_id uuid, primary key (probe_id, user_id), unique (user_id, probe_id));
    create unique index probe_once on probe (probe_id);
    create table probe_child (user_id uuid, probe_id uuid, primary key (user_id, probe_id),
      constraint probe_child_parent foreign key (probe_id, user_id) references probe (probe_id, user_id));
    create table probe_bare (user_id uuid);
    create table probe_fine (user_id uuid references app_user (user_id), name text, unique (user_id, name))`);
  expect((await findFaults(db)).toSorted()).toEqual([
    "probe: probe_once does not begin with user_id",
    "probe: probe_pkey does not begin with user_id",
    "probe_bare has no key",
    "probe_child: probe_child_parent does not begin with user_id",
  ]);
});
