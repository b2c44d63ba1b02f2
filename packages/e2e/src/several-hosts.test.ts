/**
 * Goal: hosts of one installation fail one after the other and nobody notices but them. Method: two web hosts behind a proxy, three workers,
 * a database and a carrier that is not ours, each with an address of its own on a network that is cut, and on machines that stand still or
 * lose their power, while thousands of recipients go out. The carrier counts by number and text, and writes down when each one came.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { expectExactLedger, makeNumbers, readUser, send, signIn, type ApiClient } from "./testing/api-client.ts";
import {
  carrierSetting,
  reasonWithoutForeignCarrier,
  startForeignCarrier,
  type ForeignCarrier,
} from "./testing/carrier.ts";
import { startHostDatabase } from "./testing/host-database.ts";
import { HostNetwork, reasonWithoutHosts, type Host } from "./testing/host-network.ts";
import { KeyedSender } from "./testing/keyed-sender.ts";
import { makeDataDir, startProduct, waitUntil, type Product } from "./testing/product.ts";

/** What the carrier takes, from all hosts together. */
const MESSAGES_PER_SECOND = 300;
const BINDS = 6;
const WINDOW = 10;
const RECIPIENTS = 6_800;
const SENDER_NAME = "DemoShop";
const WEB_PORT = 3_000;
const TAKE_OVER_WITHIN_MS = 15_000;
const PAUSE_MS = 30_000;
/** How long a rate is measured. */
const MEASURED_MS = 2_000;

const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** What a page hears of one message, while its stream is open. */
class OpenPage {
  #heardCount = 0;
  readonly #leave = new AbortController();

  /** @param url of a host, or of the proxy. */
  static async open(customer: ApiClient, url: string): Promise<OpenPage> {
    const page = new OpenPage();
    const answer = await fetch(`${url}/api/events`, {
      headers: { authorization: customer.authorization },
      signal: page.#leave.signal,
    });
    expect(answer.status).toBe(200);
    const reading = page.#read(answer);
    cleanUps.push(async () => {
      page.#leave.abort();
      await reading;
    });
    return page;
  }

  async #read({ body }: Response): Promise<void> {
    try {
      for await (const chunk of body ?? []) if (Buffer.from(chunk).includes('"message:')) this.#heardCount += 1;
    } catch {
      // The host went away, or the test is over: `expectNews` says what was not heard.
    }
  }

  async expectNews(where: string): Promise<void> {
    const before = this.#heardCount;
    await waitUntil(() => this.#heardCount > before, `news at ${where}`, { withinMs: 2_000 });
  }
}

type Installation = {
  carrier: ForeignCarrier;
  recordFile: string;
  proxyUrl: string;
  hosts: Record<"web1" | "web2" | "worker1" | "worker2" | "worker3", Host>;
  /** The first worker knows the demo accounts. */
  products: Product[];
};

