/** What the alarms look at, read by its owners. */
import { readLastBackup } from "../backup/backup-store.ts";
import type { AlarmReadings, ReadAlarms } from "../features/alarms/index.ts";
import { closedLanesAt, findOldestQueued, readQuietHours, viewCarriers } from "../features/delivery/index.ts";
import { findOldestDueEvent } from "../features/webhooks/index.ts";
import { readBeats } from "../http/monitoring/health.ts";
import { readLedgerInvariants } from "../ledger/index.ts";
import { findOldestWaitingMail } from "../mail/index.ts";

/** Longer than any transaction that moves units; the nightly audit covers the rest. */
const LEDGER_PERIOD_MS = 3_600_000;

export const readAlarms: ReadAlarms = async ({ db, config, clock }) => {
  const now = clock.now();
  const closedLanes = closedLanesAt(await readQuietHours({ config }, db), now);
  const carriers = await viewCarriers({ db, config });
  const invariants = await readLedgerInvariants(db, { since: new Date(now.getTime() - LEDGER_PERIOD_MS) });
  const beats = await readBeats(db);
  return {
    downCarriers: carriers.flatMap(({ name, isEnabled, health: { link, since, lastError } }) =>
      isEnabled && link === "connecting" && since !== null ? [{ name, since: new Date(since), lastError }] : [],
    ),
    queuedSince: await findOldestQueued(db, closedLanes),
    ledgerViolations: invariants.reduce((sum, { violations }) => sum + violations, 0),
    mailWaitsSince: await findOldestWaitingMail(db),
    webhookWaitsSince: await findOldestDueEvent(db),
    disks: beats.flatMap(({ host, diskFreePercent }) =>
      diskFreePercent === null ? [] : [{ host, freePercent: diskFreePercent }],
    ),
    outages: beats.flatMap(({ lostAt, backAt }) => (lostAt === null || backAt === null ? [] : [{ lostAt, backAt }])),
    backedUpAt: config.backupDir === undefined ? undefined : await readLastBackup(db, now),
  } satisfies AlarmReadings;
};
