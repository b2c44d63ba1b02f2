import { describe } from "vitest";
import { withTransaction } from "../../db/transaction.ts";
import { expect, overlap, test as base, fakeClock, type FakeClock } from "../../testing/app.ts";
import { clientKey } from "./client-address.ts";
import { countTry, forgetTries } from "./rate-limit.ts";
import { deleteEndedWindows } from "./rate-limit-store.ts";

const rule = { name: "try", hitsMax: 3, windowMs: 60_000 };

const test = base.extend<{ rateDeps: { config: { isRateLimited: boolean }; clock: FakeClock } }>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  rateDeps: async ({}, use) => {
    await use({ config: { isRateLimited: true }, clock: fakeClock() });
  },
});

test("tries over the limit are refused with the seconds to wait, until the window ends", async ({ db, rateDeps }) => {
  for (let hit = 0; hit < 3; hit += 1) await countTry(rateDeps, db, rule, "ada");
  rateDeps.clock.advance(20_000);
  await expect(countTry(rateDeps, db, rule, "ada")).rejects.toMatchObject({
    code: "RATE_LIMITED",
    extra: { retryAfterSeconds: 40 },
  });
  rateDeps.clock.advance(39_999);
  await expect(countTry(rateDeps, db, rule, "ada")).rejects.toMatchObject({ extra: { retryAfterSeconds: 1 } });
  rateDeps.clock.advance(1);
  await countTry(rateDeps, db, rule, "ada");
});

test("another key and another rule count for themselves", async ({ db, rateDeps }) => {
  for (let hit = 0; hit < 3; hit += 1) await countTry(rateDeps, db, rule, "ada", "192.0.2.1");
  await countTry(rateDeps, db, rule, "ada", "192.0.2.2");
  await countTry(rateDeps, db, { ...rule, name: "other" }, "ada", "192.0.2.1");
});

test("100 tries at once let exactly the limit through", async ({ db, rateDeps }) => {
  const tries = await Promise.allSettled(Array.from({ length: 100 }, () => countTry(rateDeps, db, rule, "ada")));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
});

test("two transactions count one after the other", async ({ db, rateDeps }) => {
  const once = { ...rule, hitsMax: 1 };
  const [first, second] = await overlap(
    db,
    (tx) => countTry(rateDeps, tx, once, "ada"),
    (tx) => countTry(rateDeps, tx, once, "ada"),
  );
  expect([first.status, second.status]).toEqual(["fulfilled", "rejected"]);
});

test("a count made in a transaction goes with it", async ({ db, rateDeps }) => {
  const once = { ...rule, hitsMax: 1 };
  await expect(
    withTransaction(db, async (tx) => {
      await countTry(rateDeps, tx, once, "ada");
      throw new Error("the work failed");
    }),
  ).rejects.toThrow("the work failed");
  await countTry(rateDeps, db, once, "ada");
});

test("forgotten tries count no more, ended windows are cleared away, and off means off", async ({ db, rateDeps }) => {
  for (let hit = 0; hit < 3; hit += 1) await countTry(rateDeps, db, rule, "ada");
  await forgetTries(rateDeps, db, rule, "ada");
  await countTry(rateDeps, db, rule, "ada");
  expect(await deleteEndedWindows(db, rateDeps.clock.now())).toBe(0);
  rateDeps.clock.advance(60_000);
  expect(await deleteEndedWindows(db, rateDeps.clock.now())).toBe(1);
  const off = { ...rateDeps, config: { isRateLimited: false } };
  for (let hit = 0; hit < 10; hit += 1) await countTry(off, db, rule, "ada");
});

describe("clientKey", () => {
  test("an IPv4 address counts for itself, however it is written", () => {
    expect(clientKey("192.0.2.7")).toBe("192.0.2.7");
    expect(clientKey("::ffff:192.0.2.7")).toBe("192.0.2.7");
  });

  test("IPv6 addresses of one /64 count as one", () => {
    expect(clientKey("2001:db8::1")).toBe("2001:db8:0:0");
    expect(clientKey("2001:0DB8:0:0:ffff:1:2:3")).toBe("2001:db8:0:0");
    expect(clientKey("2001:db8:0:1::")).toBe("2001:db8:0:1");
    expect(clientKey("fe80::1%eth0")).toBe("fe80:0:0:0");
    expect(clientKey("::1")).toBe("0:0:0:0");
  });
});
