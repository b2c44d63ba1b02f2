/** Checks that the audit is unchanged: the nightly job over its chain, and the call that shows the result. */
import type { Deps } from "../../../base/deps.ts";
import { logSecurityEvent } from "../../../http/monitoring/security-log.ts";
import type { JobQueue } from "../../../jobs/job-queue.ts";
import { getChainCheck, readChainReport, updateChainCheck } from "./audit-store.ts";

export type AuditState = { isWhole: boolean; checkedAt: Date; entries: number };

/** Up to this many entries the call checks by itself (0.3 s); above, it shows the result of the nightly check. */
const LOOKED_AT_ONCE_MAX = 50_000;

/** Every night: all entries since the first. */
export const auditCheckQueue: JobQueue = {
  name: "audit-check",
  retriesMax: 2,
  retryDelaySeconds: 5,
  retryDelaySecondsMax: 20,
  concurrency: 1,
  runSecondsMax: 3_600,
  cron: "52 1 * * *",
  handle: checkAudit,
};

/** Checks the chain, stores the result, and logs it as fatal when an entry was changed, removed or inserted. */
export async function checkAudit(deps: Pick<Deps, "db" | "clock" | "log">): Promise<void> {
  const state = await inspectAudit(deps);
  await updateChainCheck(deps.db, state);
  // The last hash, in a log that is kept elsewhere, reveals a chain that was rebuilt as a whole.
  if (state.isWhole) logSecurityEvent(deps.log, { event: "audit-whole", subject: state.lastHash });
}

/** @returns the result of a check now; with very many entries, of the last nightly one. */
export async function viewAuditState(deps: Pick<Deps, "db" | "clock" | "log">): Promise<AuditState> {
  const { entryCount, isWhole, checkedAt } = await getChainCheck(deps.db);
  if (checkedAt === null || entryCount <= LOOKED_AT_ONCE_MAX) return await inspectAudit(deps);
  return { isWhole: isWhole === true, checkedAt, entries: entryCount };
}

async function inspectAudit({
  db,
  clock,
  log,
}: Pick<Deps, "db" | "clock" | "log">): Promise<AuditState & { lastHash: string }> {
  const report = await readChainReport(db);
  const { entryCount, brokenCount, linkCount, storedCount, isEndRight, lastHash } = report;
  const isWhole = brokenCount === 0 && linkCount === entryCount && storedCount === entryCount && isEndRight;
  if (!isWhole) {
    log.fatal({ report }, "the audit is not what was written");
    logSecurityEvent(log, { event: "audit-broken", subject: lastHash });
  }
  return { isWhole, checkedAt: clock.now(), entries: storedCount, lastHash };
}
