/**
 * Goal: nothing that is killed costs a message, a unit or a second SMS. Method: the whole product over a carrier that is
 * not ours and counts what it accepted by number and text; processes are killed while 100,000 recipients go out.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { MessageCounts } from "@ewebal/contract";
import { afterEach, describe, expect, test } from "vitest";
import {
  equipCustomer,
  expectExactLedger,
  makeNumbers,
  findMessage,
  readUser,
  registerCustomer,
  send,
  type ApiClient,
} from "./testing/api-client.ts";
import {
  carrierSetting,
  reasonWithoutForeignCarrier,
  startForeignCarrier,
  type ForeignCarrier,
} from "./testing/carrier.ts";
import { KeyedSender } from "./testing/keyed-sender.ts";
import { readDatabaseUrl, removeProduct, startProduct, waitUntil, type Product } from "./testing/product.ts";

const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function startCarrier(options: Record<string, string | number> = {}): Promise<ForeignCarrier> {
  const carrier = await startForeignCarrier(options);
  cleanUps.push(carrier.stop);
  return carrier;
}

async function start(carrier: ForeignCarrier, environment: Record<string, string> = {}): Promise<Product> {
  const product = await startProduct({ environment: { CARRIERS: carrierSetting(carrier), ...environment } });
  cleanUps.push(() => removeProduct(product));
  return product;
}

/** A customer with units and a sender name. */
async function buildCustomer(product: Product, units: number): Promise<ApiClient & { email: string }> {
  const customer = await registerCustomer(product);
  await equipCustomer(product, customer, units, "SHOP");
  return customer;
}

async function startSend(customer: ApiClient, recipientCount: number): Promise<string> {
  const { status, body } = await send(customer, {
    senderName: "SHOP",
    message: "Sale today",
    phoneNo: makeNumbers(recipientCount).join(","),
    code: "234",
  });
  expect(status).toBe(200);
  return body.data._id;
}

async function waitForEnd(
  customer: ApiClient,
  messageId: string,
  isEnd: (counts: MessageCounts) => boolean,
): Promise<MessageCounts> {
  let counts: MessageCounts | undefined;
  await waitUntil(
    async () => {
      // While a part of the product is away the answer is a refusal; the page would ask again as well.
      const message = await findMessage(customer, messageId);
      counts = message?.counts ?? counts;
      return message !== undefined && isEnd(message.counts);
    },
    "the end of the send",
    { withinMs: 150_000, everyMs: 250 },
  );
  return counts as MessageCounts;
}

const skipReason = reasonWithoutForeignCarrier;

