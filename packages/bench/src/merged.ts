import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { equipCustomer, findMessage, makeNumbers, registerCustomer } from "@ewebal/e2e/testing/api-client";
import { carrierSetting, startForeignCarrier, type ForeignCarrier } from "@ewebal/e2e/testing/carrier";
import { removeProduct, startProduct, waitUntil, type Product } from "@ewebal/e2e/testing/product";
import { watchMemory } from "./deliver.ts";
import { printTable, say, type Row } from "./print.ts";

/** Of one catalog; `npm run bench merged` takes another count from `BENCH_MERGED`. */
const RECIPIENTS = Number(process.env["BENCH_MERGED"] ?? 300_000);
const CONTACTS_A_CALL = 10_000;
const UNITS_PER_PAGE = 3;

/** One page each. */
const kinds = [
  { texts: "plain", message: "Dear customer, the sale begins at eight" },
  { texts: "merged", message: "Dear {{name}}, the sale begins at eight" },
  { texts: "merged, with a short link each", message: "Dear {{name}}: {{link:https://shop.example/sale}}" },
];
/** In turns, each beginning with another kind: what the machine and the database do meanwhile meets all alike. The first turn warms them up. */
const TURNS = 4;

/** The same catalog, once with one text for all and once with a text for each: accepted, and then submitted, recorded and billed. */
export async function measureMerged(): Promise<void> {
  const carrier = await startForeignCarrier();
  const product = await startProduct({
    environment: { CARRIERS: carrierSetting(carrier, { window: 1_000, messagesPerSecond: 1_000_000 }) },
  });
  try {
    const customer = await registerCustomer(product);
    await equipCustomer(product, customer, RECIPIENTS * UNITS_PER_PAGE * kinds.length * TURNS, "BENCH");
    const catalogId = await fillCatalog(customer);
    const rows: Row[] = [];
    for (let turn = 1; turn <= TURNS; turn += 1) {
      for (const { texts, message } of [...kinds.slice(turn % kinds.length), ...kinds.slice(0, turn % kinds.length)]) {
        const send = { product, carrier, customer, catalogId, message: `${message} (${turn})` };
        rows.push({ turn, texts, ...(await runSend(send)) });
      }
    }
    printTable(`Plain and merged, a catalog of ${RECIPIENTS.toLocaleString("en")}`, rows);
  } finally {
    await removeProduct(product);
    await carrier.stop();
  }
}

type Customer = Awaited<ReturnType<typeof registerCustomer>>;

async function fillCatalog(customer: Customer): Promise<string> {
  const created = await customer.call<{ data: { _id: string } }>("POST", `/api/${customer.actorId}/create-catalog`, {
    catalogName: "Bench",
    code: "234",
    columns: [{ label: "Name" }],
  });
  if (created.status !== 201) throw new Error(`The catalog was answered with ${created.status}`);
  const catalogId = created.body.data._id;
  const startedAtMs = performance.now();
  const contacts = makeNumbers(RECIPIENTS).map((phoneNo, index) => ({
    phoneNo,
    fields: { name: `Customer ${index}` },
  }));
  for (let from = 0; from < contacts.length; from += CONTACTS_A_CALL) {
    const body = { contacts: contacts.slice(from, from + CONTACTS_A_CALL) };
    const { status } = await customer.call("POST", `/api/${customer.actorId}/${catalogId}/add-contacts`, body);
    if (status !== 201) throw new Error(`Contacts were answered with ${status}`);
  }
  say(`${RECIPIENTS} contacts with a field stored in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
  return catalogId;
}

type Send = { product: Product; carrier: ForeignCarrier; customer: Customer; catalogId: string; message: string };

async function runSend({ product, carrier, customer, catalogId, message }: Send): Promise<Row> {
  const before = await carrier.stats();
  const workerBefore = readProcessorSeconds(product.childPid("worker"));
  const memory = watchMemory(product);
  const startedAtMs = performance.now();
  const secondsSince = (fromMs: number): number => (performance.now() - fromMs) / 1000;
  const body = { senderName: "BENCH", message, catalogId, code: "234" };
  const sent = await customer.call<{ data: { _id: string } }>("POST", `/api/${customer.actorId}/send-bulk-sms`, body, {
    "idempotency-key": randomUUID(),
  });
  if (sent.status !== 200) throw new Error(`The send was answered with ${sent.status}`);
  const acceptedSeconds = secondsSince(startedAtMs);
  const answeredAtMs = performance.now();
  const acceptMegabytes = memory.highest();
  await waitUntil(async () => (await carrier.stats()).accepted - before.accepted >= RECIPIENTS, "all submits", {
    withinMs: 900_000,
    everyMs: 20,
  });
  const submittedSeconds = secondsSince(answeredAtMs);
  await waitUntil(
    async () => (await findMessage(customer, sent.body.data._id))?.counts.delivered === RECIPIENTS,
    "all records",
    { withinMs: 300_000, everyMs: 50 },
  );
  const recordedSeconds = secondsSince(answeredAtMs);
  const { duplicates } = await carrier.stats();
  const workerSeconds = readProcessorSeconds(product.childPid("worker")) - workerBefore;
  return {
    "accepted in s": acceptedSeconds,
    "submitted/s": Math.round(RECIPIENTS / submittedSeconds),
    "recorded and billed/s": Math.round(RECIPIENTS / recordedSeconds),
    "worker, us a message": (workerSeconds / RECIPIENTS) * 1e6,
    "highest MB while accepted": acceptMegabytes,
    "highest MB in all": memory.stop(),
    duplicates: duplicates - before.duplicates,
  };
}

/** Linux counts in hundredths of a second. */
function readProcessorSeconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
