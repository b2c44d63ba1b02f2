/**
 * Goal: a full disk refuses, and loses nothing. Method: the whole product on a small file system of its own, which is
 * filled to the last byte and emptied again.
 */
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { equipCustomer, makeNumbers, readUser, registerCustomer, send, signIn } from "./testing/api-client.ts";
import { startProduct, waitUntil, type Product } from "./testing/product.ts";
import { fillDisk, mountSmallDisk, unmountSmallDisk } from "./testing/small-disk.ts";

const disk = mountSmallDisk(320);
let product: Product | undefined;

afterEach(async () => {
  await product?.stop();
  if (disk !== undefined) unmountSmallDisk(disk);
});

describe.skipIf(disk === undefined)(
  `a full disk${disk === undefined ? " (skipped: no file system can be mounted here)" : ""}`,
  () => {
    test("refuses sends in words, charges nothing, and goes on when there is room again", async () => {
      product = await startProduct({ dataDir: disk ?? "" });
      const customer = await registerCustomer(product);
      await equipCustomer(product, customer, 1_000_000, "SHOP");
      const body = { senderName: "SHOP", message: "Sale today", phoneNo: makeNumbers(20_000).join(","), code: "234" };
      const filler = join(disk ?? "", "filler");
      fillDisk(filler);

      // What is already allocated still takes a little; 60,000 units a send are more than fits soon.
      let acceptedCount = 0;
      const key = randomUUID();
      let refused: { status: number; body: unknown } | undefined;
      while (refused === undefined && acceptedCount < 10) {
        const answer = await send(customer, body, acceptedCount === 0 ? key : randomUUID());
        if (answer.status === 200) acceptedCount += 1;
        else refused = answer;
      }
      expect([503, 507]).toContain(refused?.status);
      expect(refused?.body).toMatchObject({ code: expect.stringMatching(/^(?:STORAGE_FULL|UNAVAILABLE)$/) as string });

      rmSync(filler);
      await waitUntil(
        async () => (await fetch(`${product?.url}/readyz`)).status === 200,
        "the service to be ready again",
      );
      const retryKey = randomUUID();
      expect((await send(customer, { ...body, message: "After" }, retryKey)).status).toBe(200);
      acceptedCount += 1;
      expect((await readUser(customer)).units).toBe(1_000_000 - acceptedCount * 60_000);
      const admin = await signIn(product, product.demo.admin, "admin");
      const ready = await admin.call<{ details: { ledger: { violations: number }[] } }>("GET", "/readyz");
      expect(ready.body.details.ledger.filter(({ violations }) => violations !== 0)).toEqual([]);
    });
  },
);
