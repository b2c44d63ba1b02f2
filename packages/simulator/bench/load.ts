/**
 * Submits a second that the simulator sustains, every one with its receipt, and the memory it takes meanwhile.
 *
 *     node packages/simulator/bench/load.ts [submits, default 1000000] [window, default 500]
 *
 * The simulator is a process of its own, as in the product; each process has a core.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildParts, SmppClient, sourceAddress } from "@ewebal/smpp";
import type { SimulatorMessage } from "../src/main.ts";
import type { SimulatorSettings } from "../src/settings.ts";

const submits = Number(process.argv[2] ?? 1_000_000);
const window = Number(process.argv[3] ?? 500);
const settings: SimulatorSettings = {
  host: "127.0.0.1",
  smppPort: 0,
  controlPort: 0,
  systemId: "bench",
  password: "secret",
  controlToken: "bench",
  dataDir: mkdtempSync(join(tmpdir(), "simulator-bench-")),
};

function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

async function run(port: number, pid: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const [part] = buildParts("Your order 12345 is on its way, thank you for choosing us");
  if (part === undefined) throw new Error("an empty text");
  const source = sourceAddress("BENCH");
  const startedAtMs = performance.now();
  let submitted = 0;
  let receipts = 0;
  const client = new SmppClient<number>(
    {
      host: settings.host,
      port,
      systemId: settings.systemId,
      password: settings.password,
      window,
      messagesPerSecond: 1_000_000,
    },
    {
      onOutcome(_context, { kind }) {
        if (kind !== "accepted") throw new Error(`a submit ended as ${kind}`);
      },
      onDelivery(delivery) {
        delivery.acknowledge();
        receipts += 1;
        if (receipts % (submits / 10) === 0) {
          process.stdout.write(`${JSON.stringify({ receipts, simulatorMegabytes: residentMegabytes(pid) })}\n`);
        }
        if (receipts === submits) resolve();
      },
      onReady() {
        for (; submitted < submits && client.canSubmit(); submitted += 1) {
          // 100,000 numbers, none of which behaves in its own way.
          client.submit(
            { source, destination: `23480${10_000_000 + (submitted % 9000) * 10_000 + 17}`, part },
            submitted,
          );
        }
      },
      onEvent() {
        // Only the figures matter here.
      },
    },
  );
  client.start();
  await promise;
  const seconds = (performance.now() - startedAtMs) / 1000;
  process.stdout.write(`${JSON.stringify({ submits, window, submitsPerSecond: Math.round(submits / seconds) })}\n`);
  await client.close();
}

const child = fork(new URL("../src/main.ts", import.meta.url), { serialization: "advanced" });
try {
  child.send({ kind: "start", settings });
  const [message] = (await once(child, "message")) as [SimulatorMessage];
  if (message.kind === "failed") throw new Error(message.message);
  await run(message.smppPort, child.pid ?? 0);
} finally {
  child.send({ kind: "stop" });
  await once(child, "exit");
  rmSync(settings.dataDir, { recursive: true, force: true });
}
