/**
 * Goal: nothing that is killed costs a message, a unit or a second SMS. Method: the whole product over carriers that are
 * not ours and count what they accepted by number and text; processes are killed while 100,000 recipients go out. With `CITUS=on`
 * the product works on a distributed database, and PostgreSQL is each of its servers in turn.
 *
 * All tests have one product, because a start costs more than most of them; each has customers, numbers and a carrier of its own. Those
 * side by side are killed in different places, or not at all.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { MessageCounts } from "@ewebal/contract";
import { accept, HttpProvider, plainCarrier } from "@ewebal/server/src/features/delivery/testing/http-provider.ts";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  equipCustomer,
  expectExactLedger,
  makeNumbers,
  findMessage,
  orNoAnswer,
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
import {
  isClusterWanted,
  reasonWithoutCluster,
  startClusterDatabase,
  type ClusterDatabase,
} from "./testing/cluster-database.ts";
import { KeyedSender } from "./testing/keyed-sender.ts";
import { patience, readDatabaseUrl, removeProduct, startProduct, waitUntil, type Product } from "./testing/product.ts";

// A cluster's three servers take longer than one, the more so where others work beside them. Nothing here is promised within a time.
if (isClusterWanted) vi.setConfig({ testTimeout: 900_000, hookTimeout: 600_000 });

/** The carrier of each test: how it behaves, and what the product is told of it besides. */
const carrierPlans = {
  workerKills: { options: { "dlr-delay-ms": 20 }, setting: {} },
  pacedKill: { options: { "dlr-delay-ms": 20 }, setting: { window: 20, binds: 2, messagesPerSecond: 200 } },
  databaseKills: { options: { "dlr-delay-ms": 20 }, setting: {} },
  webKills: { options: {}, setting: {}, code: "254" },
  restarts: { options: { "dlr-delay-ms": 20 }, setting: { binds: 3 } },
  overdraft: { options: {}, setting: {} },
  drops: { options: { "dlr-delay-ms": 200, "drop-every": 1_000 }, setting: {} },
  away: { options: {}, setting: {}, code: "233" },
} as const satisfies Record<
  string,
  { options: Record<string, number>; setting: Record<string, unknown>; code?: string }
>;
type CarrierName = keyof typeof carrierPlans;
const carrierNames = Object.keys(carrierPlans) as CarrierName[];

/** A provider over HTTP, whose worker the test of the ten kills kills beside it. */
const HTTP_NETWORK = "2348039";
const HTTP_WINDOW = 20;
const httpProvider = new HttpProvider(async (request, response, raw) => {
  await sleep(50);
  if (!raw.socket.destroyed) await accept(request, response, raw);
});

const carriers = {} as Record<CarrierName, ForeignCarrier>;
let environment: Record<string, string> = {};
let product: Product;
let cluster: ClusterDatabase | undefined;

/** A network of its own: a million numbers. Messages to the country of a carrier that is away wait for it. */
function networkOf(name: CarrierName): string {
  const plan = carrierPlans[name];
  return "code" in plan ? `${plan.code}240` : `23480${30 + carrierNames.indexOf(name)}`;
}

/** The dialling code of a network's country. */
function codeOf(number: string): string {
  return number.slice(0, 3);
}

function numbersOf(name: CarrierName, count: number): string[] {
  return makeNumbers(count).map((number) => networkOf(name) + number.slice(-6));
}

async function startAll(): Promise<void> {
  await Promise.all(
    carrierNames.map(async (name) => (carriers[name] = await startForeignCarrier({ ...carrierPlans[name].options }))),
  );
  const settings = carrierNames.flatMap(
    (name) =>
      JSON.parse(
        carrierSetting(carriers[name], { name, prefixes: [networkOf(name)], ...carrierPlans[name].setting }),
      ) as unknown[],
  );
  await httpProvider.listen();
  const overHttp = {
    ...plainCarrier(httpProvider.port),
    prefixes: [HTTP_NETWORK],
    window: HTTP_WINDOW,
    messagesPerSecond: 100,
  };
  environment = { CARRIERS: JSON.stringify([...settings, overHttp]), SECRETS_KEY: randomBytes(32).toString("base64") };
  cluster = isClusterWanted ? await startClusterDatabase() : undefined;
  product = await startProduct({
    environment: { ...environment, ...(cluster !== undefined && { DATABASE_URL: cluster.url }) },
  });
}

