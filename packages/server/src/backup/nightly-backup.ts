import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Deps } from "../base/deps.ts";
import { openFileStore } from "../files/index.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import { backUp } from "./back-up.ts";
import { noteBackup } from "./backup-store.ts";

const KEPT_MAX = 14;
const NAME_FORM = /^ewebal-\d{4}-\d{2}-\d{2}\.backup$/;
/** The partial file of a killed run. It would block the next run of that name. */
const DRAFT_FORM = /^ewebal-\d{4}-\d{2}-\d{2}\.backup\.part$/;

/** Every night at 02:17 UTC on one worker's machine, when BACKUP_DIR is set. */
export const nightlyBackupQueue: JobQueue = {
  name: "nightly-backup",
  retriesMax: 2,
  retryDelaySeconds: 60,
  retryDelaySecondsMax: 600,
  runSecondsMax: 6 * 3_600,
  concurrency: 2,
  cron: "17 2 * * *",
  handle: async (deps) => await makeNightlyBackup(deps),
};

/** Writes `BACKUP_DIR/ewebal-YYYY-MM-DD.backup`, once a day, and removes all but the newest ones of this form. */
export async function makeNightlyBackup({
  db,
  config,
  clock,
  log,
}: Pick<Deps, "db" | "config" | "clock" | "log">): Promise<void> {
  if (config.backupDir === undefined) return;
  await mkdir(config.backupDir, { recursive: true, mode: 0o700 });
  const name = `ewebal-${clock.now().toISOString().slice(0, 10)}.backup`;
  const existing = await readdir(config.backupDir);
  if (existing.includes(name)) return;
  for (const draft of existing.filter((entry) => DRAFT_FORM.test(entry)))
    await rm(join(config.backupDir, draft), { force: true });
  const files = await openFileStore(config);
  try {
    const { rowCount, byteCount, missingFiles } = await backUp(join(config.backupDir, name), { db, files, config });
    await noteBackup(db, clock.now());
    log.info({ name, rowCount, byteCount, missingFiles }, "the nightly back-up was made");
  } finally {
    files.close();
  }
  const old = (await readdir(config.backupDir))
    .filter((entry) => NAME_FORM.test(entry))
    .toSorted()
    .slice(0, -KEPT_MAX);
  for (const entry of old) await rm(join(config.backupDir, entry), { force: true });
}
