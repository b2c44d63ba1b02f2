import * as fc from "fast-check";
import { describe } from "vitest";
import type { App } from "../../../../http/app-type.ts";
import { buildAdmin } from "../../../../testing/factories.ts";
import { buildHold, topUpUser } from "../../../../testing/ledger-factories.ts";
import { listMovements, readBalance } from "../../../../ledger/index.ts";
import { applyChargebackEvent } from "./apply-chargeback.ts";
import { expect, overlap, test as base } from "../testing/payment-test.ts";
import { unitsOfMoney } from "./move-chargeback.ts";
import { readChargebackEvent } from "./read-chargeback-event.ts";

const KOBO = 65_750;
const dispute = (reference: string, facts = {}) => ({
  id: 358_949,
  refund_amount: KOBO,
  status: "x",
  resolution: null,
  domain: "test",
  transaction: { reference, amount: KOBO },
  ...facts,
});
const refund = (reference: string, facts = {}) => ({
  status: "x",
  transaction_reference: reference,
  refund_reference: null,
  amount: String(KOBO),
  currency: "NGN",
  domain: "test",
  ...facts,
});

const test = base.extend<{
  paid: string;
  stateOf: () => Promise<{ state: string; frozenUnits: number; takenBackUnits: number }>;
}>({
  /** A payment of 500 units that was credited. */
  paid: async ({ begin, verify, paystack }, use) => {
    const reference = await begin(500);
    paystack.pay(reference);
    await verify(reference);
    await use(reference);
  },
  stateOf: async ({ verify, paid }, use) => {
    await use(async () => {
      const { state, frozenUnits, takenBackUnits } = (await verify(paid)).body.data ?? {
        state: "?",
        frozenUnits: 0,
        takenBackUnits: 0,
      };
      return { state, frozenUnits, takenBackUnits };
    });
  },
});

test("a disputed payment's units are set aside at once, and management hears of it", async ({
  paid,
  post,
  stateOf,
  freeMilli,
  mailsTo,
  user,
  db,
}) => {
  for (let times = 0; times < 3; times += 1) await post("charge.dispute.create", dispute(paid));
  await post("charge.dispute.remind", dispute(paid, { refund_amount: 0 }));
  expect(await freeMilli()).toBe(0);
  expect(await stateOf()).toEqual({ state: "frozen", frozenUnits: 500, takenBackUnits: 0 });
  const mails = await mailsTo("management@ewebal.com");
  expect(mails.map(({ subject }) => subject)).toEqual([`Card payment ${paid} is disputed`]);
  expect(mails[0]?.text).toContain("Set aside: 500.00");
  const [line] = await listMovements(db, user.userId, { limit: 1 });
  expect(line).toMatchObject({ cause: "freeze", reference: paid, amountMilli: -500_000 });
});

test("a dispute without success frees them again; nothing of it comes back to life", async ({
  paid,
  post,
  stateOf,
  freeMilli,
  mailsTo,
}) => {
  await post("charge.dispute.create", dispute(paid));
  await post("charge.dispute.resolve", dispute(paid, { resolution: "declined" }));
  expect(await freeMilli()).toBe(500_000);
  await post("charge.dispute.create", dispute(paid));
  await post("charge.dispute.resolve", dispute(paid, { resolution: "merchant-accepted" }));
  expect(await freeMilli()).toBe(500_000);
  expect(await stateOf()).toEqual({ state: "paid", frozenUnits: 0, takenBackUnits: 0 });
  expect(await mailsTo("management@ewebal.com")).toHaveLength(2);
});

test.for(["merchant-accepted", "auto-accepted"])(
  "a dispute that ends %s takes them back, once",
  async (resolution, { paid, post, stateOf, db, user }) => {
    await post("charge.dispute.create", dispute(paid));
    for (let times = 0; times < 3; times += 1) await post("charge.dispute.resolve", dispute(paid, { resolution }));
    expect(await readBalance(db, user.userId)).toEqual({ balanceMilli: 0, heldMilli: 0, freeMilli: 0 });
    expect(await stateOf()).toEqual({ state: "reversed", frozenUnits: 0, takenBackUnits: 500 });
    const lines = await listMovements(db, user.userId, { limit: 3 });
    expect(lines.map(({ cause, amountMilli }) => [cause, amountMilli])).toEqual([
      ["reversal", -500_000],
      ["freeze", 0],
      ["payment", 500_000],
    ]);
  },
);