async function startInstallation(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), "ewebal-hosts-"));
  cleanUps.push(async () => await rm(folder, { recursive: true, force: true }));
  const network = await HostNetwork.make();
  cleanUps.push(async () => await network.remove());
  const database = network.addHost("database");
  const { url, remove } = await startHostDatabase(database);
  cleanUps.push(async () => {
    await database.remove();
    await remove();
  });
  const carrierHost = network.addHost("carrier");
  // A carrier gives up a link that nobody answers on; its receipts then go to another one.
  carrierHost.run("sh", "-c", "echo 4 > /proc/sys/net/ipv4/tcp_retries2");
  const recordFile = join(folder, "record");
  const carrier = await startForeignCarrier(
    {
      "dlr-delay-ms": 20,
      "enquire-ms": 2_000,
      "throttle-rate": MESSAGES_PER_SECOND,
      // What it reads at once after its own process stood still for half a second.
      "throttle-burst": MESSAGES_PER_SECOND / 2,
      record: recordFile,
    },
    carrierHost,
  );
  cleanUps.push(carrier.stop);

  const proxyHost = network.addHost("proxy");
  const proxyUrl = `http://${proxyHost.address}:${WEB_PORT}`;
  const environment = {
    CARRIERS: carrierSetting(carrier, {
      host: carrierHost.address,
      tls: false,
      binds: BINDS,
      window: WINDOW,
      messagesPerSecond: MESSAGES_PER_SECOND,
    }),
    DATABASE_URL: url,
    SECRETS_KEY: randomBytes(32).toString("base64"),
    PUBLIC_URL: proxyUrl,
    TRUST_PROXY: "1",
  };
  const startOn = async (host: Host, more: Record<string, string>): Promise<Product> => {
    const dataDir = await makeDataDir();
    cleanUps.push(async () => {
      await host.remove();
      await rm(dataDir, { recursive: true, force: true });
    });
    return await startProduct({
      command: host.command,
      dataDir,
      environment: { ...environment, DEMO: "off", ...more },
    });
  };
  const hosts = {
    web1: network.addHost("web1"),
    web2: network.addHost("web2"),
    worker1: network.addHost("worker1"),
    worker2: network.addHost("worker2"),
    worker3: network.addHost("worker3"),
  };
  const startWebOn = async (host: Host): Promise<Product> =>
    await startOn(host, { ROLES: "web", HOST: host.address, PORT: String(WEB_PORT) });
  // One web host before the other: where the pages are to be built, it builds them for both.
  const first = await Promise.all([startOn(hosts.worker1, { ROLES: "worker", DEMO: "on" }), startWebOn(hosts.web1)]);
  const others = await Promise.all([
    startOn(hosts.worker2, { ROLES: "worker" }),
    startOn(hosts.worker3, { ROLES: "worker" }),
    startWebOn(hosts.web2),
  ]);
  const [program = "", ...words] = [
    ...proxyHost.command,
    process.execPath,
    join(import.meta.dirname, "testing/web-proxy.ts"),
    proxyHost.address,
    String(WEB_PORT),
    ...[hosts.web1, hosts.web2].map(({ address }) => `http://${address}:${WEB_PORT}`),
  ];
  spawn(program, words, { stdio: "inherit" });
  await waitUntil(async () => {
    const answer = await fetch(`${proxyUrl}/healthz`).catch(() => undefined);
    return answer?.status === 200;
  }, "the proxy");
  return { carrier, recordFile, proxyUrl, hosts, products: [...first, ...others] };
}

/** When each message came, by the clock of `performance.now()`. */
async function readArrivals({ carrier, recordFile }: Installation): Promise<number[]> {
  await carrier.set("record", "");
  const lines = (await readFile(recordFile, "utf8")).trim().split("\n");
  // The carrier writes microseconds of the system's monotonic clock.
  const originMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();
  return lines.map((line) => Number(line.split("\t")[0]) / 1e3 - originMs);
}

/** What became of all recipients of a customer, and of how many nothing is known yet. */
async function countRecipients(
  customer: ApiClient,
  url: string,
): Promise<Record<"waiting" | "sent" | "delivered" | "unknown", number>> {
  const answer = await fetch(`${url}/api/${customer.actorId}/populate-sms-history?format=csv`, {
    headers: { authorization: customer.authorization },
  });
  const [heading = "", ...lines] = (await answer.text()).trim().split("\r\n");
  const cellsOf = (line: string): string[] => line.replace(/^\W*"|"$/g, "").split('","');
  const names = cellsOf(heading);
  const sum = (name: string): number =>
    lines.reduce((total, line) => total + Number(cellsOf(line)[names.indexOf(name)]), 0);
  return { waiting: sum("Waiting"), sent: sum("Sent on"), delivered: sum("Delivered"), unknown: sum("Unknown") };
}

const skipReason = reasonWithoutHosts ?? reasonWithoutForeignCarrier;

