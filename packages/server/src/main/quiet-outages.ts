import type { LoggerOptions } from "pino";
import { isConnectionLost } from "../db/sql-state.ts";

const SILENT_MS = 10_000;

/**
 * For pino's `hooks`. While the database is away every loop of a process fails several times a second, and 40 kB of log a second help
 * nobody: a line about it is written once in 10 s for each task, and `repeated` says how many were left out since.
 */
export function quietOutages(nowMs: () => number = () => performance.now()): NonNullable<LoggerOptions["hooks"]> {
  const lines = new Map<string, { untilMs: number; leftOut: number }>();
  return {
    logMethod(words, write) {
      const [facts, text] = words as unknown[];
      if (!isOutage(facts)) return write.apply(this, words);
      const key = `${String(text)} ${facts.task ?? ""}`;
      const line = lines.get(key);
      if (line !== undefined && nowMs() < line.untilMs) {
        line.leftOut += 1;
        return;
      }
      lines.set(key, { untilMs: nowMs() + SILENT_MS, leftOut: 0 });
      const repeated = line?.leftOut ?? 0;
      write.apply(this, [repeated === 0 ? facts : { ...facts, repeated }, String(text)]);
    },
  };
}

/** A job's own failure is none: its server may be another one, and its id is said. */
function isOutage(facts: unknown): facts is { err: object; task?: string } {
  if (typeof facts !== "object" || facts === null || !("err" in facts) || "jobId" in facts) return false;
  // The library of jobs hands on copies that are no errors.
  return isConnectionLost(facts.err instanceof Error ? facts.err : Object.assign(new Error(), facts.err));
}
