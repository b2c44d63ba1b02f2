/** Events and attempts are kept for a while, to be looked at and replayed; then a nightly job forgets them. */
import { webhookLimits } from "@ewebal/contract";
import type { JobQueue } from "../../jobs/job-queue.ts";
import { deleteOldEvents } from "./webhook-store.ts";

const DAY_MS = 24 * 3_600_000;

export const cleanUpWebhooksQueue: JobQueue = {
  name: "clean-up-webhooks",
  retriesMax: 5,
  retryDelaySeconds: 60,
  retryDelaySecondsMax: 3_600,
  runSecondsMax: 3_600,
  concurrency: 2,
  cron: "40 2 * * *",
  handle: async ({ db, clock }) =>
    await deleteOldEvents(db, new Date(clock.now().getTime() - webhookLimits.keptDays * DAY_MS)),
};
