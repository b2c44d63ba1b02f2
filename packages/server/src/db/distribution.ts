/** Whether the customers' rows lie on the servers of a Citus cluster; `distribute.ts` puts them there. */
import type { Pool, PoolClient } from "pg";

/** The first table that is split; the others lie where its rows lie. */
export const FIRST_TABLE = "ledger_account";

/** Keeps what this session makes from the other servers of a cluster. PostgreSQL without Citus takes the name without a meaning. */
export const SCHEMA_STAYS_HERE = "set citus.enable_ddl_propagation = off";

/** Marks a statement that is never given to a cluster: where rows of several customers are locked or changed there is another for that. */
export const ONE_SERVER = "/* one server */";

/** Marks a statement that only a cluster is given: a run of the tests on one server does not use it, `npm run test:citus` does. */
export const ON_CLUSTER = "/* cluster */";

const distributedHandles = new WeakSet<object>();

/**
 * Finds out whether the customers' rows of a database are distributed. A process asks once for each of its pools, when it starts; what
 * `isDistributed` then says holds for the pool and all of its transactions.
 */
export async function noteDistribution(db: Pool): Promise<void> {
  if (await readIsDistributed(db)) distributedHandles.add(db);
}

/** Whether the customers' rows lie on the servers of a cluster, as the database itself says. */
export async function readIsDistributed(db: Pick<PoolClient, "query">): Promise<boolean> {
  const { rows } = await db.query<{ hasList: boolean }>(
    "select to_regclass('pg_dist_partition') is not null as \"hasList\"",
  );
  if (rows[0]?.hasList !== true) return false;
  const { rows: found } = await db.query<{ isSplit: boolean }>(
    `select exists (select 1 from pg_dist_partition where logicalrelid = to_regclass($1) and partmethod = 'h') as "isSplit"`,
    [FIRST_TABLE],
  );
  return found[0]?.isSplit === true;
}

/**
 * Whether statements that lock rows of several customers must be made one for each customer. Citus refuses to lock rows of several shards
 * with one statement; on one PostgreSQL one statement is the faster one.
 */
export function isDistributed(db: object): boolean {
  return distributedHandles.has(db);
}

/** Lets a transaction know what its pool knows. */
export function inheritDistribution(tx: object, db: object): void {
  if (distributedHandles.has(db)) distributedHandles.add(tx);
}
