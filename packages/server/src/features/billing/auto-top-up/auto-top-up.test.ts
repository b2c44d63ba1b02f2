import type { AutoTopUpAnswer } from "@ewebal/contract";
import { describe } from "vitest";
import { withTransaction } from "../../../db/transaction.ts";
import { holdUnits } from "../../../ledger/index.ts";
import { buildMember, buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { v7 as uuidv7 } from "uuid";
import { checkOpenPayments } from "../payments/check-open-payments.ts";
import { settlePaymentQueue } from "../payments/settle-payment.ts";
import { expect, overlap, test as base } from "../payments/testing/payment-test.ts";
import { topUpLowBalances } from "./auto-top-up.ts";
import { chargeKeptCard, chargeKeptCardQueue } from "./charge-kept-card.ts";

type Answer = { status: number; code: string | undefined; data: AutoTopUpAnswer };

const test = base.extend<{
  set: (body: Record<string, unknown>, as?: BuiltUser) => Promise<Answer>;
  view: () => Promise<AutoTopUpAnswer>;
  /** Pays once by card, and turns the auto top-up on. */
  turnOn: (settings?: { below?: number; units?: number; perDayMax?: number }) => Promise<void>;
  /** A send takes units. */
  spend: (units: number) => Promise<void>;
  /** The look of the minute. @returns the payments that it began, oldest first. */
  look: () => Promise<string[]>;
  /** Does the charges that looks left behind. */
  charge: () => Promise<void>;
}>({
  set: async ({ app, user, signInAs }, use) => {
    await use(async (payload, as = user) => {
      const answer = await app.inject({
        method: "PATCH",
        url: `/api/${user.userId}/auto-top-up`,
        payload,
        headers: await signInAs(as),
      });
      const { code, data } = answer.json<{ code?: string; data: AutoTopUpAnswer }>();
      return { status: answer.statusCode, code, data };
    });
  },
  view: async ({ app, user, signInAs }, use) => {
    await use(async () => {
      const answer = await app.inject({ url: `/api/${user.userId}/auto-top-up`, headers: await signInAs(user) });
      return answer.json<{ data: AutoTopUpAnswer }>().data;
    });
  },
  turnOn: async ({ begin, verify, paystack, set }, use) => {
    await use(async (settings = {}) => {
      const reference = await begin(500);
      paystack.pay(reference);
      await verify(reference);
      const answer = await set({ isOn: true, below: 200, units: 300, perDayMax: 2, ...settings });
      expect([answer.status, answer.code]).toEqual([200, undefined]);
    });
  },
  spend: async ({ db, user }, use) => {
    await use(async (units) => {
      await withTransaction(db, async (tx) => {
        await holdUnits(tx, { userId: user.userId, holdId: uuidv7(), amountMilli: units * 1_000 });
      });
    });
  },
  look: async ({ deps, db }, use) => {
    await use(async () => {
      await topUpLowBalances(deps);
      const { rows } = await db.query<{ reference: string }>(
        "select reference from card_payment where is_automatic order by reference",
      );
      return rows.map(({ reference }) => reference);
    });
  },
  charge: async ({ deps }, use) => {
    await use(async () => {
      for (const { name, ids } of deps.jobs.enqueued.splice(0))
        if (name === chargeKeptCardQueue.name) await chargeKeptCardQueue.handle(deps, ids);
    });
  },
});

describe("refused", () => {
  test("without a card that paid, and what is no setting", async ({ set, view, begin }) => {
    const full = { isOn: true, below: 200, units: 300, perDayMax: 2 };
    await begin();
    expect(await set(full)).toMatchObject({ status: 409, code: "STATE_CONFLICT" });
    expect(await view()).toEqual({
      isOn: false,
      below: null,
      units: null,
      perDayMax: null,
      card: null,
      isStopped: false,
    });
    for (const wrong of [
      {},
      { ...full, below: 0 },
      { ...full, units: 99 },
      { ...full, units: 100.5 },
      { ...full, perDayMax: 11 },
      { ...full, bogus: 1 },
    ])
      expect((await set(wrong)).code, JSON.stringify(wrong)).toBe("VALIDATION");
    expect(await set({ isOn: false })).toMatchObject({ status: 200, data: { isOn: false } });
  });

  test("to everyone but the owner; without amounts", async ({ db, user, app, set, turnOn, signInAs }) => {
    await turnOn();
    const full = { isOn: true, below: 900, units: 900, perDayMax: 1 };
    const approver = await buildMember(db, { accountId: user.userId, role: "approver" });
    for (const other of [approver, await buildUser(db)]) expect((await set(full, other)).code).toBe("FORBIDDEN");
    const url = `/api/${user.userId}/auto-top-up`;
    expect((await app.inject({ method: "PATCH", url, payload: full })).statusCode).toBe(401);
    expect((await app.inject({ url, headers: await signInAs(await buildUser(db)) })).statusCode).toBe(403);
    await db.query("update auto_top_up set is_on = false, units = null");
    expect(await set({ isOn: true })).toMatchObject({ status: 400, code: "VALIDATION" });
  });
});

test("the card is kept sealed, and said by its last digits alone", async ({ db, turnOn, view }) => {
  await turnOn();
  expect((await view()).card).toEqual({ brand: "Visa", last4: "4081", expires: "12/30" });
  const { rows } = await db.query<{ row: string; sealed: Buffer }>(
    "select auto_top_up::text as row, sealed_authorization as sealed from auto_top_up",
  );
  expect(rows[0]?.row).not.toContain("AUTH_");
  expect(rows[0]?.sealed.toString("latin1")).not.toContain("AUTH_");
});

test("one charge for each crossing, and perDayMax a day of Lagos", async ({
  turnOn,
  spend,
  look,
  charge,
  freeMilli,
  clock,
}) => {
  await turnOn();
  expect(await look()).toEqual([]);
  await spend(301);
  expect(await look()).toHaveLength(1);
  expect(await look(), "the crossing has its charge").toHaveLength(1);
  await charge();
  expect(await freeMilli()).toBe(499_000);
  // Above and below again between two looks.
  await spend(400);
  expect(await look()).toHaveLength(2);
  await charge();
  await spend(300);
  expect(await freeMilli()).toBe(99_000);
  expect(await look(), "the limit of the day").toHaveLength(2);
  clock.advance(24 * 3_600_000);
  expect(await look()).toHaveLength(3);
  await charge();
  expect(await freeMilli()).toBe(399_000);
});

test("a charge that does not lift the units above the amount is not followed by another", async ({
  turnOn,
  spend,
  look,
  charge,
  set,
}) => {
  await turnOn({ below: 1_000, perDayMax: 5 });
  expect(await look()).toHaveLength(1);
  await charge();
  expect(await look()).toHaveLength(1);
  await spend(100);
  expect(await look()).toHaveLength(1);
  // The same and a higher amount say nothing new; a lower one that is not reached does.
  await set({ isOn: true, below: 2_000 });
  expect(await look()).toHaveLength(1);
  await set({ isOn: true, below: 1_500 });
  expect(await look()).toHaveLength(2);
});

test("20 of everything at once charge once and credit once", async ({
  deps,
  db,
  user,
  turnOn,
  spend,
  verify,
  post,
  paystack,
  clock,
  freeMilli,
  mailsTo,
}) => {
  await turnOn();
  await spend(400);
  const twenty = <Result>(work: () => Promise<Result>) => Array.from({ length: 20 }, work);
  await Promise.all(twenty(async () => await topUpLowBalances(deps)));
  const jobs = deps.jobs.enqueued.splice(0).filter(({ name }) => name === chargeKeptCardQueue.name);
  expect(jobs).toHaveLength(1);
  const [{ reference = "" } = {}] = jobs.map(({ ids }) => ids);
  clock.advance(120_000);
  await Promise.allSettled([
    ...twenty(async () => await chargeKeptCard(deps, { userId: user.userId, reference })),
    ...twenty(async () => await verify(reference)),
    ...twenty(async () => await post("charge.success", { reference })),
    ...twenty(async () => await settlePaymentQueue.handle(deps, { reference })),
    ...twenty(async () => await checkOpenPayments(deps)),
    ...twenty(async () => await topUpLowBalances(deps)),
  ]);
  await settlePaymentQueue.handle(deps, { reference });
  expect(paystack.calls.filter((call) => call.endsWith("charge_authorization"))).toHaveLength(1);
  expect(await freeMilli()).toBe(400_000);
  expect((await db.query("select from journal where kind = 'card_payment'")).rowCount).toBe(2);
  expect((await db.query("select from invoice")).rowCount).toBe(2);
  expect(await mailsTo(user.email)).toHaveLength(2);
});

test("of two looks at once the second waits for the first, and begins nothing", async ({
  deps,
  db,
  turnOn,
  spend,
  look,
}) => {
  await turnOn();
  await spend(400);
  const [first, second] = await overlap(
    db,
    async (tx) => await tx.query("update auto_top_up set is_below = true"),
    async () => await topUpLowBalances(deps),
  );
  expect([first.status, second.status]).toEqual(["fulfilled", "fulfilled"]);
  expect(await look()).toEqual([]);
});

describe("an answer that is lost", () => {
  test("after the charge: the payment is credited by whoever asks next, and the card is charged once", async ({
    deps,
    user,
    turnOn,
    spend,
    look,
    charge,
    paystack,
    clock,
    freeMilli,
  }) => {
    await turnOn();
    await spend(400);
    const [reference = ""] = await look();
    paystack.misbehave((request) => request.socket.destroy());
    await expect(charge()).rejects.toThrow();
    paystack.misbehave(undefined);
    // The provider had charged it.
    const [paid] = [...paystack.transactions.values()];
    paystack.transactions.set(reference, {
      ...paid,
      status: "success",
      reference,
      amount: 45_450,
      requested_amount: 45_450,
    });
    // The job's next run asks what became of it, as the reconciler does.
    await chargeKeptCard(deps, { userId: user.userId, reference });
    clock.advance(60_000);
    await checkOpenPayments(deps);
    expect(await freeMilli()).toBe(400_000);
    expect(paystack.calls.filter((call) => call.endsWith("charge_authorization"))).toHaveLength(1);
  });

  test("before the charge: the payment ends after an hour, and the crossing gets another", async ({
    deps,
    user,
    db,
    turnOn,
    spend,
    look,
    charge,
    clock,
    freeMilli,
  }) => {
    await turnOn();
    await spend(400);
    const [reference = ""] = await look();
    await db.query("update card_payment set charged_at = now() where reference = $1", [reference]);
    await chargeKeptCard(deps, { userId: user.userId, reference });
    clock.advance(3_600_000);
    await checkOpenPayments(deps);
    expect(await look()).toHaveLength(2);
    await charge();
    expect(await freeMilli()).toBe(400_000);
  });
});

describe("a card that is declined", () => {
  test("is tried once an hour, and switched off with one mail after three times; a paid card may be charged again", async ({
    deps,
    db,
    user,
    begin,
    verify,
    turnOn,
    spend,
    look,
    charge,
    view,
    set,
    paystack,
    clock,
    mailsTo,
  }) => {
    await turnOn({ perDayMax: 1 });
    await spend(400);
    paystack.chargesAre("failed");
    for (const count of [1, 2, 3]) {
      expect(await look()).toHaveLength(count);
      await charge();
      expect(await look(), "an hour between two").toHaveLength(count);
      await checkOpenPayments(deps);
      clock.advance(3_600_000);
    }
    expect(await look()).toHaveLength(3);
    expect(await view()).toMatchObject({ isOn: false, isStopped: true, below: 200 });
    const { rows } = await db.query("select distinct state from card_payment where is_automatic");
    expect(rows).toEqual([{ state: "failed" }]);
    const stopped = async () => (await mailsTo(user.email)).filter(({ subject }) => subject.startsWith("Auto top-up"));
    expect(await stopped()).toHaveLength(1);

    paystack.chargesAre("success");
    const reference = await begin(100);
    paystack.pay(reference);
    await verify(reference);
    expect((await set({ isOn: true })).data).toMatchObject({ isOn: true, isStopped: false });
    await spend(100);
    expect(await look()).toHaveLength(4);
    await charge();
    expect(await stopped()).toHaveLength(1);
  });

  test("by a refusal counts as well, and a payment that the provider reports later still counts", async ({
    db,
    turnOn,
    spend,
    look,
    charge,
    verify,
    paystack,
    freeMilli,
  }) => {
    await turnOn();
    await spend(400);
    await db.query("update auto_top_up set card_email = 'other@gmail.com'");
    const [reference = ""] = await look();
    await charge();
    const { rows } = await db.query("select declined_count as count, is_on as on from auto_top_up");
    expect(rows).toEqual([{ count: 1, on: true }]);
    const [paid] = [...paystack.transactions.values()];
    paystack.transactions.set(reference, {
      ...paid,
      status: "success",
      reference,
      amount: 45_450,
      requested_amount: 45_450,
    });
    expect((await verify(reference)).status).toBe(200);
    expect(await freeMilli()).toBe(400_000);
  });
});
