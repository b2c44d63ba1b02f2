/**
 * Decides which alarms are open.
 *
 * alarm  open (told by mail and webhook, once) -> closed (what was wrong is over; told by webhook) -> open again without a word when it comes back
 * within REOPEN_MS. Silenced ones open and close like any other, and nobody is told; one that is still open when its silence ends is told then.
 *
 * One worker looks every minute. A lock keeps two of them apart, and the mail is written and the post enqueued in the transaction that opens the
 * alarm: one event has one mail, whoever dies when.
 */
import { alarmWords, type AlarmKind } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../base/deps.ts";
import type { Queryable } from "../../db/pool.ts";
import { withTransaction, type Tx } from "../../db/transaction.ts";
import { alarmsChanged, publishChange } from "../../events/index.ts";
import type { JobQueue } from "../../jobs/job-queue.ts";
import { writeMail } from "../../mail/index.ts";
import { isSilenced } from "./present-alarm.ts";
import { POST_ALARM } from "./post-alarm.ts";
import {
  deleteAlarmsBefore,
  findLastAlarm,
  insertAlarm,
  lockAlarms,
  selectOpenAlarms,
  setClosed,
  setOpen,
  setTold,
  type AlarmRow,
} from "./alarm-store.ts";

/** What is looked at; the owner of each figure reads it. */
export type AlarmReadings = {
  /** Carriers that are switched on and have no link, since when. */
  downCarriers: { name: string; since: Date; lastError: string | null }[];
  /** Since when the message that has waited longest has waited for a worker. */
  queuedSince: Date | undefined;
  ledgerViolations: number;
  mailWaitsSince: Date | undefined;
  webhookWaitsSince: Date | undefined;
  /** Free space, of each machine that runs a worker. */
  disks: { host: string; freePercent: number }[];
  /** Times without the database, of processes that have it back. */
  outages: { lostAt: Date; backAt: Date }[];
  /** The last back-up, or since when one is waited for; undefined: none is wanted. */
  backedUpAt: Date | undefined;
};

export type ReadAlarms = (deps: Pick<Deps, "db" | "config" | "clock">) => Promise<AlarmReadings>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const CARRIER_DOWN_MS = 2 * MINUTE_MS;
const QUEUE_OLD_MS = 5 * MINUTE_MS;
/** A mail server may greylist for a few minutes. */
const MAIL_STUCK_MS = 15 * MINUTE_MS;
/** Counted from the time of the next try: an endpoint that fails is the customer's to mend, a delivery that no worker tries is ours. */
const WEBHOOK_STUCK_MS = 5 * MINUTE_MS;
const DISK_LOW_PERCENT = 10;
/** A day, and an hour for the back-up itself: the nightly one ends a little later on some days than on others. */
const BACKUP_OLD_MS = 25 * HOUR_MS;
/** What comes back so soon is the same event. */
const REOPEN_MS = 10 * MINUTE_MS;
const KEPT_MS = 400 * 24 * HOUR_MS;

/** Every minute, on one of the workers. */
export function createAlarmQueue(read: ReadAlarms): JobQueue {
  return {
    name: "watch-alarms",
    // The next minute tries again.
    retriesMax: 0,
    retryDelaySeconds: 5,
    retryDelaySecondsMax: 5,
    runSecondsMax: 50,
    concurrency: 2,
    cron: "* * * * *",
    handle: async (deps) => await watchAlarms(deps, await read(deps)),
  };
}

type Finding = { kind: AlarmKind; subject: string; detail: string };

/** Opens what is wrong and not open, closes what is over. */
export async function watchAlarms(deps: Deps, readings: AlarmReadings): Promise<void> {
  const now = deps.clock.now();
  const findings = judge(readings, now);
  await withTransaction(deps.db, async (tx) => {
    await lockAlarms(tx);
    const open = await selectOpenAlarms(tx);
    for (const finding of findings) await openOne(tx, finding, { open, now });
    for (const alarm of open)
      if (!findings.some((finding) => isSame(finding, alarm))) await closeOne(deps, tx, alarm, now);
    for (const outage of readings.outages) await noteOutage(deps, tx, outage, now);
    for (const alarm of await selectOpenAlarms(tx))
      if (alarm.toldAt === null && !isSilenced(alarm, now)) await tell(deps, tx, alarm, now);
    await deleteAlarmsBefore(tx, new Date(now.getTime() - KEPT_MS));
  });
}

function isSame(one: Pick<Finding, "kind" | "subject">, other: Pick<Finding, "kind" | "subject">): boolean {
  return one.kind === other.kind && one.subject === other.subject;
}

