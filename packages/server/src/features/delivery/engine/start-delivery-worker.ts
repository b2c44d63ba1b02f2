import { setTimeout as sleep } from "node:timers/promises";
import type { Deps } from "../../../base/deps.ts";
import type { MessageChange } from "./change-notifier.ts";
import type { TellInbox } from "../inbound/store-inbound.ts";
import { Timers } from "../../../jobs/timers.ts";
import { WorkerSession } from "./worker-session.ts";
import { withCosts } from "../carriers/costs/carrier-costs.ts";
import { createCarrierReader, type DeliveryCarrier } from "../carriers/kept/read-carriers.ts";
import { SendMark } from "../send-mark/send-mark.ts";
import { ensurePartitions } from "../outcomes/ensure-partitions.ts";
import type { ClaimedRow } from "../queue/batch-store.ts";
import { openBodies } from "../queue/sealed-body.ts";
import { selectQuietHours } from "../quiet-hours/quiet-hours-store.ts";
import type { MayStart, SendRepeated } from "../queue/start-due-messages.ts";

export type DeliveryWorkerOptions = {
  /** What the configuration says. Those that administrators keep come to them; carriers that are gone from both take no more. */
  carriers: readonly DeliveryCarrier[];
  /** Carries as long as there is no carrier of either kind. */
  standIn?: DeliveryCarrier | undefined;
  /** What this worker sees of its carriers has changed. */
  onCarrierHealth?: () => void;
  /** Called after the commit, for each message at most 40 times a second. */
  onChange?: (change: MessageChange) => void;
  /** Asked of each scheduled message when its time has come; what may not start is cancelled. All may when it is absent. */
  mayStart?: MayStart;
  /** Sends a message that repeats, whose time has come; without it the message is sent as others are, once. */
  sendRepeated?: SendRepeated;
  tellInbox?: TellInbox;
  /** Where the mark of what was sent is kept beside the database; in this process alone when absent. */
  dataDir?: string;
};

export type DeliveryWorker = {
  /** Stops taking work, drains the carriers' windows (10 s at most), records everything and gives back its leases. */
  stop: () => Promise<void>;
  stats: () => ReturnType<WorkerSession["stats"]>;
};

const RESTART_DELAY_MS = 1_000;
const PARTITIONS_INTERVAL_MS = 3_600_000;

/**
 * Starts handing messages to the carriers. Any number of workers may run on one database: they share the batches, and
 * each carrier's binds and rate.
 *
 * @returns once it takes work. Carriers connect in the background.
 */
export async function startDeliveryWorker(
  deps: Pick<Deps, "db" | "log" | "config" | "clock">,
  options: DeliveryWorkerOptions,
): Promise<DeliveryWorker> {
  const { db, clock } = deps;
  const log = deps.log.child({ part: "delivery" });
  const settings = {
    readCarriers: withCosts(deps, createCarrierReader({ db, log, config: deps.config }, options)),
    onCarrierHealth: options.onCarrierHealth ?? (() => undefined),
    isRefundingFailed: deps.config.isRefundingFailed,
    onChange: options.onChange ?? (() => undefined),
    readQuietHours: deps.config.hasQuietHours ? () => selectQuietHours(db) : undefined,
    clock,
    openBodies: async (rows: readonly ClaimedRow[]) => await openBodies(deps.config, rows),
    mark: new SendMark(db, log, options.dataDir),
    ...(options.mayStart && { mayStart: options.mayStart }),
    ...(options.sendRepeated && { sendRepeated: options.sendRepeated }),
    ...(options.tellInbox && { tellInbox: options.tellInbox }),
  };
  const timers = new Timers((name, error) =>
    log.warn({ err: error, task: name }, "a task of the worker failed and comes again"),
  );
  timers.every("partitions", PARTITIONS_INTERVAL_MS, async () => void (await ensurePartitions(db, clock.now())));
  await ensurePartitions(db, clock.now());

  let session = new WorkerSession(db, log, settings);
  await session.start();
  const stopping = Promise.withResolvers<"stop">();
  const phase = { isStopping: false };

  /** A worker that was taken for dead (a stalled machine, a database out of reach) starts a new session with empty hands. */
  const sessions = (async () => {
    for (;;) {
      const why = await Promise.race([session.lost.then(() => "lost" as const), stopping.promise]);
      if (why === "stop") return session.stop();
      log.error("the lease was lost; the worker starts anew");
      await session.abandon();
      const next = await startAnew();
      if (next === undefined) return;
      session = next;
    }
  })();

  async function startAnew(): Promise<WorkerSession | undefined> {
    while (!phase.isStopping) {
      const next = new WorkerSession(db, log, settings);
      try {
        await next.start();
        return next;
      } catch (error) {
        log.warn({ err: error, retryInMs: RESTART_DELAY_MS }, "the worker could not start anew");
        await next.abandon();
        await sleep(RESTART_DELAY_MS);
      }
    }
    return undefined;
  }

  return {
    stop: async () => {
      timers.stop();
      phase.isStopping = true;
      stopping.resolve("stop");
      await sessions;
      await timers.settled();
    },
    stats: () => session.stats(),
  };
}