test("what was spent cannot be set aside: no customer becomes negative, and administrators see the loss", async ({
  app,
  paid,
  post,
  db,
  user,
  signInAs,
}) => {
  await buildHold(db, { userId: user.userId, amountMilli: 380_500 });
  await post("charge.dispute.create", dispute(paid));
  expect(await readBalance(db, user.userId)).toEqual({ balanceMilli: 500_000, heldMilli: 500_000, freeMilli: 0 });
  await post("charge.dispute.resolve", dispute(paid, { resolution: "merchant-accepted" }));
  expect(await readBalance(db, user.userId)).toEqual({ balanceMilli: 380_500, heldMilli: 380_500, freeMilli: 0 });
  const headers = await signInAs(await buildAdmin(db));
  const { data } = (await app.inject({ url: "/api/view-all-payments?state=reversed", headers })).json<{
    data: unknown[];
  }>();
  expect(data).toMatchObject([
    {
      reference: paid,
      takenBackUnits: 119.5,
      claims: [{ kind: "dispute", state: "upheld", units: 500, spentUnits: 380.5, amountKobo: KOBO }],
    },
  ]);
});

test("units that are bought after all of it was spent are not touched", async ({ paid, post, db, user, freeMilli }) => {
  await buildHold(db, { userId: user.userId, amountMilli: 500_000 });
  await post("charge.dispute.create", dispute(paid));
  await topUpUser(db, user.userId, 70_000);
  await post("charge.dispute.resolve", dispute(paid, { resolution: "merchant-accepted" }));
  expect(await freeMilli()).toBe(70_000);
});

