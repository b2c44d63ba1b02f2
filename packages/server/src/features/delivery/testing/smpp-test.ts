import { pino } from "pino";
import { readConfig, type Config } from "../../../base/config.ts";
import {
  startDeliveryWorker,
  type DeliveryWorker,
  type DeliveryWorkerOptions,
} from "../engine/start-delivery-worker.ts";
import { SmppPeer, type OnPeerSubmit } from "./smpp-peer.ts";
import { test as workerTest } from "./worker-test.ts";

type Fixtures = {
  /** What passwords of kept carriers are sealed with; a file that keeps carriers sets its own. */
  secretsKey: Config["secretsKey"];
  startPeer: (onSubmit?: OnPeerSubmit) => Promise<SmppPeer>;
  startWorker: (options?: Partial<DeliveryWorkerOptions>) => Promise<DeliveryWorker>;
};

/** A test with real PostgreSQL, carriers that answer SMPP on loopback, and workers; the fixtures stop every one of them. */
export const test = workerTest.extend<Fixtures>({
  secretsKey: undefined,
  startPeer: async ({ db: _db }, use) => {
    const peers: SmppPeer[] = [];
    await use(async (onSubmit) => {
      const peer = await new SmppPeer(onSubmit).listen();
      peers.push(peer);
      return peer;
    });
    await Promise.all(peers.map((peer) => peer.close()));
  },
  startWorker: async ({ db, secretsKey, startPeer: _startPeer }, use) => {
    const workers: DeliveryWorker[] = [];
    await use(async (options) => {
      const config = { ...readConfig({ QUIET_HOURS: "off" }), secretsKey };
      const deps = { db, log: pino({ level: "silent" }), config, clock: { now: () => new Date() } };
      const worker = await startDeliveryWorker(deps, { carriers: [], ...options });
      workers.push(worker);
      return worker;
    });
    await Promise.all(workers.map((worker) => worker.stop()));
  },
});
