/** Posts alarms to `ALARM_WEBHOOK`, by Standard Webhooks. */
import { createHmac } from "node:crypto";
import type { Deps } from "../../base/deps.ts";
import { GuardedPoster } from "../../http/outbound/guarded-post.ts";
import { SECRET_PREFIX, signPost } from "../../http/outbound/standard-webhooks.ts";
import type { JobQueue } from "../../jobs/job-queue.ts";
import { getSecretsKey } from "../../secrets/secrets-key.ts";
import { findAlarm } from "./alarm-store.ts";
import { presentAlarm } from "./present-alarm.ts";

export const POST_ALARM = "post-alarm";
const ANSWER_TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 1_024;

export const postAlarmQueue: JobQueue = {
  name: POST_ALARM,
  // With the growing delay, for about a day.
  retriesMax: 30,
  retryDelaySeconds: 5,
  retryDelaySecondsMax: 3_600,
  runSecondsMax: 60,
  concurrency: 2,
  handle: async (deps, ids) => await postAlarm(deps, ids["alarmId"] ?? "", ids["event"] ?? ""),
};

/** @throws Error when the address did not take it; the job then tries again under the same id. */
export async function postAlarm(
  deps: Pick<Deps, "config" | "db" | "clock">,
  alarmId: string,
  event: string,
): Promise<void> {
  const alarmWebhook = deps.config.alarms.webhook;
  const alarm = await findAlarm(deps.db, alarmId);
  if (alarm === undefined || alarmWebhook === undefined) return;
  const now = deps.clock.now();
  const happenedAt = event === "closed" ? (alarm.closedAt ?? now) : alarm.openedAt;
  const body = JSON.stringify({
    type: `alarm.${event}`,
    timestamp: happenedAt.toISOString(),
    data: presentAlarm(alarm, now),
  });
  const signature = signPost({ eventId: `${alarmId}.${event}`, body, sentAt: now }, [await readSecret(deps.config)]);
  // The operator named this address, so it may lie in a network of theirs.
  const poster = new GuardedPoster({ areWebhooksPrivate: true });
  try {
    const { status, answer } = await poster.post({
      url: alarmWebhook,
      headers: { "content-type": "application/json", "user-agent": "Ewebal-Alarms/1", ...signature },
      body,
      timeoutMs: ANSWER_TIMEOUT_MS,
      answerBytesMax: ANSWER_BYTES_MAX,
    });
    if (status < 200 || status >= 300) throw new Error(`ALARM_WEBHOOK answered ${status === 0 ? answer : status}`);
  } finally {
    poster.close();
  }
}

/** The operator's, or one that follows from the key of secrets. */
async function readSecret(config: Deps["config"]): Promise<string> {
  if (config.alarms.webhookSecret !== undefined) return config.alarms.webhookSecret;
  const key = await getSecretsKey(config);
  return `${SECRET_PREFIX}${createHmac("sha256", key).update("alarm webhook").digest("base64")}`;
}