describe("refunds", () => {
  test("pending sets aside, processed takes back; its number comes late, its amount is text", async ({
    paid,
    post,
    stateOf,
    freeMilli,
  }) => {
    await post("refund.pending", refund(paid));
    await post("refund.processing", refund(paid, { amount: KOBO }));
    expect([await freeMilli(), (await stateOf()).state]).toEqual([0, "frozen"]);
    for (let times = 0; times < 2; times += 1)
      await post("refund.processed", refund(paid, { refund_reference: "132013318360" }));
    await post("refund.pending", refund(paid));
    expect(await stateOf()).toEqual({ state: "reversed", frozenUnits: 0, takenBackUnits: 500 });
  });

  test("a refund that fails frees the units", async ({ paid, post, stateOf, freeMilli }) => {
    await post("refund.pending", refund(paid));
    await post("refund.failed", refund(paid));
    expect([await freeMilli(), (await stateOf()).state]).toEqual([500_000, "paid"]);
  });

  test("a refund that is made again after one that failed takes the units back", async ({
    paid,
    post,
    stateOf,
    freeMilli,
  }) => {
    for (const event of ["refund.pending", "refund.failed", "refund.pending"]) await post(event, refund(paid));
    for (let times = 0; times < 2; times += 1) await post("refund.processed", refund(paid, { refund_reference: "2" }));
    expect([await freeMilli(), await stateOf()]).toEqual([
      0,
      { state: "reversed", frozenUnits: 0, takenBackUnits: 500 },
    ]);
  });

  test("parts of the money take parts of the units, rounded up, and together no more than all", async ({
    paid,
    post,
    stateOf,
    freeMilli,
  }) => {
    await post("refund.processed", refund(paid, { refund_reference: "1", amount: "10000" }));
    // 500,000 thousandths x 10,000 / 65,750 = 76,045.63
    expect(await freeMilli()).toBe(500_000 - 76_046);
    await post("refund.processed", refund(paid, { refund_reference: "2", amount: "10000" }));
    expect(await freeMilli()).toBe(500_000 - 152_092);
    await post("refund.processed", refund(paid, { refund_reference: "3", amount: "65750" }));
    await post("charge.dispute.create", dispute(paid));
    expect(await freeMilli()).toBe(0);
    expect(await stateOf()).toEqual({ state: "frozen", frozenUnits: 0, takenBackUnits: 500 });
  });

  test("an accepted dispute that is reported as a refund as well takes the units once", async ({
    paid,
    post,
    stateOf,
  }) => {
    await post("charge.dispute.create", dispute(paid));
    await post("charge.dispute.resolve", dispute(paid, { resolution: "merchant-accepted" }));
    await post("refund.processed", refund(paid, { refund_reference: "9" }));
    expect(await stateOf()).toEqual({ state: "reversed", frozenUnits: 0, takenBackUnits: 500 });
  });

  test("a dispute that is declined because the money went back leaves its units to the refund", async ({
    paid,
    post,
    stateOf,
    freeMilli,
    mailsTo,
  }) => {
    await post("charge.dispute.create", dispute(paid));
    await post("refund.processed", refund(paid, { refund_reference: "1" }));
    expect(await stateOf()).toEqual({ state: "frozen", frozenUnits: 500, takenBackUnits: 0 });
    for (let times = 0; times < 2; times += 1)
      await post("charge.dispute.resolve", dispute(paid, { resolution: "declined" }));
    expect([await freeMilli(), await stateOf()]).toEqual([
      0,
      { state: "reversed", frozenUnits: 0, takenBackUnits: 500 },
    ]);
    const last = (await mailsTo("management@ewebal.com")).at(-1);
    expect(last?.subject).toBe(`Card payment ${paid} was refunded`);
    expect(last?.text).toContain("Taken back: 500.00");
  });

  test("a dispute that is upheld for less leaves the rest to a refund that is open, which frees it when it fails", async ({
    paid,
    post,
    stateOf,
    freeMilli,
  }) => {
    await post("charge.dispute.create", dispute(paid));
    await post("refund.pending", refund(paid));
    await post("charge.dispute.resolve", dispute(paid, { resolution: "merchant-accepted", refund_amount: KOBO / 2 }));
    expect([await freeMilli(), await stateOf()]).toEqual([
      0,
      { state: "frozen", frozenUnits: 250, takenBackUnits: 250 },
    ]);
    await post("refund.failed", refund(paid));
    expect([await freeMilli(), await stateOf()]).toEqual([
      250_000,
      { state: "reversed", frozenUnits: 0, takenBackUnits: 250 },
    ]);
  });

  test("what the dispute could not set aside stays spent, whatever is bought meanwhile", async ({
    paid,
    post,
    stateOf,
    freeMilli,
    db,
    user,
  }) => {
    await buildHold(db, { userId: user.userId, amountMilli: 380_500 });
    await post("charge.dispute.create", dispute(paid));
    await post("refund.processed", refund(paid, { refund_reference: "1", amount: String(KOBO / 2) }));
    await topUpUser(db, user.userId, 70_000);
    await post("charge.dispute.resolve", dispute(paid, { resolution: "declined" }));
    expect([await freeMilli(), await stateOf()]).toEqual([
      70_000,
      { state: "reversed", frozenUnits: 0, takenBackUnits: 119.5 },
    ]);
    expect(
      (await db.query("select units_milli, spent_milli from card_payment_claim where kind = 'refund'")).rows,
    ).toEqual([{ units_milli: 250_000, spent_milli: 130_500 }]);
  });

  test("a refund that had only a part takes the rest", async ({ paid, post, stateOf, freeMilli }) => {
    await post("charge.dispute.create", dispute(paid, { refund_amount: KOBO * 0.6 }));
    await post("refund.processed", refund(paid, { refund_reference: "1" }));
    expect([await freeMilli(), await stateOf()]).toEqual([
      0,
      { state: "frozen", frozenUnits: 300, takenBackUnits: 200 },
    ]);
    await post("charge.dispute.resolve", dispute(paid, { resolution: "declined" }));
    expect([await freeMilli(), await stateOf()]).toEqual([
      0,
      { state: "reversed", frozenUnits: 0, takenBackUnits: 500 },
    ]);
  });

  test("two refunds share in turn what a dispute frees, and each is taken once", async ({
    paid,
    post,
    stateOf,
    freeMilli,
  }) => {
    await post("charge.dispute.create", dispute(paid));
    for (const number of ["1", "2"])
      await post("refund.processed", refund(paid, { refund_reference: number, amount: String(KOBO * 0.4) }));
    await post("charge.dispute.resolve", dispute(paid, { resolution: "declined" }));
    expect([await freeMilli(), await stateOf()]).toEqual([
      100_000,
      { state: "reversed", frozenUnits: 0, takenBackUnits: 400 },
    ]);
  });

  test("before the credit: a dispute that is declined leaves its units to the refund as well", async ({
    begin,
    verify,
    post,
    paystack,
    freeMilli,
  }) => {
    const reference = await begin(500);
    await post("charge.dispute.create", dispute(reference));
    await post("refund.processed", refund(reference, { refund_reference: "1" }));
    await post("charge.dispute.resolve", dispute(reference, { resolution: "declined" }));
    paystack.pay(reference);
    expect((await verify(reference)).body.data).toMatchObject({ state: "reversed", takenBackUnits: 500 });
    expect(await freeMilli()).toBe(0);
  });

  test("before the payment is credited: the credit applies it, and the receipt says what is left", async ({
    begin,
    verify,
    post,
    paystack,
    freeMilli,
    mailsTo,
    user,
  }) => {
    const reference = await begin(500);
    await post("refund.processed", refund(reference, { refund_reference: "1", amount: "32875" }));
    expect(await freeMilli()).toBe(0);
    paystack.pay(reference);
    expect((await verify(reference)).body.data).toMatchObject({ state: "reversed", takenBackUnits: 250 });
    expect(await freeMilli()).toBe(250_000);
    const receipt = (await mailsTo(user.email)).find(({ text }) => text.includes("Available now"));
    expect(receipt?.text).toContain("Available now: 250.00");
  });

  test("of the provider's other world change nothing", async ({ paid, post, freeMilli }) => {
    await post("refund.processed", refund(paid, { domain: "live" }));
    await post("charge.dispute.create", dispute(paid, { domain: "live" }));
    expect(await freeMilli()).toBe(500_000);
  });
});