async function removeAll(): Promise<void> {
  if ((product as Product | undefined) !== undefined) await removeProduct(product);
  await cluster?.stop();
  await httpProvider.close();
  for (const carrier of Object.values(carriers)) await carrier.stop();
}

/** A customer with units and a sender name. */
async function buildCustomer(units: number): Promise<ApiClient & { email: string }> {
  const customer = await registerCustomer(product);
  await equipCustomer(product, customer, units, "SHOP");
  return customer;
}

async function startSend(customer: ApiClient, numbers: readonly string[]): Promise<string> {
  const { status, body } = await send(customer, {
    senderName: "SHOP",
    message: "Sale today",
    phoneNo: numbers.join(","),
    code: codeOf(numbers[0] ?? ""),
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
      // While a part of the product is away there is a refusal or no answer; the page would ask again as well.
      const message = await orNoAnswer(findMessage(customer, messageId));
      counts = message?.counts ?? counts;
      return message !== undefined && isEnd(message.counts);
    },
    "the end of the send",
    { withinMs: 150_000 * patience(), everyMs: 250 },
  );
  return counts as MessageCounts;
}

let awaySend: Promise<{ customer: ApiClient; messageId: string }> | undefined;

/** Before the web process is killed beside it: that is another test's. */
function sendWhileAway(): Promise<{ customer: ApiClient; messageId: string }> {
  awaySend ??= (async () => {
    await carriers.away.stop();
    const customer = await buildCustomer(20_000);
    return { customer, messageId: await startSend(customer, numbersOf("away", 1_000)) };
  })();
  return awaySend;
}

const skipReason = reasonWithoutForeignCarrier ?? reasonWithoutCluster;

