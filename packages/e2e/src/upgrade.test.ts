/**
 * Goal: an upgrade under load stops nobody. Method: a host of the release before works on a database while one of this release joins it,
 * migrates it and takes its share; customers send under keys to both, and a carrier that is not ours counts.
 */
import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { expectExactLedger, makeNumbers, readUser, signIn } from "./testing/api-client.ts";
import { carrierSetting, reasonWithoutForeignCarrier, startForeignCarrier } from "./testing/carrier.ts";
import { KeyedSender } from "./testing/keyed-sender.ts";
import { readDatabaseUrl, removeProduct, startProduct, waitUntil, type Product } from "./testing/product.ts";
import { exportReleaseBefore, reasonWithoutReleaseBefore } from "./testing/release-before.ts";

/** Sent in each phase at least. */
const PHASE_MESSAGES = 150;

const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function start(settings: Parameters<typeof startProduct>[0]): Promise<Product> {
  const product = await startProduct(settings);
  cleanUps.push(async () => await removeProduct(product));
  return product;
}

const skipReason = reasonWithoutReleaseBefore ?? reasonWithoutForeignCarrier;

describe.skipIf(skipReason !== undefined)(
  `an upgrade${skipReason === undefined ? "" : ` (skipped: ${skipReason})`}`,
  () => {
    test("under load: no keyed send fails, no worker stops, nothing is lost or sent twice", async () => {
      const release = await exportReleaseBefore();
      cleanUps.push(release.remove);
      const carrier = await startForeignCarrier({ "dlr-delay-ms": 20 });
      cleanUps.push(carrier.stop);
      const environment = {
        CARRIERS: carrierSetting(carrier, { binds: 2 }),
        SECRETS_KEY: randomBytes(32).toString("base64"),
      };
      const before = await start({ checkout: release.folder, environment });
      const customer = await signIn(before, before.demo.customer);
      const { units } = await readUser(customer);
      const hosts: { url: string }[] = [before];
      const numbers = makeNumbers(30_000).values();
      const text = { senderName: "DemoShop", message: "Upgrade", pauseMs: 20 };
      const senders = Array.from({ length: 4 }, () => new KeyedSender(customer, hosts, numbers, text));
      const sending = Promise.all(senders.map(async (sender) => await sender.run()));
      const countSent = (): number => senders.reduce((sum, { sentCount }) => sum + sentCount, 0);
      const passPhase = async (what: string): Promise<void> => {
        const sentCount = countSent();
        const reportedCount = (await carrier.stats()).dlr_acked;
        await waitUntil(() => countSent() > sentCount + PHASE_MESSAGES, `sends ${what}`);
        await waitUntil(
          async () => (await carrier.stats()).dlr_acked > reportedCount + PHASE_MESSAGES,
          `reports ${what}`,
        );
      };
      await passPhase("before the upgrade");

      const joined = { ...environment, DATABASE_URL: await readDatabaseUrl(before), DEMO: "off" };
      // It migrates; whatever is sent from then on is the work of the other release, until a worker of this one joins.
      const web = await start({ environment: { ...joined, ROLES: "web" } });
      hosts.push(web);
      await passPhase("by the worker of the release before, on the schema of this one");
      const worker = await start({ environment: { ...joined, ROLES: "worker" } });
      await waitUntil(() => worker.output.some((line) => line.includes('"carrier bound"')), "a bind of the new worker");
      await passPhase("by workers of both releases");
      for (const sender of senders) sender.stop();
      await sending;

      const sentCount = countSent();
      await waitUntil(async () => (await carrier.stats()).dlr_acked === sentCount, "a report of every message");
      expect(await carrier.stats()).toMatchObject({ accepted: sentCount, duplicates: 0, malformed: 0 });
      expect((await readUser(customer)).units).toBe(units - 3 * sentCount);
      // A claim or a flush that the new schema refuses would be here, in either release.
      for (const { output } of [before, web, worker])
        expect(output.filter((line) => /"level":(?:50|60)\b/.test(line))).toEqual([]);
      await expectExactLedger({ url: web.url, demo: before.demo });
    });
  },
);
