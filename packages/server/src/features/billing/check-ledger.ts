import type { Deps } from "../../base/deps.ts";
import { openLongSession } from "../../db/pool.ts";
import type { JobQueue } from "../../jobs/job-queue.ts";
import { auditLedger, readLedgerInvariants, type InvariantCheck, type SealedAudit } from "../../ledger/index.ts";
import { getSecretsKeys } from "../../secrets/secrets-key.ts";
import { checkMessagesSince } from "../delivery/index.ts";
import { checkPaymentsSince } from "./payments/payment-rules.ts";

/** Much longer than any transaction that moves units; the nightly audit covers the rest. */
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

/** Every night: everything since the sealed point, and some of what is sealed. Only the first audit of all reads everything. */
export const ledgerAuditQueue: JobQueue = {
  ...patience,
  name: "ledger-audit",
  runSecondsMax: 6 * 3_600,
  cron: "37 1 * * *",
  handle: async (deps) => void (await auditAndSeal(deps)),
};

/**
 * Looks for broken rules and logs them as fatal: people correct wrong money, never a program.
 * @param since the start of the period; undefined for all time.
 */
export async function checkLedger({ db, log }: Pick<Deps, "db" | "log">, since: Date | undefined): Promise<void> {
  tellBroken(log, await readLedgerInvariants(db, since === undefined ? {} : { since }), since);
}

/**
 * Checks the ledger from its sealed point on and seals it anew, or tells which rules are broken, and seals nothing.
 *
 * @param options isAnew: checks and seals everything, whatever was sealed before.
 */
export async function auditAndSeal(
  { db, log, config }: Pick<Deps, "db" | "log" | "config">,
  options: { isAnew?: boolean } = {},
): Promise<SealedAudit> {
  const keys = await getSecretsKeys(config);
  const session = await openLongSession(db, "ewebal audit");
  try {
    const audit = await auditLedger(session, { keys, rules: [checkMessagesSince, checkPaymentsSince], ...options });
    tellBroken(log, audit.checks, audit.from);
    // Whoever emptied both tables of seals would otherwise go unseen.
    if (audit.from === undefined && audit.sealedAt !== undefined)
      log.warn({ sealedAt: audit.sealedAt }, "the whole ledger was checked, and sealed from its beginning");
    return audit;
  } finally {
    await session.end();
  }
}

/** Every rule over all time, however long that takes. It changes nothing. */
export async function checkEverything({ db }: Pick<Deps, "db">): Promise<InvariantCheck[]> {
  const session = await openLongSession(db, "ewebal audit");
  try {
    return await readLedgerInvariants(session);
  } finally {
    await session.end();
  }
}

function tellBroken(log: Deps["log"], checks: readonly InvariantCheck[], since: Date | undefined): void {
  const broken = checks.filter(({ violations }) => violations > 0);
  if (broken.length > 0) log.fatal({ broken, since }, "the ledger breaks its rules");
}
