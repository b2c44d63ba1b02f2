import type { Deps } from "../../base/deps.ts";
import type { JobQueue } from "../../jobs/job-queue.ts";
import { readLedgerInvariants } from "../../ledger/index.ts";

/** Much longer than any transaction that moves units; the nightly check covers all time. */
const PERIOD_MS = 3_600_000;

const patience = { retriesMax: 2, retryDelaySeconds: 5, retryDelaySecondsMax: 20, concurrency: 2 };

/** Every minute: the rules of the ledger over the last hour. */
export const ledgerCheckQueue: JobQueue = {
  ...patience,
  name: "ledger-check",
  runSecondsMax: 50,
  cron: "* * * * *",
  handle: async (deps) => await checkLedger(deps, new Date(deps.clock.now().getTime() - PERIOD_MS)),
};

/** Every night: the same over all time. 2.7 s with 1,000,000 entries, so it may take long. */
export const ledgerAuditQueue: JobQueue = {
  ...patience,
  name: "ledger-audit",
  runSecondsMax: 3_600,
  cron: "37 1 * * *",
  handle: async (deps) => await checkLedger(deps, undefined),
};

/**
 * Looks for broken rules and logs them as fatal: people correct wrong money, never a program.
 * @param since the start of the period; undefined for all time.
 */
export async function checkLedger({ db, log }: Pick<Deps, "db" | "log">, since: Date | undefined): Promise<void> {
  const invariants = await readLedgerInvariants(db, since === undefined ? {} : { since });
  const broken = invariants.filter(({ violations }) => violations > 0);
  if (broken.length > 0) log.fatal({ broken, since }, "the ledger breaks its rules");
}
