import { readQueueDepth } from "../features/delivery/index.ts";
import { countProcesses } from "../http/monitoring/health.ts";
import type { WatchedFigure } from "../http/monitoring/metrics.ts";
import { readLedgerInvariants } from "../ledger/index.ts";
import { countWaitingMails } from "../mail/index.ts";

/** Longer than any transaction that moves units, so that no violation slips between two looks. */
const LEDGER_PERIOD_MS = 3_600_000;

/** The figures of `/metrics` that come from the database. An operator's alarms hang on these. */
export const watchedFigures: readonly WatchedFigure[] = [
  {
    name: "ewebal_batches_ready",
    help: "Batches of up to 500 recipients that wait for a worker",
    read: async (db) => (await readQueueDepth(db)).readyCount,
  },
  {
    name: "ewebal_batches_leased",
    help: "Batches in a worker's hands",
    read: async (db) => (await readQueueDepth(db)).leasedCount,
  },
  { name: "ewebal_mails_waiting", help: "Mails that are not sent yet", read: countWaitingMails },
  {
    name: "ewebal_workers_alive",
    help: "Worker processes seen in the last 15 s",
    read: async (db) => await countProcesses(db, "worker"),
  },
  {
    name: "ewebal_ledger_violations",
    help: "Broken rules of the ledger in the last hour; anything but 0 is an emergency",
    read: async (db) => {
      const invariants = await readLedgerInvariants(db, { since: new Date(Date.now() - LEDGER_PERIOD_MS) });
      return invariants.reduce((sum, { violations }) => sum + violations, 0);
    },
  },
];
