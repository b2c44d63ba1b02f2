import type { LoggerOptions } from "pino";
import { isConnectionLost } from "../db/sql-state.ts";

const SILENT_MS = 10_000;
const LINES_MAX = 1_000;

/**
 * For pino's `hooks`. While the database is away every loop of a process fails several times a second, and 40 kB of log a second help
 * nobody. A line about a lost connection is written once in 10 s; the next one says in `repeated` how many were left out. Lines with another
 * text or another fact (a task, a carrier) are other lines.
 */
export function quietOutages(nowMs: () => number = () => performance.now()): NonNullable<LoggerOptions["hooks"]> {
  const lines = new Map<string, { untilMs: number; leftOut: number }>();
  return {
    logMethod(words, write) {
      const [facts, ...rest] = words as unknown[];
      if (!isOutage(facts)) return write.apply(this, words);
      const key = [...rest, ...Object.values(facts).filter((fact) => typeof fact !== "object")].join(" ");
      const line = lines.get(key);
      if (line !== undefined && nowMs() < line.untilMs) {
        line.leftOut += 1;
        return;
      }
      if (lines.size >= LINES_MAX) lines.clear();
      lines.set(key, { untilMs: nowMs() + SILENT_MS, leftOut: 0 });
      const repeated = line?.leftOut ?? 0;
      write.apply(this, [repeated === 0 ? facts : { ...facts, repeated }, ...rest] as typeof words);
    },
  };
}

/** A job's own failure is none: its server may be another one, and its id is said. */
function isOutage(facts: unknown): facts is { err: object } {
  if (typeof facts !== "object" || facts === null || !("err" in facts) || "jobId" in facts) return false;
  // The library of jobs hands on copies that are no errors.
  return isConnectionLost(facts.err instanceof Error ? facts.err : Object.assign(new Error(), facts.err));
}
