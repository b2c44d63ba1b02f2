import { equipCustomer, makeNumbers, registerCustomer, send, type ApiClient } from "@ewebal/e2e/testing/api-client";
import { carrierSetting } from "@ewebal/e2e/testing/carrier";
import { removeProduct, startProduct, waitUntil } from "@ewebal/e2e/testing/product";
import { commandStatus, SmppServer } from "@ewebal/smpp";
import { printTable, quantile, type Row } from "./print.ts";

const MESSAGES = 200;
const BULK_RECIPIENTS = 1_000_000;

/** When each number's submit_sm came off the wire, in this process's clock. */
type Arrivals = Map<string, number>;

/** From the request of one message to its submit_sm on the wire: idle, and while another customer's million goes out. */
export async function measureLatency(): Promise<void> {
  const arrivals: Arrivals = new Map();
  const carrier = createClockCarrier(arrivals);
  const port = await carrier.listen();
  const product = await startProduct({
    environment: { CARRIERS: carrierSetting({ smppPort: port }, { window: 100, messagesPerSecond: 20_000 }) },
  });
  const rows: Row[] = [];
  try {
    const customer = await registerCustomer(product);
    const bulkCustomer = await registerCustomer(product);
    await equipCustomer(product, customer, 10_000, "BENCH");
    await equipCustomer(product, bulkCustomer, BULK_RECIPIENTS * 3, "BULK");
    await measureMessages(customer, arrivals, "23481", 20);
    rows.push({ system: "idle", ...summarize(await measureMessages(customer, arrivals, "23481", MESSAGES)) });
    const { status } = await send(bulkCustomer, {
      senderName: "BULK",
      message: "Bulk",
      phoneNo: makeNumbers(BULK_RECIPIENTS).join(","),
      code: "234",
    });
    if (status !== 200) throw new Error(`The bulk send was answered with ${status}`);
    const busy = await measureMessages(customer, arrivals, "23470", MESSAGES);
    rows.push({
      system: `during ${BULK_RECIPIENTS.toLocaleString("en")} recipients of another customer`,
      ...summarize(busy),
    });
  } finally {
    await removeProduct(product);
    await carrier.close();
  }
  printTable("One message, request to submit_sm on the wire, ms", rows);
}

function summarize(values: number[]): Row {
  return {
    p50: quantile(values, 0.5),
    p99: quantile(values, 0.99),
    slowest: Math.max(...values),
    messages: values.length,
  };
}

async function measureMessages(
  customer: ApiClient,
  arrivals: Arrivals,
  prefix: string,
  count: number,
): Promise<number[]> {
  const latenciesMs: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const phoneNo = `${prefix}${String(30_000_000 + Math.floor(Math.random() * 9_000_000)).padStart(8, "0")}`;
    const startedAtMs = performance.now();
    const { status } = await send(customer, { senderName: "BENCH", message: "One", phoneNo, code: "234" });
    if (status !== 200) throw new Error(`A send was answered with ${status}`);
    await waitUntil(() => arrivals.has(phoneNo), `the submit of ${phoneNo}`, { everyMs: 2 });
    latenciesMs.push((arrivals.get(phoneNo) ?? Number.NaN) - startedAtMs);
  }
  return latenciesMs;
}

/** A carrier in this process, so that request and arrival are read off one clock. It sends no receipts. */
function createClockCarrier(arrivals: Arrivals): SmppServer<undefined> {
  let nextId = 0;
  return new SmppServer<undefined>(
    { host: "127.0.0.1", port: 0, systemId: "clock" },
    {
      onBind: () => commandStatus.ESME_ROK,
      onBound: () => undefined,
      onSubmit: (_session, submit) => {
        arrivals.set(submit.destination.address, performance.now());
        nextId += 1;
        submit.accept(String(nextId));
      },
      onDelivered: () => undefined,
      onReady: () => undefined,
      onClosed: () => undefined,
    },
  );
}