describe.skipIf(skipReason !== undefined)(
  `faults${skipReason === undefined ? "" : ` (skipped: ${skipReason})`}`,
  () => {
    beforeAll(startAll);
    afterAll(removeAll);

    test.concurrent("ten kill -9 of the worker during 100,000 recipients: none lost, none twice, the ledger exact", async () => {
      const carrier = carriers.workerKills;
      const customer = await buildCustomer(400_000);
      const messageId = await startSend(customer, numbersOf("workerKills", 100_000));

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

    test.concurrent("requests under way over HTTP when the worker is killed are unknown, and none is sent twice", async () => {
      const customer = await buildCustomer(10_000);
      const numbers = makeNumbers(1_500).map((number) => HTTP_NETWORK + number.slice(-6));
      const messageId = await startSend(customer, numbers);
      const counts = await waitForEnd(customer, messageId, ({ waiting }) => waiting === 0);
      const { phoneNos } = httpProvider;
      expect(new Set(phoneNos).size).toBe(phoneNos.length);
      expect(counts.sent + counts.unknown).toBe(1_500);
      // Killed ten times at most, each with two windows at most between intent and record.
      expect(counts.unknown).toBeGreaterThanOrEqual(1);
      expect(counts.unknown).toBeLessThanOrEqual(10 * 2 * HTTP_WINDOW);
      expect(phoneNos.length).toBeGreaterThanOrEqual(counts.sent);
      expect(phoneNos.length + counts.unknown).toBeGreaterThanOrEqual(1_500);
      await expectExactLedger(product);
    });

    test.concurrent("dropped links and lost answers: none twice, what is unknown is settled by its receipt", async () => {
      const carrier = carriers.drops;
      const customer = await buildCustomer(100_000);
      const messageId = await startSend(customer, numbersOf("drops", 5_000));
      const counts = await waitForEnd(customer, messageId, ({ waiting, sent }) => waiting === 0 && sent === 0);
      const stats = await carrier.stats();
      expect(stats).toMatchObject({ duplicates: 0, malformed: 0 });
      expect(stats.dropped_conns).toBeGreaterThanOrEqual(4);
      expect(counts.delivered + counts.unknown).toBe(5_000);
      await expectExactLedger(product);
    });

    test("a kill -9 of the worker at 200 a second leaves at most 20 unknown", async () => {
      const carrier = carriers.pacedKill;
      const customer = await buildCustomer(4_000);
      const messageId = await startSend(customer, numbersOf("pacedKill", 1_000));
      await waitUntil(async () => (await carrier.stats()).accepted > 300, "progress before the kill");
      await product.killChild("worker");
      const { unknown } = await waitForEnd(customer, messageId, ({ waiting, sent }) => waiting === 0 && sent === 0);
      expect(unknown).toBeLessThanOrEqual(20);
      expect(await carrier.stats()).toMatchObject({ duplicates: 0, malformed: 0 });
    });

    test.concurrent("kill -9 of the web process between request and answer: a client that retries its key is charged once", async () => {
      // What is charged does not wait for a carrier.
      await carriers.webKills.stop();
      const customer = await buildCustomer(600_000);
      const phoneNo = numbersOf("webKills", 20_000).join(",");
      await sendWhileAway();
      const body = { senderName: "SHOP", message: "Once", phoneNo, code: codeOf(phoneNo) };

      for (const delayMs of [5, 30, 80, 150, 300]) {
        const key = randomUUID();
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
        expect((await readUser(customer)).units).toBe(units - 20_000 * 5.9);
      }
      await expectExactLedger(product);
    });

    test.concurrent("a carrier that is away: messages wait, and go out when it is back", async () => {
      const { customer, messageId } = await sendWhileAway();
      await waitUntil(
        async () => (await orNoAnswer(findMessage(customer, messageId)))?.counts.waiting === 1_000,
        "the waiting messages",
      );

      const back = await startForeignCarrier({ port: carriers.away.smppPort });
      carriers.away = back;
      const counts = await waitForEnd(customer, messageId, ({ waiting, sent }) => waiting === 0 && sent === 0);
      expect(counts.delivered).toBe(1_000);
      expect(await back.stats()).toMatchObject({ accepted: 1_000, duplicates: 0 });
      // The test beside this one kills the web process that is asked for the ledger.
      await waitUntil(
        async () => (await orNoAnswer(expectExactLedger(product).then(() => true))) === true,
        "an answer about the ledger",
      );
    });

    test("five kill -9 of PostgreSQL during 40,000 recipients: none lost, the ledger exact", async () => {
      const carrier = carriers.databaseKills;
      const customer = await buildCustomer(400_000);
      const messageId = await startSend(customer, numbersOf("databaseKills", 40_000));

      for (let kill = 1; kill <= 5; kill += 1) {
        const before = (await carrier.stats()).accepted;
        await waitUntil(async () => (await carrier.stats()).accepted > before + 500, `progress before kill ${kill}`);
        expect((await carrier.stats()).accepted).toBeLessThan(40_000);
        await (cluster === undefined ? product.killDatabase() : cluster.kill((kill - 1) % cluster.serverCount));
        await waitUntil(
          async () => (await fetch(`${product.url}/readyz`)).status === 200,
          "the service to be ready again",
        );
      }
      const counts = await waitForEnd(customer, messageId, ({ waiting, sent }) => waiting === 0 && sent === 0);

      expect(await carrier.stats()).toMatchObject({ duplicates: 0, malformed: 0 });
      expect(counts.delivered + counts.unknown).toBe(40_000);
      await expectExactLedger(product);
    });

    test("hosts that are restarted one after the other under load: no keyed send fails, none is lost or sent twice", async () => {
      const carrier = carriers.restarts;
      const customer = await buildCustomer(100_000);
      const earlierLineCount = product.output.length;
      const joined = { ...environment, DATABASE_URL: cluster?.url ?? (await readDatabaseUrl(product)), DEMO: "off" };
      const hosts = await Promise.all([0, 1].map(async () => await startProduct({ environment: joined })));
      onTestFinished(async () => void (await Promise.all(hosts.map(removeProduct))));
      const { units } = await readUser(customer);

      const numbers = numbersOf("restarts", 30_000).values();
      const senders = Array.from({ length: 8 }, () => new KeyedSender(customer, hosts, numbers, { pauseMs: 20 }));
      const running = Promise.all(senders.map(async (sender) => await sender.run()));
      const countSent = (): number => senders.reduce((sum, { sentCount }) => sum + sentCount, 0);
      for (const [index, host] of hosts.entries()) {
        const before = countSent();
        await waitUntil(() => countSent() > before + 100, `sends before restart ${index + 1}`);
        expect(await host.stop()).toBe(0);
        const { port } = new URL(host.url);
        hosts[index] = await startProduct({ dataDir: host.dataDir, environment: { ...joined, PORT: port } });
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
      for (const output of [product.output.slice(earlierLineCount), ...hosts.map((host) => host.output)])
        expect(output.filter((line) => /"level":(?:50|60)\b/.test(line))).toEqual([]);
      await expectExactLedger(product);
    });

    test("1,000 parallel sends on a balance worth 33: exactly 33 are accepted", async () => {
      const carrier = carriers.overdraft;
      const customer = await buildCustomer(100);
      const answers = await Promise.all(
        numbersOf("overdraft", 1_000).map((phoneNo) =>
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
  },
);
