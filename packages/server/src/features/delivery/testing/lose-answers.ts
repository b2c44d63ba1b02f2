import type { PoolClient, QueryConfig, QueryResult } from "pg";
import { inheritDistribution } from "../../../db/distribution.ts";
import type { Db } from "../../../db/pool.ts";

export type LossyLine = {
  db: Db;
  /** How many statements broke so far. */
  lostCount: () => number;
};

/** The same database over a line that breaks once, when a statement is done and before its answer has come. */
export function loseAnswer(db: Db, isConcerned: (sql: string, rowCount: number) => boolean): LossyLine {
  return breakOnce(db, async (sql, run) => {
    const answer = await run();
    return { answer, isBroken: isConcerned(sql, answer.rowCount ?? 0) };
  });
}

/** The same database over a line that breaks once, before a statement has arrived, or whose server says `error` to it. */
export function loseRequest(db: Db, isConcerned: (sql: string) => boolean, error = lost()): LossyLine {
  return breakOnce(
    db,
    async (sql, run) => (isConcerned(sql) ? { isBroken: true } : { answer: await run(), isBroken: false }),
    error,
  );
}

export type HeldLine = {
  db: Db;
  /** Whether the statement is done and its answer is kept back. */
  isHolding: () => boolean;
  letGo: () => void;
};

/** The same database over a line that keeps the first such answer back until it is let go; statements outside transactions alone. */
export function holdAnswer(db: Db, isConcerned: (sql: string, rowCount: number) => boolean): HeldLine {
  const go = Promise.withResolvers<void>();
  let isHolding = false;
  const query = async (text: string | QueryConfig, values?: unknown[]): Promise<QueryResult> => {
    const answer = await db.query(text, values);
    if (isHolding || !isConcerned(typeof text === "string" ? text : text.text, answer.rowCount ?? 0)) return answer;
    isHolding = true;
    await go.promise;
    return answer;
  };
  const held = replaceMembers(db, { query });
  inheritDistribution(held, db);
  return { db: held, isHolding: () => isHolding, letGo: () => go.resolve() };
}

function lost(): Error {
  return new Error("Connection terminated unexpectedly");
}

type Outcome = { answer?: QueryResult; isBroken: boolean };

function breakOnce(
  db: Db,
  attempt: (sql: string, run: () => Promise<QueryResult>) => Promise<Outcome>,
  error = lost(),
): LossyLine {
  let lostCount = 0;
  const query = async (text: string | QueryConfig, values?: unknown[]): Promise<QueryResult> => {
    const run = async (): Promise<QueryResult> => await db.query(text, values);
    if (lostCount > 0) return await run();
    const { answer, isBroken } = await attempt(typeof text === "string" ? text : text.text, run);
    if (answer !== undefined && !isBroken) return answer;
    lostCount += 1;
    throw error;
  };
  // In a transaction what is done is done with its COMMIT: that answer is lost then.
  const connect = async (): Promise<PoolClient> => {
    const client = await db.connect();
    let isDoomed = false;
    const run = client.query.bind(client) as (text: unknown, values?: unknown) => Promise<QueryResult>;
    const queryIn = async (text: string | QueryConfig, values?: unknown[]): Promise<QueryResult> => {
      const sql = typeof text === "string" ? text : text.text;
      if (lostCount > 0) return await run(text, values);
      // On a cluster more stands before it.
      if (isDoomed && sql.endsWith("commit")) {
        await run(text);
        lostCount += 1;
        throw error;
      }
      const { answer, isBroken } = await attempt(sql, async () => await run(text, values));
      isDoomed ||= isBroken;
      if (answer !== undefined) return answer;
      lostCount += 1;
      throw error;
    };
    return replaceMembers(client, { query: queryIn });
  };
  const lossy = replaceMembers(db, { query, connect });
  inheritDistribution(lossy, db);
  return { db: lossy, lostCount: () => lostCount };
}

function replaceMembers<Target extends object>(target: Target, others: Record<string, unknown>): Target {
  return new Proxy(target, {
    get: (whole, name) => {
      if (typeof name === "string" && name in others) return others[name];
      const member: unknown = Reflect.get(whole, name);
      return typeof member === "function" ? (member.bind(whole) as unknown) : member;
    },
  });
}
