import type { QueryConfig, QueryResult } from "pg";
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

/** The same database over a line that breaks once, before a statement has arrived. */
export function loseRequest(db: Db, isConcerned: (sql: string) => boolean): LossyLine {
  return breakOnce(db, async (sql, run) =>
    isConcerned(sql) ? { isBroken: true } : { answer: await run(), isBroken: false },
  );
}

type Outcome = { answer?: QueryResult; isBroken: boolean };

function breakOnce(db: Db, attempt: (sql: string, run: () => Promise<QueryResult>) => Promise<Outcome>): LossyLine {
  let lostCount = 0;
  const query = async (text: string | QueryConfig, values?: unknown[]): Promise<QueryResult> => {
    const run = async (): Promise<QueryResult> => await db.query(text, values);
    if (lostCount > 0) return await run();
    const { answer, isBroken } = await attempt(typeof text === "string" ? text : text.text, run);
    if (answer !== undefined && !isBroken) return answer;
    lostCount += 1;
    throw new Error("Connection terminated unexpectedly");
  };
  const lossy = new Proxy(db, {
    get: (target, name) => {
      if (name === "query") return query;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
  return { db: lossy, lostCount: () => lostCount };
}