describe.skipIf(skipReason !== undefined)(
  `several hosts${skipReason === undefined ? "" : ` (skipped: ${skipReason})`}`,
  () => {
    test("one stands still, one is cut off, one loses its power: nothing lost, nothing twice, the pace kept", async () => {
      const installation = await startInstallation();
      const { carrier, hosts, proxyUrl, products } = installation;
      const demo = products[0]?.demo;
      if (demo === undefined) throw new Error("There are no demo accounts");
      const customer = await signIn({ url: proxyUrl }, demo.customer);
      const { units } = await readUser(customer);
      const urlOf = ({ address }: Host): string => `http://${address}:${WEB_PORT}`;

      const numbers = makeNumbers(RECIPIENTS + 20_000);
      const { status } = await send(customer, {
        senderName: SENDER_NAME,
        message: "Sale today",
        phoneNo: numbers.slice(0, RECIPIENTS).join(","),
        code: "234",
      });
      expect(status).toBe(200);
      const sender = new KeyedSender(customer, [{ url: proxyUrl }], numbers.slice(RECIPIENTS).values(), {
        senderName: SENDER_NAME,
        message: "Code",
      });
      const sending = sender.run();
      const pages = {
        web1: await OpenPage.open(customer, urlOf(hosts.web1)),
        web2: await OpenPage.open(customer, urlOf(hosts.web2)),
        proxy: await OpenPage.open(customer, proxyUrl),
      };
      for (const [where, page] of Object.entries(pages)) await page.expectNews(where);
      // All binds stand.
      await waitUntil(async () => (await carrier.stats()).accepted > MESSAGES_PER_SECOND, "the first messages");

      const stoppedAtMs = performance.now();
      const at = async (ms: number): Promise<void> => await sleep(Math.max(0, stoppedAtMs + ms - performance.now()));
      hosts.worker1.pause();
      hosts.worker2.cutOff();
      hosts.web1.cutOff();
      await at(TAKE_OVER_WITHIN_MS + MEASURED_MS);
      await pages.web2.expectNews("the web host that is left");
      hosts.worker2.reconnect();
      hosts.web1.reconnect();
      await at(24_000);
      // It sends for all three at that moment.
      const killedAtMs = performance.now();
      hosts.worker3.kill();
      await at(PAUSE_MS);
      hosts.worker1.resume();
      await at(killedAtMs - stoppedAtMs + TAKE_OVER_WITHIN_MS + MEASURED_MS);
      for (const url of [urlOf(hosts.web1), urlOf(hosts.web2), proxyUrl])
        await (await OpenPage.open(customer, url)).expectNews(url);
      sender.stop();
      await sending;

      const recipientCount = RECIPIENTS + sender.sentCount;
      let counts = await countRecipients(customer, proxyUrl);
      await waitUntil(
        async () => {
          counts = await countRecipients(customer, proxyUrl);
          return counts.waiting === 0 && counts.delivered === (await carrier.stats()).accepted;
        },
        "a report of every message that the carrier has",
        { withinMs: 60_000, everyMs: 500 },
      );
      const stats = await carrier.stats();
      expect(stats).toMatchObject({ duplicates: 0, malformed: 0, throttled: 0 });
      expect(counts).toEqual({
        waiting: 0,
        sent: 0,
        delivered: stats.accepted,
        unknown: recipientCount - stats.accepted,
      });
      // Two windows of each bind: two of the first two workers, and all of the third.
      expect(counts.unknown).toBeLessThanOrEqual(2 * WINDOW * (2 + 2 + BINDS));
      expect((await readUser(customer)).units).toBe(units - 3 * recipientCount);
      await expectExactLedger({ url: proxyUrl, demo });

      const arrivals = await readArrivals(installation);
      const rateFrom = (fromMs: number): number =>
        (arrivals.filter((ms) => ms >= fromMs && ms < fromMs + MEASURED_MS).length * 1_000) / MEASURED_MS;
      for (const fallenAtMs of [stoppedAtMs, killedAtMs]) {
        // It was missed, and then others had all of its binds and its messages.
        expect(rateFrom(fallenAtMs + MEASURED_MS)).toBeLessThan(MESSAGES_PER_SECOND / 2);
        expect(rateFrom(fallenAtMs + TAKE_OVER_WITHIN_MS)).toBeGreaterThan(0.8 * MESSAGES_PER_SECOND);
      }
    });
  },
);
