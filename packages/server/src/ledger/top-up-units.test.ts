import { describe } from "vitest";
import { v7 as uuidv7 } from "uuid";
import type { Db } from "../db/pool.ts";
import { isCheckViolation, isForeignKeyViolation } from "../db/sql-state.ts";
import { withTransaction, type Tx } from "../db/transaction.ts";
import { expect, overlap, test } from "../testing/database.ts";
import { buildUser } from "../testing/factories.ts";
import { buildHold, buildUserWithUnits, topUpUser } from "../testing/ledger-factories.ts";
import type { TopUpRequest } from "./index.ts";
import { openAccount, readBalance, readBalances, topUpUnits } from "./index.ts";

const topUp = (request: TopUpRequest) => (tx: Tx) => topUpUnits(tx, request);
const card = (userId: string, amountMilli = 5_000, reference = "ref-1"): TopUpRequest => ({
  userId,
  amountMilli,
  source: "card",
  reference,
});

async function readJournals(db: Db): Promise<unknown[]> {
  const { rows } = await db.query(
    `select j.kind, j.reference, j.note, json_object_agg(e.account, e.amount_milli) as entries
     from journal j join journal_entry e using (user_id, number) group by j.user_id, j.number order by j.number`,
  );
  return rows;
}

describe("refusals", () => {
  test("a reference that was credited with another amount is a conflict", async ({ db }) => {
    const { userId } = await buildUser(db);
    await withTransaction(db, topUp(card(userId)));
    await expect(withTransaction(db, topUp(card(userId, 5_001)))).rejects.toMatchObject({
      code: "IDEMPOTENCY_CONFLICT",
    });
    expect(await readBalance(db, userId)).toMatchObject({ balanceMilli: 5_000 });
  });

  test.for([0, -5, 1.5, Number.NaN, 2 ** 53])("%s is not an amount", async (amountMilli, { db }) => {
    const { userId } = await buildUser(db);
    await expect(withTransaction(db, topUp(card(userId, amountMilli)))).rejects.toThrow("not an amount");
  });

  test("an unknown customer gets no account", async ({ db }) => {
    const error = await withTransaction(db, topUp(card(uuidv7()))).catch((thrown: unknown) => thrown);
    expect(isForeignKeyViolation(error, "ledger_account_user_id_fkey")).toBe(true);
  });

  test("a balance beyond what a number keeps exactly is refused, never rounded", async ({ db }) => {
    const { userId } = await buildUser(db);
    await withTransaction(db, topUp(card(userId, Number.MAX_SAFE_INTEGER)));
    const error = await withTransaction(db, topUp(card(userId, 1, "ref-2"))).catch((thrown: unknown) => thrown);
    expect(isCheckViolation(error, "ledger_account_fits_a_number")).toBe(true);
    expect(await readBalance(db, userId)).toMatchObject({ freeMilli: Number.MAX_SAFE_INTEGER });
  });
});

test("the first units open the account; each source has its own counter-account", async ({ db }) => {
  const { userId } = await buildUser(db);
  expect(await readBalance(db, userId)).toEqual({ balanceMilli: 0, heldMilli: 0, freeMilli: 0 });
  await topUpUser(db, userId, 1_000, { source: "card", reference: "a" });
  await topUpUser(db, userId, 2_000, { source: "bank", reference: "a" });
  await topUpUser(db, userId, 3_000, { source: "manual", reference: "a", note: "goodwill" });
  expect(await readBalance(db, userId)).toMatchObject({ balanceMilli: 6_000 });
  expect(await readJournals(db)).toEqual([
    { kind: "card_payment", reference: "a", note: null, entries: { customer: 1_000, card_clearing: -1_000 } },
    { kind: "bank_deposit", reference: "a", note: null, entries: { customer: 2_000, bank_clearing: -2_000 } },
    { kind: "manual_credit", reference: "a", note: "goodwill", entries: { customer: 3_000, manual_credit: -3_000 } },
  ]);
});

test("a repeated reference returns the first top-up and adds nothing", async ({ db }) => {
  const { userId } = await buildUser(db);
  const first = await withTransaction(db, topUp(card(userId)));
  const again = await withTransaction(db, topUp(card(userId)));
  expect(first).toMatchObject({ isRepeat: false, amountMilli: 5_000, balance: { freeMilli: 5_000 } });
  expect(again).toEqual({ ...first, isRepeat: true });
  expect(await readJournals(db)).toHaveLength(1);
});

test("opening an account twice changes nothing", async ({ db }) => {
  const { userId } = await buildUserWithUnits(db, { balanceMilli: 7_000 });
  await withTransaction(db, (tx) => openAccount(tx, userId));
  expect(await readBalance(db, userId)).toMatchObject({ balanceMilli: 7_000 });
});

test("balances of many customers are read at once, zeros for those without an account", async ({ db }) => {
  const [rich, poor] = [await buildUserWithUnits(db, { balanceMilli: 9_000 }), await buildUser(db)];
  await buildHold(db, { userId: rich.userId, amountMilli: 2_000 });
  expect(await readBalances(db, [rich.userId, poor.userId])).toEqual(
    new Map([
      [rich.userId, { balanceMilli: 9_000, heldMilli: 2_000, freeMilli: 7_000 }],
      [poor.userId, { balanceMilli: 0, heldMilli: 0, freeMilli: 0 }],
    ]),
  );
});

describe("overlaps", () => {
  test("browser and webhook report one payment at once: it is credited once", async ({ db }) => {
    const { userId } = await buildUserWithUnits(db, { balanceMilli: 1_000 });
    const [first, second] = await overlap(db, topUp(card(userId)), topUp(card(userId)));
    expect([first, second]).toMatchObject([{ value: { isRepeat: false } }, { value: { isRepeat: true } }]);
    expect(await readBalance(db, userId)).toMatchObject({ balanceMilli: 6_000 });
  });

  test("a customer's first payment is reported twice at once, with no account to lock yet: it is credited once", async ({
    db,
  }) => {
    const { userId } = await buildUser(db);
    const [first, second] = await overlap(db, topUp(card(userId)), topUp(card(userId)));
    expect([first, second]).toMatchObject([{ value: { isRepeat: false } }, { value: { isRepeat: true } }]);
    expect(await readBalance(db, userId)).toMatchObject({ balanceMilli: 5_000 });
  });

  test("two payments at once are both credited, one after the other", async ({ db }) => {
    const { userId } = await buildUser(db);
    await overlap(db, topUp(card(userId, 5_000, "one")), topUp(card(userId, 7_000, "two")));
    expect(await readBalance(db, userId)).toMatchObject({ balanceMilli: 12_000 });
  });

  test("the first report fails after all: the second, which waited, credits", async ({ db }) => {
    const { userId } = await buildUser(db);
    const failing = async (tx: Tx): Promise<never> => {
      await topUpUnits(tx, card(userId));
      throw new Error("the mail could not be written");
    };
    const attempt = withTransaction(db, failing);
    await expect(attempt).rejects.toThrow("the mail");
    expect(await withTransaction(db, topUp(card(userId)))).toMatchObject({ isRepeat: false });
  });
});
