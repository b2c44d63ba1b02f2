/** The worker role: hands messages to the carriers and does the jobs. */
import { carrierHealthChanged, createChangePublisher, messageProgressed } from "../events/index.ts";
import { simulatorCarrier, startDeliveryWorker, startFigureWriter } from "../features/delivery/index.ts";
import { createSendDeps, createSendRepeated, maySendAs, startTwilioCallbacks } from "../features/messages/index.ts";
import { tellSmppClients } from "../features/smpp-access/index.ts";
import { startWebhookWorker } from "../features/webhooks/index.ts";
import { startHeartbeat } from "../http/monitoring/health.ts";
import { jobQueues } from "./job-queues.ts";
import { startJobWorker } from "../jobs/start-job-worker.ts";
import type { StartMessage } from "../process-tree/messages.ts";
import { openDeps, type RoleSettings, type RunningRole } from "./role-deps.ts";

/** @returns once it takes work. */
export async function startWorkerRole(settings: RoleSettings & Pick<StartMessage, "simulator">): Promise<RunningRole> {
  const { config, databaseUrl, log, simulator } = settings;
  const { deps, close } = await openDeps(settings);
  const changes = createChangePublisher(deps.db, (error) =>
    log.warn({ err: error }, "a change could not be published"),
  );
  const sendDeps = createSendDeps(deps);
  const delivery = await startDeliveryWorker(deps, {
    carriers: config.carriers ?? [],
    standIn: simulator && simulatorCarrier(simulator),
    onCarrierHealth: () => changes.publish(carrierHealthChanged()),
    onChange: (key) => changes.publish(messageProgressed(key)),
    mayStart: maySendAs,
    sendRepeated: createSendRepeated(sendDeps),
    tellInbox: tellSmppClients,
    dataDir: config.dataDir,
  });
  const callbacks = startTwilioCallbacks(deps);
  const jobWorker = await startJobWorker(deps, jobQueues, { databaseUrl });
  const webhooks = await startWebhookWorker(deps, { databaseUrl });
  const figures = startFigureWriter(deps);
  const heartbeat = startHeartbeat(deps, "worker");
  return {
    stop: async () => {
      await heartbeat.stop();
      await delivery.stop();
      await callbacks.stop();
      await webhooks.stop();
      await jobWorker.stop();
      await figures.stop();
      await sendDeps.bodies.close();
      await changes.close();
      await close();
    },
  };
}
