import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  equipCustomer,
  findMessage,
  makeNumbers,
  registerCustomer,
  send,
  type ApiClient,
} from "@ewebal/e2e/testing/api-client";
import { carrierSetting, startForeignCarrier } from "@ewebal/e2e/testing/carrier";
import { readDatabaseUrl, removeProduct, startProduct, waitUntil, type Product } from "@ewebal/e2e/testing/product";
import { withClient } from "@ewebal/server/src/testing/citus-cluster.ts";
import { printTable, quantile, say, type Row } from "./print.ts";

const RECIPIENTS = Number(process.env["BENCH_WEBHOOKS"] ?? 1_000_000);
const TURNS = Number(process.env["BENCH_TURNS"] ?? 3);
const WAIT_MS = 900_000;

/** What arrived at the receiver; a delivery that comes a second time, under the same id, is a call but no further reports. */
type Heard = { calls: number; reports: number; bytes: number; ids: Set<string>; lastAtMs: number };

/**
 * One carrier, one bind, receipts, and the same send with a webhook that hears of every report and without one, in turns in one installation. The
 * receiver is in this process: it shares the cores, too, and reads every body.
 */
export async function measureWebhooks(): Promise<void> {
  const carrier = await startForeignCarrier();
  const product = await startProduct({
    environment: {
      WEBHOOK_PRIVATE: "on",
      CARRIERS: carrierSetting(carrier, { window: 1_000, messagesPerSecond: 1_000_000 }),
    },
  });
  const receiver = await openReceiver();
  try {
    const customer = await registerCustomer(product);
    await equipCustomer(product, customer, RECIPIENTS * 3 * 2 * TURNS, "BENCH");
    const phoneNo = makeNumbers(RECIPIENTS).join(",");
    const rates: Record<"with" | "without", number[]> = { with: [], without: [] };
    const rows: Row[] = [];
    for (let turn = 1; turn <= TURNS; turn += 1) {
      // Who goes first changes from turn to turn, because what the first leaves behind weighs on the second.
      for (const kind of turn % 2 === 1 ? (["without", "with"] as const) : (["with", "without"] as const)) {
        await vacuum(product);
        const row = await runTurn(customer, phoneNo, kind === "with" ? receiver : undefined);
        rates[kind].push(Number(row["recorded and billed/s"]));
        rows.push({ turn, webhook: kind === "with" ? "yes" : "no", ...row });
        say(`turn ${turn}, ${kind} a webhook: ${String(row["recorded and billed/s"])}/s`);
      }
    }
    printTable(`${RECIPIENTS.toLocaleString("en")} recipients with a webhook and without, in turns`, rows);
    const share = quantile(rates.with, 0.5) / quantile(rates.without, 0.5);
    say(
      `\nThe rate with a webhook is ${(share * 100).toFixed(1)} % of that without, by the medians of ${TURNS} turns.`,
    );
  } finally {
    receiver.server.closeAllConnections();
    receiver.server.close();
    await removeProduct(product);
    await carrier.stop();
  }
}

/** What one send leaves behind would be cleared away while the next one runs, in whichever turn that may be. */
async function vacuum(product: Product): Promise<void> {
  await withClient(await readDatabaseUrl(product), async (client) => await client.query("vacuum (analyze)"));
}

/** @param receiver hears of this turn; without it nothing follows the message. */
async function runTurn(customer: ApiClient, phoneNo: string, receiver: Receiver | undefined): Promise<Row> {
  const webhooks = `/api/${customer.actorId}/webhooks`;
  let webhookId = "";
  if (receiver !== undefined) {
    receiver.forget();
    const events = ["recipients.updated", "message.finished"];
    const made = await customer.call<{ data: { _id: string } }>("POST", webhooks, { url: receiver.url, events });
    if (made.status !== 201) throw new Error(`The webhook was answered with ${made.status}`);
    webhookId = made.body.data._id;
  }
  const sent = await send(customer, { senderName: "BENCH", message: "Benchmark", phoneNo, code: "234" });
  if (sent.status !== 200) throw new Error(`The send was answered with ${sent.status}`);
  const answeredAtMs = performance.now();
  const readDelivered = async (): Promise<number> =>
    (await findMessage(customer, sent.body.data._id))?.counts.delivered ?? 0;
  await waitUntil(async () => (await readDelivered()) === RECIPIENTS, "all records", {
    withinMs: WAIT_MS,
    everyMs: 50,
  });
  const recordedSeconds = (performance.now() - answeredAtMs) / 1_000;
  const row: Row = { "recorded and billed/s": Math.round(RECIPIENTS / recordedSeconds) };
  if (receiver === undefined) return row;
  const { heard } = receiver;
  // The reports, and that the message is finished.
  await waitUntil(
    () => Promise.resolve(heard.reports >= RECIPIENTS && heard.finished > 0),
    "all reports at the receiver",
    {
      withinMs: WAIT_MS,
      everyMs: 50,
    },
  );
  await customer.call("DELETE", `/api/${customer.actorId}/${webhookId}/delete-webhook`);
  if (heard.reports !== RECIPIENTS) throw new Error(`${heard.reports} reports arrived of ${RECIPIENTS} recipients`);
  return {
    ...row,
    calls: heard.calls,
    "calls for a million": Math.ceil((heard.calls * 1_000_000) / RECIPIENTS),
    "MB posted": Math.round(heard.bytes / 1e6),
    "last report heard after it was recorded, s": (heard.lastAtMs - answeredAtMs) / 1_000 - recordedSeconds,
  };
}

type Receiver = { server: Server; url: string; heard: Heard & { finished: number }; forget: () => void };

async function openReceiver(): Promise<Receiver> {
  const heard = { calls: 0, reports: 0, finished: 0, bytes: 0, ids: new Set<string>(), lastAtMs: 0 };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts);
      heard.calls += 1;
      heard.bytes += body.byteLength;
      const id = String(request.headers["webhook-id"]);
      if (!heard.ids.has(id)) {
        heard.ids.add(id);
        const reports = countOf(body, '"phoneNo"');
        heard.reports += reports;
        if (reports === 0) heard.finished += 1;
        else heard.lastAtMs = performance.now();
      }
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const forget = (): void => {
    Object.assign(heard, { calls: 0, reports: 0, finished: 0, bytes: 0, lastAtMs: 0 });
    heard.ids.clear();
  };
  return { server, url: `http://127.0.0.1:${port}/`, heard, forget };
}

/** Counted in the bytes: reading a hundred megabytes of JSON would be this process's work, not the product's. */
function countOf(body: Buffer, word: string): number {
  let count = 0;
  for (let at = body.indexOf(word); at >= 0; at = body.indexOf(word, at + 1)) count += 1;
  return count;
}
