/**
 * What a start does before any role begins. The process of a role does it, because it reads most of these modules anyway. The first process
 * lives as long as the product and would keep the whole program in memory.
 */
import { type Logger, pino } from "pino";
import { isStandingIn, refuseMissingParts } from "../base/trial-parts.ts";
import { refuseHalfMoved } from "../backup/move-store.ts";
import { migrate } from "../db/migrate.ts";
import { createPool, type Db } from "../db/pool.ts";
import { ensurePartitions, hasKeptCarriersYet } from "../features/delivery/index.ts";
import { installJobs } from "../jobs/install-jobs.ts";
import type { PrepareMessage } from "../process-tree/messages.ts";
import { findDemoLeft, makeDemo } from "./demo.ts";
import { jobQueues } from "./job-queues.ts";
import { openDeps } from "./role-deps.ts";

/** Printed at the first start, before anybody has registered. */
const EMAIL_RULES_NOTES = [
  "EMAIL_RULES is `specified`: only gmail.com addresses can sign in, and only gmail.com, .com and .ng ones can reset a password.",
  "A business at info@firm.ng could register and never sign in. Set EMAIL_RULES=any to let every address in.",
];

/**
 * Brings the database to what this version needs, and makes the demo accounts when asked to.
 *
 * @returns lines for the person who started the product.
 * @throws Error in words for the operator.
 */
export async function prepare({ config, databaseUrl, isDemo }: PrepareMessage): Promise<string[]> {
  const log = pino({ level: config.logLevel, base: { process: "prepare" } });
  const notes: string[] = [];
  let isFirst: boolean;
  const db = createPool({ url: databaseUrl, applicationName: "ewebal prepare", connectionsMax: 3 });
  try {
    await refuseHalfMoved(db);
    // Checked before anything is changed, so that an older version can still use this database.
    refuseMissingParts(config, await hasKeptCarriersYet(db));
    isFirst = await prepareDatabase(db, log);
    if (!isStandingIn(config, "demo")) notes.push(...(await findDemoLeft({ config, db })));
  } finally {
    await db.end();
  }
  if (isFirst && config.emailRules === "specified") notes.push(...EMAIL_RULES_NOTES);
  if (!isDemo) return notes;
  const { deps, close } = await openDeps({ config, databaseUrl, role: "prepare", log });
  try {
    return [...(await makeDemo(deps)), ...notes];
  } finally {
    await close();
  }
}

/**
 * Brings a database to what this version needs. Any number of processes may do so at once.
 *
 * @returns whether it was empty, which one of them is told.
 */
async function prepareDatabase(db: Db, log: Logger): Promise<boolean> {
  const applied = await migrate(db);
  for (const { version, name } of applied) log.info({ version, name }, "migration applied");
  await installJobs(db, jobQueues);
  await ensurePartitions(db, new Date());
  return applied.some(({ version }) => version === 1);
}
