// Goal: the audit from the sealed point sees every damage that the full check sees, at a cost that follows what is new; and nobody who lacks the
// key changes what is sealed, or the seal, unseen.
import { randomBytes } from "node:crypto";
import { describe } from "vitest";
import { openLongSession, type Db } from "../db/pool.ts";
import { withTransaction } from "../db/transaction.ts";
import { expect, test as databaseTest } from "../testing/database.ts";
import { buildHold, buildUserWithUnits } from "../testing/ledger-factories.ts";
import { auditLedger, moveHolds, refundUnits, topUpUnits, type SealedAudit } from "./index.ts";

const KEY = randomBytes(32);
const LEFT = "the sealed point is as it was left";
const SEALED = "what is sealed is as it was";

type Options = Partial<Parameters<typeof auditLedger>[1]>;
type Fixtures = { audit: (options?: Options) => Promise<SealedAudit>; book: () => Promise<string> };

const test = databaseTest.extend<Fixtures>({
  audit: async ({ db }, use) => {
    // What refuses a change is switched off, as a superuser could.
    await db.query(
      `create or replace function refuse_ledger_change() returns trigger language plpgsql as $$ begin return case when tg_level = 'ROW' then new end; end $$;
       create or replace function refuse_unbalanced_entries() returns trigger language plpgsql as $$ begin return null; end $$`,
    );
    const session = await openLongSession(db);
    await use(async (options = {}) => await auditLedger(session, { keys: [KEY], rules: [], ...options }));
    await session.end();
  },
  /** A customer with a top-up, a charge and a refund: journals 1 to 3. */
  book: async ({ db }, use) => {
    await use(async () => {
      const { userId } = await buildUserWithUnits(db);
      await charge(db, userId);
      return userId;
    });
  },
});

async function charge(db: Db, userId: string): Promise<void> {
  const hold = await buildHold(db, { userId, amountMilli: 10_000 });
  await withTransaction(db, (tx) => moveHolds(tx, [{ ...hold, chargeMilli: 4_000, releaseMilli: 1_000 }]));
  await withTransaction(db, (tx) => refundUnits(tx, [{ ...hold, reference: hold.holdId, amountMilli: 3_000 }]));
}

function broken({ checks }: SealedAudit): string[] {
  return checks.filter(({ violations }) => violations > 0).map(({ name }) => name);
}

test("the first audit checks and seals everything, the next goes on from there", async ({ db, audit, book }) => {
  const userId = await book();
  const first = await audit();
  expect(first).toMatchObject({ from: undefined, sealedAt: expect.any(Date) as Date });
  await charge(db, userId);
  await book();
  const second = await audit();
  expect(second.from).toEqual(first.sealedAt);
  expect(broken(second)).toEqual([]);
  const { rows } = await db.query(
    "select number, (select journal_count from ledger_account a where a.user_id = s.user_id) as all from ledger_seal s",
  );
  expect(rows.toSorted((one, other) => Number(one["number"]) - Number(other["number"]))).toEqual([
    { number: 3, all: 3 },
    { number: 5, all: 5 },
  ]);
});

describe("damage after the sealed point is seen", () => {
  test.for([
    [
      "update journal_entry set amount_milli = amount_milli + 1 where account = 'sales' and number = 4",
      "amount_milli = amount_milli - 1",
      ["all entries sum to zero", "each journal balances and has two entries or more"],
    ],
    [
      "update ledger_account set balance_milli = balance_milli + 1 where journal_count = 5",
      "balance_milli = balance_milli - 1",
      ["each balance is the sum of its entries"],
    ],
    [
      "update ledger_account set journal_count = 6 where journal_count = 5",
      "journal_count = 5",
      ["each balance is the sum of its entries"],
    ],
    [
      "update journal set balance_after_milli = balance_after_milli + 1 where number = 4",
      "balance_after_milli = balance_after_milli - 1",
      ["journals are numbered without gaps and carry their balance"],
    ],
    [
      "update ledger_account set held_milli = held_milli - 1 where journal_count = 5",
      "held_milli = held_milli + 1",
      ["held units are the open holds"],
    ],
    [
      "update hold set captured_milli = captured_milli - 1, released_milli = released_milli + 1 where hold_id = (select hold_id from journal where number = 4)",
      "captured_milli = captured_milli + 1, released_milli = released_milli - 1",
      ["each hold is captured, released and open, as its journals say"],
    ],
    [
      "update ledger_account set balance_milli = balance_milli + 1 where journal_count = 3",
      "balance_milli = balance_milli - 1",
      ["each balance is the sum of its entries"],
    ],
  ] as const)("%s", async ([damage, undo, expected], { db, audit, book }) => {
    const [userId] = [await book(), await book()];
    await audit();
    await charge(db, userId);
    await db.query(damage);
    const audited = await audit({ rereadMax: 0 });
    expect(new Set(broken(audited))).toEqual(new Set(expected));
    expect(audited.sealedAt).toBeUndefined();
    const [table, where] = [
      /^update \w+/.exec(damage)?.[0],
      damage.slice(damage.indexOf(" where ")).replace("= 5", "in (5, 6)"),
    ];
    await db.query(`${table ?? ""} set ${undo}${where}`);
    expect(broken(await audit())).toEqual([]);
  });

  test("a journal that was slipped in behind the seal, and one that is missing", async ({ db, audit, book }) => {
    const userId = await book();
    await audit();
    await charge(db, userId);
    await db
      .query("update journal_entry set number = 40 where number = 4; update journal set number = 40 where number = 4")
      .catch(() => undefined);
    await db.query("alter table journal_entry drop constraint journal_entry_user_id_number_fkey");
    await db.query("update journal_entry set number = 40 where number = 4");
    await db.query("update journal set number = 40 where number = 4");
    expect(broken(await audit())).toContain("journals are numbered without gaps and carry their balance");
    await db.query("update journal_entry set number = 4 where number = 40");
    await db.query("update journal set number = 4 where number = 40");
  });

  test("one payment credited to two customers, once before and once after the seal", async ({ db, audit, book }) => {
    const [one, other] = [await book(), await book()];
    await withTransaction(db, (tx) =>
      topUpUnits(tx, { userId: one, amountMilli: 1_000, source: "bank", reference: "paid" }),
    );
    await audit();
    await withTransaction(db, (tx) =>
      topUpUnits(tx, { userId: other, amountMilli: 1_000, source: "bank", reference: "paid" }),
    );
    expect(broken(await audit())).toEqual(["each payment and deposit reached one customer"]);
    await db.query("update journal set reference = 'paid twice' where user_id = $1 and reference = 'paid'", [other]);
  });
});