test.for([
  ["charge.dispute.create", dispute],
  ["refund.pending", refund],
] as const)(
  "20 events %s at once are taken and freeze once",
  async ([event, dataOf], { paid, post, freeMilli, db, mailsTo }) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(event, dataOf(paid))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await freeMilli()).toBe(0);
    expect((await db.query("select from card_payment_claim")).rowCount).toBe(1);
    expect(await mailsTo("management@ewebal.com")).toHaveLength(1);
  },
);

test("a resolution waits for the freeze that is under way", async ({ deps, paid, user, db, stateOf }) => {
  const event = (name: string, facts = {}) => readChargebackEvent(name, dispute(paid, facts));
  const [create, resolve] = [
    event("charge.dispute.create"),
    event("charge.dispute.resolve", { resolution: "merchant-accepted" }),
  ];
  if (create === undefined || resolve === undefined) throw new Error("unreadable");
  await applyChargebackEvent(deps, create, "test");
  const own = "select from card_payment where user_id = $1 for no key update";
  const [first, second] = await overlap(
    db,
    async (tx) => (await tx.query(own, [user.userId])).rowCount,
    async () => {
      await applyChargebackEvent(deps, resolve, "test");
      // The first commits when the second waits or has ended: one that did not wait meets the lock here.
      return (await db.query(`${own} skip locked`, [user.userId])).rowCount;
    },
  );
  expect([first, second]).toEqual([
    { status: "fulfilled", value: 1 },
    { status: "fulfilled", value: 1 },
  ]);
  expect(await stateOf()).toMatchObject({ state: "reversed", takenBackUnits: 500 });
});

