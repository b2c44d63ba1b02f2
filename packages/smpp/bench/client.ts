/**
 * Submits a second of this client and of the npm package `smpp`, against the same C simulator in the same run, every
 * submit with a receipt that is parsed and acknowledged.
 *
 *     node packages/smpp/bench/client.ts [submits, default 500000] [windows, default 10,100,1000]
 *
 * Writes one JSON line a measurement. `cpuUsPerSubmit` is this process alone; the simulator has the other core.
 */
import smpp, { type Pdu } from "smpp";
import { buildParts, SmppClient, sourceAddress, type Submit } from "../src/index.ts";
import { buildSmscsim } from "../src/testing/smscsim.ts";

export type Measurement = {
  readonly client: "own" | "npm smpp";
  readonly window: number;
  readonly submits: number;
  readonly submitsPerSecond: number;
  readonly cpuUsPerSubmit: number;
};

export type Load = {
  readonly port: number;
  readonly window: number;
  readonly submits: number;
};

const TEXT = "Your order 12345 is on its way, thank you for choosing us";
const FIRST_NUMBER = 2_348_030_000_000;

/** Measures from the bind to the last receipt. */
export async function measureOwnClient(load: Load): Promise<Measurement> {
  const { port, window, submits } = load;
  const { promise, resolve } = Promise.withResolvers<void>();
  const [part] = buildParts(TEXT);
  if (part === undefined) throw new Error("an empty text");
  const source = sourceAddress("BENCH");
  let submitted = 0;
  let receipts = 0;
  let stop = (): Measurement => measure("own", load)();
  const client = new SmppClient<number>(
    { host: "127.0.0.1", port, systemId: "bench", password: "secret", window, messagesPerSecond: 10_000_000 },
    {
      onOutcome() {
        // The receipt is what counts.
      },
      onDelivery(delivery) {
        delivery.acknowledge();
        receipts += 1;
        if (receipts === submits) resolve();
      },
      onReady() {
        while (submitted < submits && client.canSubmit()) {
          const submit: Submit = { source, destination: String(FIRST_NUMBER + submitted), part };
          client.submit(submit, submitted);
          submitted += 1;
        }
      },
      onEvent(event) {
        if (event.kind === "bound") stop = measure("own", load);
      },
    },
  );
  client.start();
  await promise;
  const measurement = stop();
  await client.close();
  return measurement;
}

/** The same with the npm package, with Nagle's algorithm off: as it comes it is many times slower still. */
export async function measureNpmClient(load: Load): Promise<Measurement> {
  const { port, window, submits } = load;
  const { promise, resolve } = Promise.withResolvers<void>();
  const session = smpp.connect({ host: "127.0.0.1", port });
  session.socket.setNoDelay(true);
  await new Promise((bound) => session.bind_transceiver({ system_id: "bench", password: "secret" }, bound));
  const stop = measure("npm smpp", load);
  let submitted = 0;
  let receipts = 0;
  session.on("deliver_sm", (pdu: Pdu) => {
    session.send(pdu.response());
    receipts += 1;
    if (receipts === submits) resolve();
  });
  const submitNext = (): void => {
    if (submitted >= submits) return;
    const destination = String(FIRST_NUMBER + submitted);
    submitted += 1;
    session.submit_sm(
      {
        source_addr: "BENCH",
        source_addr_ton: 5,
        destination_addr: destination,
        short_message: TEXT,
        registered_delivery: 1,
      },
      submitNext,
    );
  };
  for (let open = 0; open < window; open += 1) submitNext();
  await promise;
  const measurement = stop();
  await new Promise((unbound) => session.unbind(unbound));
  session.destroy();
  return measurement;
}

function measure(client: Measurement["client"], { window, submits }: Load): () => Measurement {
  const startedAtMs = performance.now();
  const startedCpu = process.cpuUsage();
  return () => {
    const seconds = (performance.now() - startedAtMs) / 1000;
    const cpu = process.cpuUsage(startedCpu);
    return {
      client,
      window,
      submits,
      submitsPerSecond: Math.round(submits / seconds),
      cpuUsPerSubmit: Math.round(((cpu.user + cpu.system) / submits) * 100) / 100,
    };
  };
}

async function main(): Promise<void> {
  const build = buildSmscsim("-O2");
  if (typeof build === "string") throw new Error(build);
  const submits = Number(process.argv[2] ?? 500_000);
  const windows = (process.argv[3] ?? "10,100,1000").split(",").map(Number);
  const simulator = await build.start();
  try {
    // The first run compiles the hot path.
    await measureOwnClient({ port: simulator.port, window: 100, submits: 50_000 });
    for (const window of windows) {
      // oxlint-disable-next-line no-await-in-loop
      const own = await measureOwnClient({ port: simulator.port, window, submits });
      process.stdout.write(`${JSON.stringify(own)}\n`);
      // A tenth is enough: it takes as long.
      // oxlint-disable-next-line no-await-in-loop
      const npm = await measureNpmClient({ port: simulator.port, window, submits: Math.ceil(submits / 10) });
      process.stdout.write(`${JSON.stringify(npm)}\n`);
    }
  } finally {
    await simulator.stop();
    build.remove();
  }
}

if (import.meta.main) await main();