describe.skipIf(skipReason !== undefined)(
  `faults${skipReason === undefined ? "" : ` (skipped: ${skipReason})`}`,
  () => {
    test("ten kill -9 of the worker during 100,000 recipients: none lost, none twice, the ledger exact", async () => {
      const carrier = await startCarrier({ "dlr-delay-ms": 20 });
      const product = await start(carrier);
      const customer = await buildCustomer(product, 400_000);
      const messageId = await startSend(customer, 100_000);

      for (let kill = 1; kill <= 10; kill += 1) {
        const before = (await carrier.stats()).accepted;
        await waitUntil(async () => (await carrier.stats()).accepted > before + 500, `progress before kill ${kill}`);
        await product.killChild("worker");
      }
      const counts = await waitForEnd(customer, messageId, ({ waiting, sent }) => waiting === 0 && sent === 0);

      const stats = await carrier.stats();
      expect(stats).toMatchObject({ duplicates: 0, malformed: 0 });
      expect(counts.delivered + counts.unknown).toBe(100_000);
      // Whatever was handed over and not recorded was settled by its receipt, or is shown as unknown: never lost.
      expect(stats.unique).toBeGreaterThanOrEqual(counts.delivered);
      expect(stats.unique + counts.unknown).toBeGreaterThanOrEqual(100_000);
      await expectExactLedger(product);
    });

    test("a kill -9 of the worker at 200 a second leaves at most 20 unknown", async () => {
      const carrier = await startCarrier({ "dlr-delay-ms": 20 });
      const product = await start(carrier, {
        CARRIERS: carrierSetting(carrier, { window: 20, binds: 2, messagesPerSecond: 200 }),
      });
      const customer = await buildCustomer(product, 4_000);
      const messageId = await startSend(customer, 1_000);
      await waitUntil(async () => (await carrier.stats()).accepted > 300, "progress before the kill");
      await product.killChild("worker");
      const { unknown } = await waitForEnd(customer, messageId, ({ waiting, sent }) => waiting === 0 && sent === 0);
      expect(unknown).toBeLessThanOrEqual(20);
      expect(await carrier.stats()).toMatchObject({ duplicates: 0, malformed: 0 });
    });

    test("five kill -9 of PostgreSQL during 100,000 recipients: none lost, the ledger exact", async () => {
      const carrier = await startCarrier({ "dlr-delay-ms": 20 });
      const product = await start(carrier);
      const customer = await buildCustomer(product, 400_000);
      const messageId = await startSend(customer, 100_000);

      for (let kill = 1; kill <= 5; kill += 1) {
        const before = (await carrier.stats()).accepted;
        await waitUntil(async () => (await carrier.stats()).accepted > before + 500, `progress before kill ${kill}`);
        await product.killDatabase();
        await waitUntil(
          async () => (await fetch(`${product.url}/readyz`)).status === 200,
          "the service to be ready again",
        );
      }
      const counts = await waitForEnd(customer, messageId, ({ waiting, sent }) => waiting === 0 && sent === 0);

      expect(await carrier.stats()).toMatchObject({ duplicates: 0, malformed: 0 });
      expect(counts.delivered + counts.unknown).toBe(100_000);
      await expectExactLedger(product);
    });

    test("kill -9 of the web process between request and answer: a client that retries its key is charged once", async () => {
      const carrier = await startCarrier();
      const product = await start(carrier);
      const customer = await buildCustomer(product, 100_000);
      const phoneNo = makeNumbers(20_000).join(",");
      const body = { senderName: "SHOP", message: "Once", phoneNo, code: "234" };

      for (const delayMs of [5, 30, 80, 150, 300]) {
        const key = randomUUID();
        const unitsBefore = (await readUser(customer)).units;
        if (unitsBefore < 60_000) await equipCustomer(product, customer, 60_000, "SHOP");
        const { units } = await readUser(customer);
        const first = send(customer, body, key).then(
          (answer) => answer.status,
          () => "lost" as const,
        );
        await sleep(delayMs);
        await product.killChild("web");
        await first;
        const retried = await send(customer, body, key);
        expect(retried.status).toBe(200);
        const again = await send(customer, body, key);
        expect(again.body.data._id).toBe(retried.body.data._id);
        expect((await readUser(customer)).units).toBe(units - 60_000);
      }
      await expectExactLedger(product);
    });

    test("hosts that are restarted one after the other under load: no keyed send fails, none is lost or sent twice", async () => {
      const carrier = await startCarrier({ "dlr-delay-ms": 20 });
      const shared = {
        CARRIERS: carrierSetting(carrier, { binds: 3 }),
        SECRETS_KEY: randomBytes(32).toString("base64"),
      };
      const first = await start(carrier, shared);
      const customer = await buildCustomer(first, 100_000);
      const environment = { ...shared, DATABASE_URL: await readDatabaseUrl(first), DEMO: "off" };
      const hosts = await Promise.all([startProduct({ environment }), startProduct({ environment })]);
      cleanUps.push(async () => void (await Promise.all(hosts.map(removeProduct))));
      const { units } = await readUser(customer);

      const numbers = makeNumbers(30_000).values();
      const senders = Array.from({ length: 8 }, () => new KeyedSender(customer, hosts, numbers));
      const running = Promise.all(senders.map(async (sender) => await sender.run()));
      const countSent = (): number => senders.reduce((sum, { sentCount }) => sum + sentCount, 0);
      for (const [index, host] of hosts.entries()) {
        const before = countSent();
        await waitUntil(() => countSent() > before + 100, `sends before restart ${index + 1}`);
        expect(await host.stop()).toBe(0);
        const { port } = new URL(host.url);
        hosts[index] = await startProduct({ dataDir: host.dataDir, environment: { ...environment, PORT: port } });
      }
      const before = countSent();
      await waitUntil(() => countSent() > before + 100, "sends after the restarts");
      for (const sender of senders) sender.stop();
      await running;

      const sentCount = countSent();
      await waitUntil(async () => (await carrier.stats()).dlr_acked === sentCount, "a report of every message");
      expect(await carrier.stats()).toMatchObject({ accepted: sentCount, duplicates: 0, malformed: 0 });
      expect((await readUser(customer)).units).toBe(units - 3 * sentCount);
      // Somebody was turned away while a host was down: otherwise nothing was tried here.
      expect(senders.reduce((sum, { retriedCount }) => sum + retriedCount, 0)).toBeGreaterThan(0);
      for (const { output } of [first, ...hosts])
        expect(output.filter((line) => /"level":(?:50|60)\b/.test(line))).toEqual([]);
      await expectExactLedger(first);
    });

    test("1,000 parallel sends on a balance worth 33: exactly 33 are accepted", async () => {
      const carrier = await startCarrier();
      const product = await start(carrier);
      const customer = await buildCustomer(product, 100);
      const answers = await Promise.all(
        makeNumbers(1_000).map((phoneNo) =>
          send(customer, { senderName: "SHOP", message: "One", phoneNo, code: "234" }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(33);
      expect(
        answers.filter(({ status, body }) => status === 401 && (body as { code?: string }).code === "UNITS_REQUIRED"),
      ).toHaveLength(967);
      await waitUntil(async () => (await carrier.stats()).accepted === 33, "the 33 messages");
      expect((await readUser(customer)).units).toBe(1);
      await expectExactLedger(product);
    });

    test("dropped links and lost answers: none twice, what is unknown is settled by its receipt", async () => {
      const carrier = await startCarrier({ "dlr-delay-ms": 200, "drop-every": 4_000 });
      const product = await start(carrier);
      const customer = await buildCustomer(product, 100_000);
      const messageId = await startSend(customer, 20_000);
      const counts = await waitForEnd(customer, messageId, ({ waiting, sent }) => waiting === 0 && sent === 0);
      const stats = await carrier.stats();
      expect(stats).toMatchObject({ duplicates: 0, malformed: 0 });
      expect(stats.dropped_conns).toBeGreaterThanOrEqual(4);
      expect(counts.delivered + counts.unknown).toBe(20_000);
      await expectExactLedger(product);
    });

    test("a carrier that is away: messages wait, and go out when it is back", async () => {
      const carrier = await startCarrier();
      const product = await start(carrier);
      const customer = await buildCustomer(product, 10_000);
      await carrier.stop();
      const messageId = await startSend(customer, 1_000);
      await waitUntil(
        async () => (await findMessage(customer, messageId))?.counts.waiting === 1_000,
        "the waiting messages",
      );

      const back = await startCarrier({ port: carrier.smppPort });
      const counts = await waitForEnd(customer, messageId, ({ waiting, sent }) => waiting === 0 && sent === 0);
      expect(counts.delivered).toBe(1_000);
      expect(await back.stats()).toMatchObject({ accepted: 1_000, duplicates: 0 });
      await expectExactLedger(product);
    });
  },
);