describe("what is sealed", () => {
  test.for([
    [
      "update journal set reference = 'another' where kind = 'manual_credit'",
      "update journal set reference = 'top-up' where kind = 'manual_credit'",
    ],
    [
      "update journal_entry set account = 'bank_clearing' where account = 'manual_credit'",
      "update journal_entry set account = 'manual_credit' where account = 'bank_clearing'",
    ],
    [
      "update hold set captured_milli = captured_milli - 1, released_milli = released_milli + 1",
      "update hold set captured_milli = captured_milli + 1, released_milli = released_milli - 1",
    ],
  ] as const)("%s: is read again and compared", async ([damage, undo], { db, audit, book }) => {
    await book();
    await db.query("update journal set reference = 'top-up' where kind = 'manual_credit'");
    await audit();
    await db.query(damage);
    expect(broken(await audit({ rereadMax: 0 }))).toEqual([]);
    const audited = await audit();
    expect(broken(audited)).toEqual([SEALED]);
    expect(audited.sealedAt).toBeUndefined();
    await db.query(undo);
    expect(broken(await audit())).toEqual([]);
  });

  test("is read again in parts, customer after customer, and from the beginning when all was read", async ({
    db,
    audit,
    book,
  }) => {
    const users = [await book(), await book()].toSorted();
    await audit();
    const places = async (): Promise<number[]> => {
      const { rows } = await db.query<{ place: number }>(
        "select reread_number as place from ledger_seal order by user_id",
      );
      return rows.map(({ place }) => place);
    };
    const seen: number[][] = [];
    for (let night = 0; night < 4; night += 1) {
      expect(broken(await audit({ rereadMax: 2 }))).toEqual([]);
      seen.push(await places());
    }
    expect(seen).toEqual([
      [2, 0],
      [0, 1],
      [0, 0],
      [2, 0],
    ]);
    // The last journal of the second customer comes round in its turn.
    await db.query("update journal set note = 'changed' where user_id = $1 and number = 3", [users[1]]);
    const found = [await audit({ rereadMax: 2 }), await audit({ rereadMax: 2 })].map(broken);
    expect(found).toEqual([[], [SEALED]]);
  });
});

describe("the seal itself", () => {
  test.for([
    ["update ledger_seal set balance_milli = balance_milli + 1"],
    ["update ledger_seal set number = number - 1"],
    ["update ledger_seal set hash = sha256('another')"],
    ["update ledger_seal set reread_hash = sha256('another')"],
    ["delete from ledger_seal"],
    ["update ledger_sealed_point set sealed_at = sealed_at + interval '1 day'"],
    ["delete from ledger_sealed_point"],
  ] as const)(
    "%s: is told, everything is checked, and only somebody who is told to seals anew",
    async ([damage], { db, audit, book }) => {
      await book();
      await audit();
      await db.query(damage);
      for (let night = 0; night < 2; night += 1) {
        const audited = await audit();
        expect(audited).toMatchObject({ from: undefined, sealedAt: undefined });
        expect(broken(audited)).toEqual([LEFT]);
      }
      expect(broken(await audit({ isAnew: true }))).toEqual([]);
      expect(broken(await audit())).toEqual([]);
    },
  );

  test("is believed with a replaced key, marked with the new one, and not with a stranger's", async ({
    audit,
    book,
  }) => {
    await book();
    await audit();
    const [next, stranger] = [randomBytes(32), randomBytes(32)];
    expect(broken(await audit({ keys: [stranger] }))).toEqual([LEFT]);
    expect(broken(await audit({ keys: [next, KEY] }))).toEqual([]);
    expect(broken(await audit({ keys: [next] }))).toEqual([]);
    expect(broken(await audit({ keys: [KEY] }))).toEqual([LEFT]);
  });

  test("is refused to be deleted while its triggers are on", async ({ db, book }) => {
    await book();
    await expect(db.query("delete from ledger_seal")).rejects.toThrow("append-only");
    await expect(db.query("delete from ledger_sealed_point")).rejects.toThrow("append-only");
  });
});
