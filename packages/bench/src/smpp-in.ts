import { readFileSync, readdirSync } from "node:fs";
import { equipCustomer, registerCustomer } from "@ewebal/e2e/testing/api-client";
import { carrierSetting, startForeignCarrier } from "@ewebal/e2e/testing/carrier";
import { removeProduct, startProduct, waitUntil, readDatabaseUrl, type Product } from "@ewebal/e2e/testing/product";
import { findFreePort } from "@ewebal/embedded-postgres";
import { buildParts, SmppClient, sourceAddress } from "@ewebal/smpp";
import { Client } from "pg";
import { printTable, type Row } from "./print.ts";

const SENDER = "BENCH";

type Scenario = { name: string; window: number; submits: number; isDelivering: boolean };

const scenarios: Scenario[] = [
  { name: "accepting alone, window 10", window: 10, submits: 20_000, isDelivering: false },
  { name: "accepting alone, window 100", window: 100, submits: 50_000, isDelivering: false },
  { name: "accepting alone, window 1,000", window: 1_000, submits: 100_000, isDelivering: false },
  { name: "with carrier and reports, window 1,000", window: 1_000, submits: 50_000, isDelivering: true },
];

/**
 * One customer's client on one bind, each submit a message of its own that asks for a receipt, answered when it is committed and its units are held.
 * Client, SMPP process, workers and database share the cores.
 */
export async function measureSmppIn(): Promise<void> {
  const rows: Row[] = [];
  for (const scenario of scenarios) rows.push(await runScenario(scenario));
  printTable("Submits by SMPP, durable and billed, one bind", rows);
}

async function runScenario({ name, window, submits, isDelivering }: Scenario): Promise<Row> {
  const port = await findFreePort();
  const carrier = await startForeignCarrier();
  const product = await startProduct({
    environment: {
      SMPP_LISTEN: `127.0.0.1:${port}`,
      CARRIERS: carrierSetting(carrier, { window: 1_000, messagesPerSecond: isDelivering ? 100_000 : 0.1 }),
    },
  });
  try {
    const customer = await registerCustomer(product);
    await equipCustomer(product, customer, submits * 3, SENDER);
    const { body } = await customer.call<{ data: { systemId: string; password: string } }>(
      "POST",
      `/api/${customer.actorId}/api-keys`,
      { name: "Bench", kind: "smpp", mode: "live", binds: 2, perSecond: 10_000 },
    );
    const before = cpuSeconds(product);
    const startedAtMs = performance.now();
    const counts = await submitAll({
      port,
      systemId: body.data.systemId,
      password: body.data.password,
      window,
      submits,
    });
    const seconds = (performance.now() - startedAtMs) / 1000;
    const cpu = cpuSeconds(product);
    await assertKept(product, counts.accepted, submits);
    const usPerSubmit = (part: keyof typeof cpu): number => ((cpu[part] - before[part]) * 1e6) / submits;
    return {
      scenario: name,
      submits,
      "accepted/s": Math.round(counts.accepted / seconds),
      refused: counts.refused,
      "CPU us, SMPP process": usPerSubmit("smpp"),
      "CPU us, database": usPerSubmit("database"),
      "CPU us, web and workers": usPerSubmit("others"),
      ...(isDelivering && { "receipts until the last answer": counts.receipts }),
    };
  } finally {
    await removeProduct(product);
    await carrier.stop();
  }
}

type Counts = { accepted: number; refused: number; unknown: number; receipts: number };

/** @returns what became of the submits, each of which has its answer. */
async function submitAll(settings: {
  port: number;
  systemId: string;
  password: string;
  window: number;
  submits: number;
}): Promise<Counts> {
  const counts: Counts = { accepted: 0, refused: 0, unknown: 0, receipts: 0 };
  const { submits, ...link } = settings;
  const [part] = buildParts("Your order has left our shop and arrives between 10 and 12 today.");
  if (part === undefined) throw new Error("a text has a part");
  let next = 0;
  const feed = (): void => {
    while (next < submits && client.canSubmit()) {
      const destination = `23480${String(30_000_000 + next)}`;
      client.submit({ source: sourceAddress(SENDER), destination, part, reference: 0 }, next);
      next += 1;
    }
  };
  const client = new SmppClient<number>(
    { host: "127.0.0.1", messagesPerSecond: 1_000_000, ...link },
    {
      onOutcome: (_context, { kind }) => {
        if (kind === "accepted" || kind === "refused") counts[kind] += 1;
        else counts.unknown += 1;
      },
      onDelivery: (delivery) => {
        counts.receipts += 1;
        delivery.acknowledge();
      },
      onReady: feed,
      onEvent: () => undefined,
    },
  );
  client.start();
  await waitUntil(() => counts.accepted + counts.refused + counts.unknown === submits, "all answers", {
    withinMs: 300_000,
    everyMs: 5,
  });
  await client.close({ drainMs: 0 });
  return counts;
}

/** Every accepted submit is one message of one recipient with its units held or charged. */
async function assertKept(product: Product, accepted: number, submits: number): Promise<void> {
  const client = new Client(await readDatabaseUrl(product));
  await client.connect();
  try {
    const { rows } = await client.query<{ messages: number; paid: number }>(
      `select (select count(*)::integer from message where origin = 'smpp') as messages,
         (select coalesce(sum(amount_milli), 0)::bigint from hold)::text::bigint / 3000 as paid`,
    );
    const kept = [Number(rows[0]?.messages), Number(rows[0]?.paid)];
    if (kept.some((count) => count !== accepted) || accepted !== submits)
      throw new Error(`${accepted} of ${submits} were accepted, and messages and prices kept are ${kept.join(", ")}`);
  } finally {
    await client.end();
  }
}

/** Processor time of the product's processes so far, user and system. Linux only. */
function cpuSeconds(product: Product): { smpp: number; others: number; database: number } {
  const smpp = product.childPid("smpp");
  const others = [product.childPid("web"), product.childPid("worker")];
  const sum = (pids: (number | undefined)[]): number =>
    pids.reduce((total: number, pid) => total + (pid === undefined ? 0 : ticksOf(pid)), 0) / TICKS_PER_SECOND;
  return { smpp: sum([smpp]), others: sum(others), database: sum(databasePids(product)) };
}

const TICKS_PER_SECOND = 100;

function ticksOf(pid: number): number {
  const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const fields = rest.split(" ");
  // Its own, and of children that have ended: a backend lives as long as its pool.
  return Number(fields[11]) + Number(fields[12]);
}

function databasePids({ dataDir }: Product): number[] {
  const postmaster = Number(readFileSync(`${dataDir}/postgres/data/postmaster.pid`, "utf8").split("\n")[0]);
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === postmaster);
  return [postmaster, ...children];
}

function parentOf(pid: number): number | undefined {
  try {
    const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    return Number(rest.split(" ")[1]);
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}
