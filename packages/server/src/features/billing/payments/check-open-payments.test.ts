import { expect, test } from "./testing/payment-test.ts";
import { checkOpenPayments } from "./check-open-payments.ts";

const MINUTE_MS = 60_000;

test("a payment is asked about after 1, 2, 4 ... minutes and then every hour, for 72 hours", async ({
  deps,
  begin,
  paystack,
  clock,
  db,
}) => {
  await begin();
  paystack.calls.length = 0;
  const askedAtMinutes: number[] = [];
  for (let minute = 1; minute <= 73 * 60; minute += 1) {
    clock.advance(MINUTE_MS);
    const before = paystack.calls.length;
    // Far fewer runs than a cron's, because nothing is due in between.
    const { rows } = await db.query<{ isDue: boolean }>(`select next_check_at <= $1 as "isDue" from card_payment`, [
      clock.now(),
    ]);
    if (rows[0]?.isDue === true) await checkOpenPayments(deps);
    if (paystack.calls.length > before) askedAtMinutes.push(minute);
  }
  expect(askedAtMinutes.slice(0, 9)).toEqual([1, 2, 4, 8, 16, 32, 64, 124, 184]);
  expect(askedAtMinutes.at(-1)).toBeGreaterThanOrEqual(72 * 60);
  expect(askedAtMinutes.length).toBeLessThan(85);
  expect((await db.query("select state from card_payment")).rows).toEqual([{ state: "ended" }]);
}, 30_000);

test("money that arrives while nobody looks is found, many at once", async ({
  deps,
  begin,
  paystack,
  clock,
  freeMilli,
}) => {
  const references = await Promise.all(Array.from({ length: 20 }, () => begin(100)));
  for (const reference of references) paystack.pay(reference);
  clock.advance(MINUTE_MS);
  await checkOpenPayments(deps);
  expect(await freeMilli()).toBe(2_000_000);
});

test("a declined card shows, and may still pay", async ({ deps, db, begin, paystack, clock, freeMilli }) => {
  const reference = await begin(100);
  paystack.pay(reference, { status: "failed" });
  clock.advance(MINUTE_MS);
  await checkOpenPayments(deps);
  expect((await db.query("select state, provider_status from card_payment")).rows).toEqual([
    { state: "failed", provider_status: "failed" },
  ]);
  paystack.pay(reference);
  clock.advance(MINUTE_MS);
  await checkOpenPayments(deps);
  expect(await freeMilli()).toBe(100_000);
});

test("while the provider does not answer nothing ends, however old, and few questions are asked", async ({
  deps,
  db,
  begin,
  paystack,
  clock,
}) => {
  for (let count = 0; count < 12; count += 1) await begin(100);
  clock.advance(80 * 3_600_000);
  paystack.calls.length = 0;
  paystack.misbehave((_, response) => response.writeHead(503).end());
  await checkOpenPayments(deps);
  expect(paystack.calls).toHaveLength(16); // One group of eight, each asked twice.
  expect((await db.query("select from card_payment where state = 'open'")).rowCount).toBe(12);
});

test("a payment of the sandbox is never asked about at the real provider", async ({
  deps,
  db,
  begin,
  paystack,
  clock,
}) => {
  await begin(100);
  await db.query("update card_payment set is_sandbox = true");
  paystack.calls.length = 0;
  clock.advance(2 * 3_600_000);
  await checkOpenPayments(deps);
  expect(paystack.calls).toEqual([]);
  expect((await db.query("select state from card_payment")).rows).toEqual([{ state: "ended" }]);
});
