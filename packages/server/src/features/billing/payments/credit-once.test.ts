import { describe } from "vitest";
import { checkOpenPayments } from "./check-open-payments.ts";
import { markPaid } from "./payment-store.ts";
import { getPayment, settlePayment, settlePaymentQueue } from "./settle-payment.ts";
import { expect, overlap, test } from "./testing/payment-test.ts";

// Goal: one payment arrives once, whoever reports it first and however often.

test("20 verifications, 20 events and 20 reconcilers at once credit once and mail once", async ({
  deps,
  db,
  user,
  begin,
  verify,
  post,
  paystack,
  clock,
  freeMilli,
  mailsTo,
}) => {
  const reference = await begin(500);
  paystack.pay(reference);
  clock.advance(3_600_000);
  const twenty = <Result>(work: () => Promise<Result>) => Array.from({ length: 20 }, work);
  const answers = await Promise.all([
    ...twenty(async () => (await verify(reference)).status),
    ...twenty(async () => (await post("charge.success", { reference })).status),
    ...twenty(async () => {
      await settlePaymentQueue.handle(deps, { reference });
      return 200;
    }),
    ...twenty(async () => {
      await checkOpenPayments(deps);
      return 200;
    }),
  ]);
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(await freeMilli()).toBe(500_000);
  expect((await db.query("select from journal where kind = 'card_payment'")).rowCount).toBe(1);
  expect(await mailsTo(user.email)).toHaveLength(1);
});

test("the second of two waits for the first, and finds the payment credited", async ({
  deps,
  db,
  user,
  begin,
  paystack,
  freeMilli,
}) => {
  const reference = await begin(500);
  paystack.pay(reference);
  const payment = await getPayment(deps, { userId: user.userId, reference });
  const [first, second] = await overlap(
    db,
    (tx) =>
      markPaid(tx, payment, { now: new Date(), channel: null, providerId: null }).then(() =>
        tx.query("select pg_sleep(0)"),
      ),
    () => settlePayment(deps, payment),
  );
  // The first marked it and credited nothing: a bug that the ledger's view would shout about. The second must still not credit.
  expect([first.status, second]).toMatchObject(["fulfilled", { status: "fulfilled", value: "paid" }]);
  expect(await freeMilli()).toBe(0);
  await db.query("update card_payment set state = 'open', paid_at = null");
  await settlePayment(deps, payment);
  expect(await freeMilli()).toBe(500_000);
});

test("a payment that was ended and is paid after all still counts", async ({
  db,
  begin,
  verify,
  paystack,
  freeMilli,
}) => {
  const reference = await begin(500);
  await db.query("update card_payment set state = 'ended', next_check_at = null");
  paystack.pay(reference);
  expect((await verify(reference)).body).toMatchObject({ data: { state: "paid" } });
  expect(await freeMilli()).toBe(500_000);
});

describe("killed between the provider's answer and the commit", () => {
  test("nothing is credited, and the reconciler credits it a minute later", async ({
    deps,
    db,
    user,
    begin,
    paystack,
    clock,
    freeMilli,
  }) => {
    const reference = await begin(500);
    paystack.pay(reference);
    const payment = await getPayment(deps, { userId: user.userId, reference });
    // The session ends itself when the receipt's mail is written: the units are moved by then, and not committed.
    await db.query(`
      create function die() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
      create trigger die before insert on mail for each row execute function die()`);
    await expect(settlePayment(deps, payment)).rejects.toThrow();
    await db.query("drop trigger die on mail");
    expect((await getPayment(deps, payment)).state).toBe("open");
    expect(await freeMilli()).toBe(0);
    await checkOpenPayments(deps);
    expect(await freeMilli(), "not before its time").toBe(0);
    clock.advance(60_000);
    await checkOpenPayments(deps);
    expect(await freeMilli()).toBe(500_000);
  });

  test("a process that dies before the provider answered leaves a row that ends by itself", async ({
    deps,
    db,
    user,
    paystack,
    clock,
    app,
    signInAs,
  }) => {
    paystack.misbehave((request) => request.socket.destroy());
    const payload = { email: user.email, amount: 1, proposedUnits: 500 };
    await app.inject({ method: "POST", url: "/api/paystack-payment", payload, headers: await signInAs(user) });
    paystack.misbehave(undefined);
    const state = async () => (await db.query("select state from card_payment")).rows[0];
    clock.advance(60_000);
    await checkOpenPayments(deps);
    expect(await state()).toEqual({ state: "open" });
    clock.advance(3_600_000);
    await checkOpenPayments(deps);
    expect(await state()).toEqual({ state: "ended" });
  });
});
