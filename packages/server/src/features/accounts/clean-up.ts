import { deleteOldAnswers, IDEMPOTENT_ANSWER_DELETE_MAX } from "../../db/idempotency.ts";
import type { Deps } from "../../base/deps.ts";
import { deleteEndedWindows } from "../../http/rate-limits/rate-limit-store.ts";
import type { JobQueue } from "../../jobs/job-queue.ts";
import { deleteMailsBefore } from "../../mail/index.ts";
import { deleteReplacedSecrets } from "./app-secret.ts";
import { deleteExpiredTokens } from "./one-time-token-store.ts";
import { deleteExpiredChallenges } from "./passkeys/passkey-store.ts";
import { deleteEndedSessions } from "./sessions/session-store.ts";
import { idleSince } from "./sessions/sessions.ts";

/** Long enough to answer "was it sent?"; the texts of the mails are deleted earlier. */
const MAIL_KEEP_MS = 90 * 24 * 60 * 60_000;

/** Codes live for minutes, and another process may sign with a replaced key for seconds. */
const KEY_MARGIN_MS = 60 * 60_000;

/** Deletes expired rows to save space. Nothing depends on it: every reader checks the times itself. */
export const cleanUpQueue: JobQueue = {
  name: "clean-up",
  retriesMax: 3,
  retryDelaySeconds: 60,
  retryDelaySecondsMax: 600,
  runSecondsMax: 600,
  concurrency: 2,
  cron: "17 * * * *",
  handle: cleanUp,
};

export async function cleanUp(deps: Pick<Deps, "config" | "db" | "clock" | "log">): Promise<void> {
  const { db } = deps;
  const now = deps.clock.now();
  const counts = {
    sessions: await deleteEndedSessions(db, { now, idleSince: idleSince(deps.config, now) }),
    tokens: await deleteExpiredTokens(db, now),
    passkeyChallenges: await deleteExpiredChallenges(db, now),
    rateWindows: await deleteEndedWindows(db, now),
    mails: await deleteMailsBefore(db, new Date(now.getTime() - MAIL_KEEP_MS)),
    answers: await deleteAnswers(deps, now),
    sessionKeys: await deleteReplacedSecrets(
      db,
      "session-token-key",
      new Date(now.getTime() - deps.config.sessionMaxSeconds * 1_000 - KEY_MARGIN_MS),
    ),
    otpKeys: await deleteReplacedSecrets(db, "otp-key", new Date(now.getTime() - KEY_MARGIN_MS)),
  };
  deps.log.info(counts, "cleared away what was over");
}

async function deleteAnswers({ db }: Pick<Deps, "db">, now: Date): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await deleteOldAnswers(db, now);
    total += count;
    if (count < IDEMPOTENT_ANSWER_DELETE_MAX) return total;
  }
}