/** What is wrong at a moment. */
function judge(readings: AlarmReadings, now: Date): Finding[] {
  const ageMs = (since: Date | undefined): number => (since === undefined ? 0 : now.getTime() - since.getTime());
  const found: Finding[] = [];
  for (const { name, since, lastError } of readings.downCarriers) {
    if (ageMs(since) <= CARRIER_DOWN_MS) continue;
    const reason = lastError === null ? "" : ` It last said: ${lastError}.`;
    found.push({
      kind: "carrier-down",
      subject: name,
      detail: `The carrier ${name} has had no link since ${since.toISOString()}.${reason}`,
    });
  }
  const addOld = (kind: AlarmKind, since: Date | undefined, limitMs: number, what: string): void => {
    if (since === undefined || ageMs(since) <= limitMs) return;
    found.push({ kind, subject: "", detail: `${what} since ${since.toISOString()}.` });
  };
  addOld("queue-old", readings.queuedSince, QUEUE_OLD_MS, "A message has waited to be handed to a carrier");
  addOld("mails-stuck", readings.mailWaitsSince, MAIL_STUCK_MS, "A mail has waited to be sent");
  addOld("webhooks-stuck", readings.webhookWaitsSince, WEBHOOK_STUCK_MS, "An event has been due at a webhook");
  addOld("backup-old", readings.backedUpAt, BACKUP_OLD_MS, "No back-up has been made");
  const { ledgerViolations } = readings;
  if (ledgerViolations > 0)
    found.push({
      kind: "ledger-violated",
      subject: "",
      detail: `The ledger breaks its rules in ${ledgerViolations} ${ledgerViolations === 1 ? "place" : "places"}.`,
    });
  for (const { host, freePercent } of lowestByHost(readings.disks))
    if (freePercent < DISK_LOW_PERCENT)
      found.push({
        kind: "disk-low",
        subject: host,
        detail: `${freePercent} % of the data directory's disk is free on ${host}.`,
      });
  return found;
}

function lowestByHost(disks: AlarmReadings["disks"]): AlarmReadings["disks"] {
  const hosts = Map.groupBy(disks, ({ host }) => host);
  return [...hosts].map(([host, own]) => ({
    host,
    freePercent: Math.min(...own.map(({ freePercent }) => freePercent)),
  }));
}

async function openOne(
  tx: Queryable,
  finding: Finding,
  { open, now }: { open: readonly AlarmRow[]; now: Date },
): Promise<void> {
  const present = open.find((alarm) => isSame(finding, alarm));
  if (present !== undefined) {
    if (present.detail !== finding.detail) await setOpen(tx, present.alarmId, finding.detail);
    return;
  }
  await publishChange(tx, alarmsChanged());
  const last = await findLastAlarm(tx, finding);
  const isBack = last?.closedAt != null && now.getTime() - last.closedAt.getTime() < REOPEN_MS;
  if (last !== undefined && isBack) return await setOpen(tx, last.alarmId, finding.detail);
  const silencedUntil = last?.silencedUntil ?? null;
  await insertAlarm(tx, { ...finding, alarmId: uuidv7(), openedAt: now, closedAt: null, silencedUntil });
}

async function closeOne(deps: Deps, tx: Tx, alarm: AlarmRow, now: Date): Promise<void> {
  await setClosed(tx, alarm.alarmId, now);
  await publishChange(tx, alarmsChanged());
  // Nobody is told of the end of an alarm that they were never told of.
  if (alarm.toldAt !== null && !isSilenced(alarm, now)) await enqueuePost(deps, tx, alarm.alarmId, "closed");
}

/** Several processes tell of one outage: an outage that overlaps the last one is the same. */
async function noteOutage(
  deps: Deps,
  tx: Tx,
  { lostAt, backAt }: AlarmReadings["outages"][number],
  now: Date,
): Promise<void> {
  const subject = { kind: "database-unreachable", subject: "" } as const;
  const last = await findLastAlarm(tx, subject);
  if (last?.closedAt != null && lostAt <= last.closedAt) return;
  const detail = `The database did not answer from ${lostAt.toISOString()} to ${backAt.toISOString()}.`;
  const silencedUntil = last?.silencedUntil ?? null;
  const times = { openedAt: lostAt, closedAt: backAt, silencedUntil, toldAt: null };
  const alarm: AlarmRow = { ...subject, ...times, alarmId: uuidv7(), detail };
  await insertAlarm(tx, alarm);
  await publishChange(tx, alarmsChanged());
  if (!isSilenced(alarm, now)) await tell(deps, tx, alarm, now);
}

async function tell(deps: Deps, tx: Tx, alarm: AlarmRow, now: Date): Promise<void> {
  await setTold(tx, alarm.alarmId, now);
  await mailAlarm(deps, tx, alarm);
  await enqueuePost(deps, tx, alarm.alarmId, "opened");
}

async function enqueuePost(deps: Deps, tx: Tx, alarmId: string, event: "opened" | "closed"): Promise<void> {
  if (deps.config.alarms.webhook !== undefined) await deps.jobs.enqueue(tx, POST_ALARM, { alarmId, event });
}

async function mailAlarm(deps: Deps, tx: Tx, { kind, subject, detail }: AlarmRow): Promise<void> {
  const alarmMail = deps.config.alarms.mail;
  if (alarmMail === undefined) return;
  const { title, advice } = alarmWords[kind];
  await writeMail(deps, tx, {
    recipient: alarmMail,
    subject: `Alarm: ${title}${subject === "" ? "" : ` (${subject})`}`,
    blocks: [
      { kind: "text", text: detail },
      { kind: "text", text: advice },
    ],
  });
}
