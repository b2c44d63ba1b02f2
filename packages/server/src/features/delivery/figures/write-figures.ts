import type { Deps } from "../../../base/deps.ts";
import { Timers } from "../../../jobs/timers.ts";
import { addFigures, deleteOldFigures } from "./figure-store.ts";
import { takeFigures, type FigureRow } from "./figures.ts";

const WRITE_INTERVAL_MS = 10_000;
const PRUNE_INTERVAL_MS = 24 * 3_600_000;

/**
 * Writes what this process counts to the database, every ten seconds and at its end. What could not be written comes with the next time; a
 * process that is killed takes up to ten seconds of its counts along.
 */
export function startFigureWriter({ db, log }: Pick<Deps, "db" | "log">): {
  write: () => Promise<void>;
  stop: () => Promise<void>;
} {
  let unwritten: FigureRow[] = [];
  const write = async (): Promise<void> => {
    unwritten = addUp([...unwritten, ...takeFigures()]);
    if (unwritten.length === 0) return;
    await addFigures(db, unwritten);
    unwritten = [];
  };
  const timers = new Timers((name, error) =>
    log.warn({ err: error, task: name }, "what was counted could not be written and is kept for the next time"),
  );
  timers.every("figures", WRITE_INTERVAL_MS, write);
  timers.every("old figures", PRUNE_INTERVAL_MS, async () => await deleteOldFigures(db));
  return {
    write,
    stop: async () => {
      timers.stop();
      await timers.settled();
      timers.run("figures", write);
      await timers.settled();
    },
  };
}

/** One row for each figure: a statement changes none twice, and what waits while the database is away does not grow. */
function addUp(rows: readonly FigureRow[]): FigureRow[] {
  const byKey = new Map<string, FigureRow>();
  for (const row of rows) {
    const key = JSON.stringify([row.name, row.carrier, row.class, row.kind]);
    const same = byKey.get(key);
    if (same === undefined) byKey.set(key, { ...row, counts: [...row.counts] });
    else for (const [at, count] of row.counts.entries()) same.counts[at] = (same.counts[at] ?? 0) + count;
  }
  return [...byKey.values()];
}
