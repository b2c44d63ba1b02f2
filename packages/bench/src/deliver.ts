import {
  equipCustomer,
  findMessage,
  makeNumbers,
  readUser,
  registerCustomer,
  send,
} from "@ewebal/e2e/testing/api-client";
import { carrierSetting, startForeignCarrier } from "@ewebal/e2e/testing/carrier";
import { removeProduct, startProduct, waitUntil, type Product } from "@ewebal/e2e/testing/product";
import { printTable, type Row } from "./print.ts";

type Scenario = {
  name: string;
  recipients: number;
  window: number;
  carrier?: Record<string, string | number>;
  messagesPerSecond?: number;
};

const scenarios: Scenario[] = [
  { name: "with receipts, window 100", recipients: 200_000, window: 100 },
  { name: "with receipts, window 1,000", recipients: 300_000, window: 1_000 },
  { name: "no receipts, window 1,000", recipients: 300_000, window: 1_000, carrier: { "dlr-share": 0 } },
  {
    name: "carrier throttles at 10,000/s",
    recipients: 100_000,
    window: 1_000,
    carrier: { "throttle-rate": 10_000 },
    messagesPerSecond: 9_900,
  },
  { name: "10,000 recipients", recipients: 10_000, window: 1_000 },
  { name: "1,000,000 recipients", recipients: 1_000_000, window: 1_000 },
];

/** A send takes at most this many recipients; more are several sends, one after the other while the first run. */
const RECIPIENTS_OF_A_SEND = 1_000_000;

/** One carrier, one bind, everything durable and billed; the whole product, the database and the carrier share the cores. */
export async function measureDelivery(): Promise<void> {
  await measureScenarios(scenarios);
}

/** Takes some ten minutes; for what grows with the messages of a day. */
export async function measureTenMillion(): Promise<void> {
  await measureScenarios([{ name: "10,000,000 recipients", recipients: 10_000_000, window: 1_000 }]);
}

async function measureScenarios(list: readonly Scenario[]): Promise<void> {
  const rows: Row[] = [];
  for (const scenario of list) rows.push(await runScenario(scenario));
  printTable("Accepted to submitted, and to the receipt recorded and billed", rows);
}

async function runScenario({
  name,
  recipients,
  window,
  carrier: options = {},
  messagesPerSecond = 1_000_000,
}: Scenario): Promise<Row> {
  const carrier = await startForeignCarrier(options);
  const product = await startProduct({
    environment: { CARRIERS: carrierSetting(carrier, { window, messagesPerSecond }) },
  });
  try {
    const customer = await registerCustomer(product);
    await equipCustomer(product, customer, recipients * 3, "BENCH");
    const phoneNo = makeNumbers(Math.min(recipients, RECIPIENTS_OF_A_SEND)).join(",");
    const memory = watchMemory(product);
    const messageIds: string[] = [];
    const sendOne = async (): Promise<void> => {
      const message = `Benchmark ${messageIds.length + 1}`;
      const { status, body } = await send(customer, { senderName: "BENCH", message, phoneNo, code: "234" });
      if (status !== 200) throw new Error(`The send was answered with ${status}`);
      messageIds.push(body.data._id);
    };
    await sendOne();
    const answeredAtMs = performance.now();
    while (messageIds.length * RECIPIENTS_OF_A_SEND < recipients) await sendOne();
    const secondsSince = (): number => (performance.now() - answeredAtMs) / 1000;
    await waitUntil(async () => (await carrier.stats()).accepted >= recipients, "all submits", {
      withinMs: 900_000,
      everyMs: 20,
    });
    const submittedSeconds = secondsSince();
    const withReceipts = options["dlr-share"] !== 0;
    await waitUntil(
      async () => {
        let recorded = 0;
        for (const id of messageIds) {
          const counts = (await findMessage(customer, id))?.counts;
          recorded += (withReceipts ? counts?.delivered : counts?.sent) ?? 0;
        }
        return recorded === recipients;
      },
      "all records",
      { withinMs: 300_000, everyMs: 50 },
    );
    const recordedSeconds = secondsSince();
    const { duplicates } = await carrier.stats();
    const { units } = await readUser(customer);
    if (units !== 0 || duplicates !== 0) throw new Error(`${name}: ${units} units left, ${duplicates} duplicates`);
    return {
      scenario: name,
      recipients,
      "submitted/s": Math.round(recipients / submittedSeconds),
      "recorded and billed/s": Math.round(recipients / recordedSeconds),
      "highest MB, all Node processes": memory.stop(),
      duplicates,
    };
  } finally {
    await removeProduct(product);
    await carrier.stop();
  }
}

/** Samples the resident memory of all Node processes of the product together. */
export function watchMemory(product: Product): { highest: () => number; stop: () => number } {
  let highestBytes = 0;
  const sample = (): void => {
    highestBytes = Math.max(highestBytes, product.residentBytes());
  };
  const timer = setInterval(sample, 200);
  const highest = (): number => {
    sample();
    return Math.round(highestBytes / 1e6);
  };
  return {
    highest,
    stop: () => {
      clearInterval(timer);
      return highest();
    },
  };
}
