/**
 * Spreads the rows of customers over the servers of a Citus cluster.
 *
 * A table's comment says what becomes of it: `tenant` tables are split by customer, all in one colocation group, so that what one
 * transaction does for one customer happens on one server. A few small tables that those join or point at are copied to every
 * server. All others stay at the coordinator.
 */
import { ADVISORY_LOCK } from "./advisory.ts";
import { FIRST_TABLE } from "./distribution.ts";
import type { Db } from "./pool.ts";
import { withTransaction, type Tx } from "./transaction.ts";

/** What every tenant table points at, and the one directory that is asked with the numbers of a send. */
const REFERENCE_TABLES = ["app_user", "dnd_number"];
/** Triggers that write into another customer's or nobody's table, which a shard cannot. `readCounter` counts instead. */
const COUNTING_TRIGGERS = /^(?:message|draft)_\w+_is_tallied$/;
/** Stays at the coordinator, in the care of Citus; see `commit_as_one` in the migrations. */
const GUARD_TABLE = "commit_guard";
/**
 * Shards of each table, unless the operator says otherwise. A look that no customer narrows (the lowest turns, a report's delivery, what is due)
 * is one task for each shard, and there are several for each flush: what they cost grows with the shards, on one pair of cores as on many. Fewer
 * than two for each worker would leave the servers uneven.
 */
const SHARDS_MIN = 8;
const SHARDS_OF_WORKER = 2;
export const SHARDS_MAX = 512;
/**
 * How long a statement of several shards goes on with one connection to each server before Citus opens another. With its own 10 ms a busy server
 * gets more sessions because it is slow, and is slower for it: on two cores under load a message then took 690 µs of each worker
 * instead of 65 (26 November 2026, 20,000 recipients, 8 shards).
 */
const MORE_CONNECTIONS_AFTER_MS = 500;

/** Why a database cannot be distributed. The message is for the operator. */
export class DistributionError extends Error {
  override readonly name = "DistributionError";
}

type TenantTable = { table: string; column: string; isDistributed: boolean };

/**
 * Distributes every tenant table that is not distributed yet, in one transaction: afterwards all of it is done, or nothing.
 * Any number of calls; the second finds nothing to move. Rows that are there move along. Nobody may use the database meanwhile.
 *
 * @param settings shardCount of a database of which nothing is distributed yet; what is added later lies where the rest lies.
 * @returns the tables distributed by this call.
 * @throws DistributionError when the database has no Citus, no schema of ours, or roles that are connected.
 */
export async function distribute(db: Db, { shardCount }: { shardCount?: number } = {}): Promise<string[]> {
  const workerCount = await refuseWithoutCitus(db);
  await refuseWhileInUse(db);
  const shards = shardCount ?? Math.max(SHARDS_MIN, SHARDS_OF_WORKER * workerCount);
  return await withTransaction(db, async (tx) => {
    await tx.query("select pg_advisory_xact_lock($1)", [ADVISORY_LOCK.migrate]);
    const comments = await readComments(tx);
    await guardCommits(tx);
    await keepConnectionsFew(tx);
    const tables = (await listTenantTables(tx)).filter(({ isDistributed }) => !isDistributed);
    if (tables.length === 0) return [];
    // Moving the rows of a large table takes as long as it takes.
    await tx.query("set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0");
    // A table with foreign keys and the partitions of another are changed by one connection to each server, one after the other.
    await tx.query("set local citus.multi_shard_modify_mode = 'sequential'");
    await tx.query("set local citus.enable_ddl_propagation = on");
    // The triggers of the ledger look at rows of the same customer alone, so they hold on each shard as they did on the table.
    await tx.query("set local citus.enable_unsafe_triggers = on");
    await dropCountingTriggers(tx);
    const addKeys = await dropKeys(tx, new Set(tables.map(({ table }) => table)));
    for (const table of REFERENCE_TABLES) await copyToAll(tx, table);
    for (const { table, column } of firstOfAll(tables)) await split(tx, table, column, shards);
    for (const statement of [...addKeys, ...comments]) await tx.query(statement);
    return tables.map(({ table }) => table);
  });
}

/** @returns how many servers take rows. */
async function refuseWithoutCitus(db: Db): Promise<number> {
  const { rows } = await db.query<{ hasCitus: boolean; hasSchema: boolean }>(
    `select exists (select 1 from pg_extension where extname = 'citus') as "hasCitus", to_regclass($1) is not null as "hasSchema"`,
    [FIRST_TABLE],
  );
  if (rows[0]?.hasCitus !== true)
    throw new DistributionError(
      "this PostgreSQL has no Citus in this database; let a superuser run `create extension citus` and add the workers with `citus_add_node`",
    );
  if (!rows[0].hasSchema) throw new DistributionError("this database has no tables of this program");
  const { rows: nodes } = await db.query("select from pg_dist_node where shouldhaveshards");
  if (nodes.length === 0)
    throw new DistributionError("no server of this cluster takes rows; add one with `citus_add_node`");
  return nodes.length;
}

