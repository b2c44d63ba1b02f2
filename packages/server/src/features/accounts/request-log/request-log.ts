/**
 * The log of what programs called, which their owners read. A call pays for it with a push onto a list: the rows are written once a second
 * and for many calls together, away from the call. It holds the pattern of a path, never the address, no body and no number.
 *
 * The log is for looking, not for counting money: what a killed process had not written, and what comes faster than the database writes, is lost.
 */
import type { RequestLogQuery } from "@ewebal/contract";
import { lagosDate } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import type { Db, Queryable } from "../../../db/pool.ts";
import type { JobQueue } from "../../../jobs/job-queue.ts";
import {
  addUsage,
  deleteCallsBefore,
  deleteUsageBefore,
  insertCalls,
  selectCalls,
  selectUsage,
  type ListedCall,
  type NewCall,
  type UsageDay,
} from "./request-log-store.ts";

const FLUSH_EVERY_MS = 1_000;
const ROWS_PER_STATEMENT = 1_000;
/** What waits to be written in one process, some 3 MB; more is dropped, and the log of the process says how much. */
const WAITING_MAX = 10_000;

const DAY_MS = 24 * 3_600_000;
export const CALLS_KEPT_DAYS = 7;
export const USAGE_KEPT_DAYS = 90;

export class RequestLog {
  readonly #db: Db;
  readonly #log: Deps["log"];
  #waiting: NewCall[] = [];
  #droppedCount = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor({ db, log }: Pick<Deps, "db" | "log">) {
    this.#db = db;
    this.#log = log;
  }

  add(call: NewCall): void {
    if (this.#waiting.length >= WAITING_MAX) this.#droppedCount += 1;
    else this.#waiting.push(call);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, FLUSH_EVERY_MS).unref();
  }

  /** Writes what waits; one after another, so that a slow database has one connection of ours and not many. */
  async flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    await this.#writing;
  }

  async #write(): Promise<void> {
    const calls = this.#waiting;
    this.#waiting = [];
    const dropped = this.#droppedCount;
    this.#droppedCount = 0;
    if (dropped > 0) this.#log.warn({ dropped }, "calls of programs came faster than their log is written");
    try {
      for (let start = 0; start < calls.length; start += ROWS_PER_STATEMENT) {
        const part = calls.slice(start, start + ROWS_PER_STATEMENT);
        await insertCalls(this.#db, part);
        await addUsage(this.#db, usageOf(part));
      }
    } catch (error) {
      this.#log.warn({ err: error, lost: calls.length }, "calls of programs could not be written to their log");
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.flush();
  }
}

type Usage = { userId: string; keyId: string; day: string; calls: number; errors: number };

/** An error is a refusal; 503 with DND numbers is none. In the order of the rows, so that two processes that add to the same ones wait for each other and never in a circle. */
function usageOf(calls: readonly NewCall[]): Usage[] {
  const byKey = Map.groupBy(calls, ({ userId, keyId, calledAt }) => `${userId} ${keyId} ${lagosDate(calledAt)}`);
  return [...byKey]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, own]) => {
      const [userId = "", keyId = "", day = ""] = name.split(" ");
      return { userId, keyId, day, calls: own.length, errors: own.filter(({ code }) => code !== undefined).length };
    });
}

/** Newest first. */
export async function listCalls(
  db: Queryable,
  userId: string,
  query: RequestLogQuery,
): Promise<{ rows: ListedCall[]; next: string | null }> {
  const { key, status, after } = query;
  assertIdCursor(after);
  return await readPage(
    query.limit,
    (limit) => selectCalls(db, { userId, keyId: key, status: statusRange(status), after, limit }),
    ({ callId }) => callId,
  );
}

/** `404` is one status, `4xx` are a hundred. */
function statusRange(status: string | undefined): { from: number; to: number } | undefined {
  if (status === undefined) return undefined;
  if (!status.endsWith("xx")) return { from: Number(status), to: Number(status) };
  const from = Number(status[0]) * 100;
  return { from, to: from + 99 };
}

/** Calls and errors of each key, the newest day first; days without a call are left out. */
export async function viewUsage(
  deps: Pick<Deps, "db" | "clock">,
  userId: string,
  dayCount: number,
): Promise<UsageDay[]> {
  const from = lagosDate(new Date(deps.clock.now().getTime() - (dayCount - 1) * DAY_MS));
  return await selectUsage(deps.db, userId, from);
}

/** Removes what is older than it is kept. */
export const requestLogQueue: JobQueue = {
  name: "request-log",
  retriesMax: 3,
  retryDelaySeconds: 60,
  retryDelaySecondsMax: 600,
  runSecondsMax: 600,
  concurrency: 1,
  cron: "41 * * * *",
  handle: removeOldCalls,
};

export async function removeOldCalls({ db, clock, log }: Pick<Deps, "db" | "clock" | "log">): Promise<void> {
  const now = clock.now().getTime();
  const calls = await deleteCallsBefore(db, new Date(now - CALLS_KEPT_DAYS * DAY_MS));
  const days = await deleteUsageBefore(db, lagosDate(new Date(now - USAGE_KEPT_DAYS * DAY_MS)));
  if (calls + days > 0) log.info({ calls, days }, "removed old calls of programs");
}
