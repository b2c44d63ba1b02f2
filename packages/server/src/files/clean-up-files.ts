import type { JobQueue } from "../jobs/job-queue.ts";
import { openFileStore } from "./open-file-store.ts";
import { removeOrphans } from "./stored-files.ts";

/** Every hour: clears away files that were stored and never came to be needed, because their request failed or was killed. */
export const cleanUpFilesQueue: JobQueue = {
  name: "clean-up-files",
  retriesMax: 3,
  retryDelaySeconds: 60,
  retryDelaySecondsMax: 600,
  runSecondsMax: 1_800,
  concurrency: 2,
  cron: "43 * * * *",
  handle: async (deps) => {
    const store = await openFileStore(deps.config);
    try {
      const fileCount = await removeOrphans(deps, store);
      if (fileCount > 0) deps.log.info({ fileCount }, "removed files that nothing needs");
    } finally {
      store.close();
    }
  },
};
