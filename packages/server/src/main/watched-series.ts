/** The figures of `/metrics` that come from the database, read by their owners. The rules of `deploy/prometheus/alerts.yml` hang on these. */
import { alarmKinds } from "@ewebal/contract";
import type { Deps } from "../base/deps.ts";
import { selectOpenAlarms } from "../features/alarms/index.ts";
import {
  countWaitingRecipients,
  readDeliveryFigures,
  readQueueDepth,
  viewCarriers,
} from "../features/delivery/index.ts";
import { countProcesses } from "../http/monitoring/health.ts";
import type { ReadSeries, Sample, Series } from "../http/monitoring/metrics.ts";
import { countWaitingMails } from "../mail/index.ts";
import { readAlarms } from "./read-alarms.ts";

export function createWatchedSeries(deps: Pick<Deps, "config" | "clock">): readonly ReadSeries[] {
  return [
    readDeliveryFigures,
    readQueue,
    async (db) => await readWhatAlarmsSee({ ...deps, db }),
    async (db) => await readCarriers({ ...deps, db }),
    async (db) => [
      gauge("ewebal_mails_waiting", "Mails that are not sent yet", await countWaitingMails(db)),
      gauge("ewebal_workers_alive", "Worker processes seen in the last 15 s", await countProcesses(db, "worker")),
      gauge(
        "ewebal_smpp_servers_alive",
        "Processes of the role smpp seen in the last 15 s",
        await countProcesses(db, "smpp"),
      ),
    ],
    async (db) => {
      const open = await selectOpenAlarms(db);
      const countOf = (kind: string): number => open.filter((alarm) => alarm.kind === kind).length;
      const values = alarmKinds.map((kind) => ({ labels: { kind }, value: countOf(kind) }));
      return [gauge("ewebal_alarms_open", "Alarms that are open, silenced or not", values)];
    },
  ];
}

function gauge(name: string, help: string, values: number | Sample[]): Series {
  return { name, help, type: "gauge", values: typeof values === "number" ? [{ labels: {}, value: values }] : values };
}

const readQueue: ReadSeries = async (db) => {
  const [{ readyCount, leasedCount }, waitingRecipients] = await Promise.all([
    readQueueDepth(db),
    countWaitingRecipients(db),
  ]);
  return [
    gauge("ewebal_batches_ready", "Batches of up to 500 recipients that wait for a worker", readyCount),
    gauge("ewebal_batches_leased", "Batches in a worker's hands", leasedCount),
    gauge(
      "ewebal_recipients_waiting",
      "Recipients of started messages that no carrier was given yet",
      waitingRecipients,
    ),
  ];
};

async function readWhatAlarmsSee(deps: Pick<Deps, "db" | "config" | "clock">): Promise<Series[]> {
  const readings = await readAlarms(deps);
  const nowMs = deps.clock.now().getTime();
  const ageOf = (since: Date | undefined): number =>
    since === undefined ? 0 : Math.max(0, (nowMs - since.getTime()) / 1_000);
  return [
    gauge(
      "ewebal_queue_oldest_seconds",
      "For how long the message that has waited longest for a worker has waited, of those that may leave; 0 when none does",
      ageOf(readings.queuedSince),
    ),
    gauge(
      "ewebal_mails_oldest_seconds",
      "Age of the oldest mail that is not sent; 0 when there is none",
      ageOf(readings.mailWaitsSince),
    ),
    gauge(
      "ewebal_webhooks_oldest_due_seconds",
      "For how long an event has been due at an endpoint that is on; 0 when none is",
      ageOf(readings.webhookWaitsSince),
    ),
    gauge(
      "ewebal_ledger_violations",
      "Broken rules of the ledger in the last hour; anything but 0 is an emergency",
      readings.ledgerViolations,
    ),
    gauge(
      "ewebal_disk_free_percent",
      "Free space of the disk that the data directory of a process lies on",
      lowestByHost(readings.disks),
    ),
    gauge(
      "ewebal_backup_age_seconds",
      "Age of the last nightly back-up; absent when BACKUP_DIR is not set",
      readings.backedUpAt === undefined ? [] : [{ labels: {}, value: ageOf(readings.backedUpAt) }],
    ),
  ];
}

function lowestByHost(disks: readonly { host: string; freePercent: number }[]): Sample[] {
  const hosts = Map.groupBy(disks, ({ host }) => host);
  return [...hosts].map(([host, own]) => ({
    labels: { host },
    value: Math.min(...own.map(({ freePercent }) => freePercent)),
  }));
}

async function readCarriers(deps: Pick<Deps, "db" | "config">): Promise<Series[]> {
  const carriers = await viewCarriers(deps);
  const each = (valueOf: (carrier: (typeof carriers)[number]) => number): Sample[] =>
    carriers.map((carrier) => ({ labels: { carrier: carrier.name }, value: valueOf(carrier) }));
  return [
    gauge(
      "ewebal_carrier_enabled",
      "Whether the carrier is switched on",
      each(({ isEnabled }) => Number(isEnabled)),
    ),
    gauge(
      "ewebal_carrier_connections",
      "Connections to the carrier that stand, over all workers",
      each(({ health }) => health.boundBinds),
    ),
    gauge(
      "ewebal_carrier_connections_wanted",
      "Connections to the carrier that workers hold or try to",
      each(({ health }) => health.heldBinds),
    ),
    gauge(
      "ewebal_carrier_open",
      "Messages in the carrier's hands without an answer",
      each(({ health }) => health.inFlight),
    ),
    gauge(
      "ewebal_carrier_pace",
      "Messages a second that the carrier answers, of late",
      each(({ health }) => health.messagesPerSecond),
    ),
    gauge(
      "ewebal_carrier_pace_max",
      "Messages a second that the carrier may be given",
      each(({ messagesPerSecond }) => messagesPerSecond),
    ),
  ];
}
