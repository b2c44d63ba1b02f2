import { setTimeout as sleep } from "node:timers/promises";
import { Pool, type PoolClient, type QueryConfig, type QueryResult } from "pg";
import { inheritDistribution, isDistributed } from "./distribution.ts";
import type { Db, Queryable } from "./pool.ts";
import { isConnectionLost, isInternal, isTransactionConflict, SQL_STATE, sqlStateOf } from "./sql-state.ts";

declare const insideTransaction: unique symbol;

/**
 * An open transaction. Only `withTransaction` makes one, so a function that asks for it cannot be given a bare pool.
 */
export type Tx = Queryable & { readonly [insideTransaction]: true };

export type TransactionOptions = {
  /**
   * Set it when the function does nothing outside the database and may run again. A serialization failure or a deadlock
   * is then retried, up to `TRANSACTION_ATTEMPTS_MAX` times in all.
   */
  repeatable?: boolean;
};

/** After this many conflicts transactions queue for one row, and more attempts lengthen the queue. */
export const TRANSACTION_ATTEMPTS_MAX = 5;
/** Doubled for each attempt, with full jitter, so that the losers do not collide again. */
export const TRANSACTION_RETRY_DELAY_MS = 10;

/** In a cluster, what was written at the coordinator and at a customer's server is kept together; see the function. One round trip. */
const COMMIT_AS_ONE = "select commit_as_one(); commit";

/** The connection broke during COMMIT: the work may or may not be stored. Check before repeating it. */
export class CommitUnknownError extends Error {
  override readonly name = "CommitUnknownError";
}

/**
 * Runs `work` in one READ COMMITTED transaction: committed when it resolves, rolled back when it rejects.
 * The transaction is closed to late statements after that; one that was not awaited fails instead of running alone.
 *
 * @throws whatever `work` throws, after the roll-back.
 * @throws CommitUnknownError when the outcome cannot be known.
 */
export async function withTransaction<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
  options: TransactionOptions = {},
): Promise<Result> {
  const attemptsMax = options.repeatable === true ? TRANSACTION_ATTEMPTS_MAX : 1;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(db, work);
    } catch (error) {
      if (attempt >= attemptsMax || !isTransactionConflict(error)) throw error;
      await sleep(Math.random() * TRANSACTION_RETRY_DELAY_MS * 2 ** attempt);
    }
  }
}

const afterCommits = new WeakMap<Tx, (() => void)[]>();

/** Does something in this process once the transaction is committed; nothing when it is rolled back, or nobody knows. It must not fail. */
export function afterCommit(tx: Tx, act: () => void): void {
  const acts = afterCommits.get(tx) ?? [];
  acts.push(act);
  afterCommits.set(tx, acts);
}

/**
 * Runs reads that have to see one state of each customer. One statement does on one PostgreSQL. A cluster splits it into several, which would each
 * see a later state; there one connection to each server, with one snapshot, reads them all. Inside a transaction that is open already the
 * reads see what that one sees.
 */
export async function atOneMoment<Result>(db: Queryable, read: (db: Queryable) => Promise<Result>): Promise<Result> {
  if (!(db instanceof Pool) || !isDistributed(db)) return await read(db);
  return await withTransaction(db, async (tx) => {
    await tx.query("set transaction isolation level repeatable read");
    await tx.query("set local citus.max_adaptive_executor_pool_size = 1");
    return await read(tx);
  });
}

async function runOnce<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const client = await db.connect();
  let broken: Error | undefined;
  // A checked-out connection that breaks between two statements is an event; unheard, it would end the process.
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on("error", onError);
  const { tx, close } = openTx(client);
  inheritDistribution(tx, db);
  try {
    // Explicit, because every lock order relies on this level and a server may have another default.
    await client.query("begin isolation level read committed");
    const result = await work(tx);
    close();
    await commit(client, isDistributed(db) ? COMMIT_AS_ONE : "commit");
    for (const act of afterCommits.get(tx) ?? []) act();
    return result;
  } catch (error) {
    close();
    broken ??= error instanceof CommitUnknownError ? error : await rollBack(client);
    throw error;
  } finally {
    client.off("error", onError);
    client.release(broken ?? false);
  }
}

async function commit(client: PoolClient, statements: string): Promise<void> {
  let command: string | undefined;
  try {
    const answers: unknown = await client.query(statements);
    ({ command } = (Array.isArray(answers) ? answers.at(-1) : answers) as QueryResult);
  } catch (error) {
    // A cluster's coordinator that loses the one server which was written to, or its own supervisor, calls that internal. The other server may have
    // committed all the same.
    if (isConnectionLost(error) || isInternal(error)) {
      throw new CommitUnknownError("The connection was lost during COMMIT; the outcome is unknown", { cause: error });
    }
    // PostgreSQL has rolled back, because of a deferred constraint, for example; or it asks for it, for any statement but COMMIT.
    if (sqlStateOf(error) !== SQL_STATE.transactionAborted) throw error;
  }
  // PostgreSQL answers COMMIT of a failed transaction with success and the tag ROLLBACK.
  if (command !== "COMMIT") {
    throw new Error("The transaction was rolled back: an error of one of its statements was caught and ignored");
  }
}

/** @returns the error that makes this connection unfit for reuse, if any: its transaction may still be open. */
async function rollBack(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query("rollback");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function openTx(client: PoolClient): { tx: Tx; close: () => void } {
  let isOpen = true;
  const query = (text: string | QueryConfig, values?: unknown[]): Promise<unknown> => {
    if (!isOpen)
      return Promise.reject(new Error("The transaction has ended; this statement was not awaited inside it"));
    return client.query(text, values);
  };
  const close = (): void => {
    isOpen = false;
  };
  // The brand exists for the compiler only, and the driver's overloads say the same as Queryable's one signature.
  return { tx: { query } as unknown as Tx, close };
}