base("the units of a part of the money: never fewer, never a thousandth too many, never more than all", () => {
  const payment = fc.record({
    units: fc.integer({ min: 100, max: 5_000_000 }),
    totalKobo: fc.integer({ min: 25_150, max: 600_000_000 }),
  });
  fc.assert(
    fc.property(payment, fc.integer({ min: 1, max: 700_000_000 }), ({ units, totalKobo }, amountKobo) => {
      const milli = unitsOfMoney({ units, totalKobo }, amountKobo);
      const [all, total] = [BigInt(units) * 1000n, BigInt(totalKobo)];
      const wanted = amountKobo >= totalKobo ? all * total : all * BigInt(amountKobo);
      expect(BigInt(milli) * total).toBeGreaterThanOrEqual(wanted);
      expect((BigInt(milli) - 1n) * total).toBeLessThan(wanted);
      expect(BigInt(milli)).toBeLessThanOrEqual(all);
    }),
    { seed: 9, numRuns: 2_000 },
  );
});

describe("the invoice", () => {
  type Row = { number: string; gross: number; net: number; vat: number; corrections: Omit<Row, "corrections">[] };
  const invoices = async (app: App, userId: string, headers: Record<string, string>) =>
    (await app.inject({ url: `/api/${userId}/invoices`, headers })).json<{ data: Row[] }>().data;

  test("is corrected to the kobo by credit notes without gaps, each once, and never beyond it", async ({
    app,
    paid,
    post,
    user,
    signInAs,
    clock,
    db,
  }) => {
    const headers = await signInAs(user);
    expect((await invoices(app, user.userId, headers))[0]?.corrections).toEqual([]);
    // Odd parts, so that rounding each alone would lose a kobo.
    for (const [index, amount] of ["101", "333", "65316"].entries())
      for (let times = 0; times < 3; times += 1) {
        const facts = { amount, refund_reference: `R${index}` };
        await post("refund.pending", refund(paid, { ...facts, refund_reference: null }));
        await post("refund.processed", refund(paid, facts));
      }
    await post("charge.dispute.resolve", dispute(paid, { resolution: "merchant-accepted" }));
    const [invoice] = await invoices(app, user.userId, headers);
    const corrections = invoice?.corrections ?? [];
    const year = clock.now().getUTCFullYear();
    expect(corrections.map(({ number }) => number)).toEqual([1, 2, 3].map((number) => `CN-${year}-00000${number}`));
    const sum = (name: "gross" | "net" | "vat") =>
      Math.round(corrections.reduce((total, row) => total + row[name] * 100, 0)) / 100;
    expect([sum("gross"), sum("net"), sum("vat")]).toEqual([invoice?.gross, invoice?.net, invoice?.vat]);
    const { rows } = await db.query<{ id: string }>("select credit_note_id as id from credit_note order by number");
    const file = await app.inject({ url: `/api/${user.userId}/${rows[0]?.id}/invoice`, headers });
    expect([file.statusCode, file.headers["content-disposition"]]).toEqual([
      200,
      `attachment; filename="credit-note-CN-${year}-000001.pdf"`,
    ]);
  });

  test("is left alone by a dispute that is declined and a refund that failed", async ({ paid, post, db }) => {
    await post("charge.dispute.create", dispute(paid));
    await post("charge.dispute.resolve", dispute(paid, { resolution: "declined" }));
    await post("refund.pending", refund(paid));
    await post("refund.failed", refund(paid));
    expect((await db.query("select from credit_note")).rowCount).toBe(0);
  });

  test("of a payment that was refunded before it was credited has its credit note", async ({
    begin,
    verify,
    paystack,
    post,
    db,
  }) => {
    const reference = await begin(500);
    await post("refund.processed", refund(reference, { refund_reference: "R" }));
    paystack.pay(reference);
    await verify(reference);
    const { rows } = await db.query("select gross_kobo::integer as gross from credit_note");
    expect(rows).toEqual([{ gross: KOBO }]);
  });
});