/** A role would wait for the tables, and would go on with statements for one server. */
async function refuseWhileInUse(db: Db): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and application_name in ('ewebal web', 'ewebal worker', 'ewebal smpp') order by 1`,
  );
  if (rows.length > 0)
    throw new DistributionError(
      `still connected: ${rows.map(({ name }) => name).join(", ")}; stop the product on every machine`,
    );
}

async function listTenantTables(tx: Tx): Promise<TenantTable[]> {
  const { rows } = await tx.query<TenantTable>(
    `select relname as table, case when comment like 'tenant by actor:%' then 'actor_id' else 'user_id' end as column,
       exists (select 1 from pg_dist_partition where logicalrelid = table_oid and partmethod = 'h') as "isDistributed"
     from (select oid as table_oid, relname, obj_description(oid, 'pg_class') as comment from pg_class
           where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition) as described
     where comment like 'tenant%' order by relname`,
  );
  return rows;
}

/** For every session that begins from now on. */
async function keepConnectionsFew(tx: Tx): Promise<void> {
  const { rows } = await tx.query<{ name: string }>("select quote_ident(current_database()) as name");
  await tx.query(
    `alter database ${rows[0]?.name ?? ""} set citus.executor_slow_start_interval = '${MORE_CONNECTIONS_AFTER_MS}ms'`,
  );
}

type ForeignKey = { source: string; target: string; name: string; definition: string };

/**
 * The foreign keys of tables that are to be distributed stand in the way meanwhile. Those to tables that stay at the coordinator are dropped
 * for good: Citus would take such a table, and all that its other keys lead to, into its care.
 *
 * @returns the statements that bring the others back.
 */
async function dropKeys(tx: Tx, tables: ReadonlySet<string>): Promise<string[]> {
  const { rows } = await tx.query<ForeignKey>(
    `select conrelid::regclass::text as source, confrelid::regclass::text as target, quote_ident(conname) as name,
       pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by 1, 3`,
  );
  const dropped = rows.filter(({ source }) => tables.has(source));
  for (const { source, name } of dropped) await tx.query(`alter table ${source} drop constraint ${name}`);
  return dropped
    .filter(({ target }) => tables.has(target) || REFERENCE_TABLES.includes(target))
    .map(({ source, name, definition }) => `alter table ${source} add constraint ${name} ${definition}`);
}

/** Citus makes some tables anew and forgets what they say of themselves, by which this command knows them. */
async function readComments(tx: Tx): Promise<string[]> {
  const { rows } = await tx.query<{ statement: string }>(
    `select format('comment on table %s is %L', oid::regclass, obj_description(oid, 'pg_class')) as statement from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and obj_description(oid, 'pg_class') is not null`,
  );
  return rows.map(({ statement }) => statement);
}

async function dropCountingTriggers(tx: Tx): Promise<void> {
  const { rows } = await tx.query<{ table: string; name: string }>(
    "select tgrelid::regclass::text as table, tgname as name from pg_trigger where not tgisinternal",
  );
  for (const { table, name } of rows.filter((row) => COUNTING_TRIGGERS.test(row.name)))
    await tx.query(`drop trigger ${name} on ${table}`);
}

/** Citus lists what a foreign key leads to as well, as local; only `t`, a copy on every server, is what is meant. */
async function copyToAll(tx: Tx, table: string): Promise<void> {
  await tx.query(
    `select create_reference_table($1::regclass)
     where not exists (select 1 from pg_dist_partition where logicalrelid = $1::regclass and repmodel = 't')`,
    [table],
  );
}

/** From now on a transaction that deletes from the table is prepared on every server before it is committed on any. */
async function guardCommits(tx: Tx): Promise<void> {
  await tx.query(
    `select citus_add_local_table_to_metadata($1::regclass)
     where not exists (select 1 from pg_dist_partition where logicalrelid = $1::regclass)`,
    [GUARD_TABLE],
  );
}

async function split(tx: Tx, table: string, column: string, shardCount: number): Promise<void> {
  if (table === FIRST_TABLE) {
    await tx.query("select create_distributed_table($1::regclass, $2, shard_count => $3::integer)", [
      table,
      column,
      shardCount,
    ]);
    return;
  }
  await tx.query("select create_distributed_table($1::regclass, $2, colocate_with => $3)", [
    table,
    column,
    FIRST_TABLE,
  ]);
}

function firstOfAll(tables: readonly TenantTable[]): TenantTable[] {
  return [
    ...tables.filter(({ table }) => table === FIRST_TABLE),
    ...tables.filter(({ table }) => table !== FIRST_TABLE),
  ];
}
