import { describe } from "vitest";
import { withTransaction } from "../../../db/transaction.ts";
import { buildCarrier, buildMessage, testPhoneNos } from "../../../testing/delivery-factories.ts";
import { expect, overlap, test } from "../../../testing/database.ts";
import { addDndNumbers, findDndNumbers, listDndNumbers, removeDndNumbers } from "../dnd/dnd-numbers.ts";
import { ensurePartitions } from "../outcomes/ensure-partitions.ts";
import { hasRoute } from "../carriers/carrier-store.ts";
import { getMessage } from "../lists/list-messages.ts";
import { takeTurns } from "./message-store.ts";
import { upsertCarriers } from "../carriers/carrier-store.ts";

describe("queueing", () => {
  test("1,203 numbers are three batches, and the message shows the first 100", async ({ db }) => {
    const message = await buildMessage(db, { recipientCount: 1_203, pageCount: 2, priceMilli: 6_000 });
    const { rows } = await db.query(
      "select batch_index, recipient_count, state, is_express from message_batch order by batch_index",
    );
    expect(rows).toEqual([
      { batch_index: 0, recipient_count: 500, state: 1, is_express: false },
      { batch_index: 1, recipient_count: 500, state: 1, is_express: false },
      { batch_index: 2, recipient_count: 203, state: 1, is_express: false },
    ]);
    expect(await getMessage(db, message)).toMatchObject({
      state: "sending",
      recipientCount: 1_203,
      priceMilli: 6_000,
      firstPhoneNos: message.phoneNos.slice(0, 100),
      counts: { waiting: 1_203, sent: 0 },
    });
  });

  test("a batch whose numbers are all on the do-not-disturb list is done at once", async ({ db }) => {
    const phoneNos = testPhoneNos(700);
    await buildMessage(db, { phoneNos, dndPhoneNos: phoneNos.slice(0, 500) });
    const { rows } = await db.query("select state from message_batch order by batch_index");
    expect(rows).toEqual([{ state: 3 }, { state: 1 }]);
  });

  test("two sends of one customer at once take turns one behind the other", async ({ db }) => {
    const { userId } = await buildMessage(db);
    const take = (tx: Parameters<typeof takeTurns>[0]) => takeTurns(tx, { userId, isExpress: false, cost: 700 });
    const [first, second] = await overlap(db, take, take);
    expect([first, second]).toMatchObject([{ value: 0 }, { value: 700 }]);
  });
});

describe("the do-not-disturb list", () => {
  test("is looked up in bulk", async ({ db }) => {
    expect(await findDndNumbers(db, testPhoneNos(10))).toEqual(new Set());
    const listed = testPhoneNos(3, 60_000);
    expect(await addDndNumbers(db, { phoneNos: [...listed, ...listed], source: "admin" })).toBe(3);
    expect(await addDndNumbers(db, { phoneNos: listed, source: "carrier" })).toBe(0);
    expect(await findDndNumbers(db, testPhoneNos(120_000))).toEqual(new Set(listed));
    expect(await findDndNumbers(db, Float64Array.from(listed))).toEqual(new Set(listed));
    expect(await removeDndNumbers(db, [listed[0] ?? 0])).toBe(1);
    const page = await listDndNumbers(db, { limit: 1 });
    expect(page).toMatchObject({ rows: [{ phoneNo: listed[2], source: "admin" }], next: expect.any(String) });
    expect(await listDndNumbers(db, { limit: 1, after: page.next ?? "" })).toMatchObject({
      rows: [{ phoneNo: listed[1] }],
      next: null,
    });
    await expect(listDndNumbers(db, { limit: 1, after: "x" })).rejects.toMatchObject({ code: "VALIDATION" });
  });
});

describe("a route", () => {
  test("is there where an enabled carrier takes some numbers of the code", async ({ db }) => {
    expect(await hasRoute(db, "234")).toBe(false);
    await buildCarrier(db, { prefixes: ["234803"] });
    await buildCarrier(db, { prefixes: ["23"], isEnabled: false });
    expect([await hasRoute(db, "234"), await hasRoute(db, "233"), await hasRoute(db, "44")]).toEqual([
      true,
      false,
      false,
    ]);
    await buildCarrier(db, { prefixes: [] });
    expect(await hasRoute(db, "44")).toBe(true);
  });

  test("follows the configuration: carriers keep their ids, and those that are gone take no more", async ({ db }) => {
    const one = { name: "one", prefixes: ["234"], weight: 1, priority: 0, bindCount: 1 };
    const two = { ...one, name: "two" };
    const [first] = await withTransaction(db, (tx) => upsertCarriers(tx, [one, two]));
    expect(await withTransaction(db, (tx) => upsertCarriers(tx, [two]))).toMatchObject([{ name: "two" }]);
    const rows = await withTransaction(db, (tx) => upsertCarriers(tx, [{ ...one, prefixes: ["233"] }]));
    expect(rows).toMatchObject([{ carrierId: first?.carrierId, prefixes: ["233"] }]);
  });
});

describe("partitions", () => {
  test("of this month and the next two are made once, and take the rows of their time", async ({ db }) => {
    const now = new Date("2027-11-20T12:00:00Z");
    expect(await ensurePartitions(db, now)).toEqual([
      ...["2027_11", "2027_12", "2028_01"].map((month) => `delivery_${month}`),
      ...["2027_11", "2027_12", "2028_01"].map((month) => `delivery_part_${month}`),
    ]);
    expect(await ensurePartitions(db, now)).toEqual([]);
    expect(await ensurePartitions(db, new Date("2027-12-01T00:00:00Z"))).toEqual([
      "delivery_2028_02",
      "delivery_part_2028_02",
    ]);
    const at = async (iso: string) => {
      const time = new Date(iso).getTime().toString(16).padStart(12, "0");
      const messageId = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
      await db.query(
        `insert into delivery (user_id, message_id, position, phone_no, state, submitted_at, updated_at) values ($1, $1, 0, 1, 1, now(), now())`,
        [messageId],
      );
      const { rows } = await db.query<{ partition: string }>(
        "select tableoid::regclass::text as partition from delivery where user_id = $1 and message_id = $1",
        [messageId],
      );
      // A server of a cluster names its part of the table.
      return rows[0]?.partition.replace(/_\d{6,}$/, "");
    };
    expect(await at("2027-11-01T00:00:00.000Z")).toBe("delivery_2027_11");
    expect(await at("2027-11-30T23:59:59.999Z")).toBe("delivery_2027_11");
    expect(await at("2027-12-01T00:00:00.000Z")).toBe("delivery_2027_12");
    expect(await at("2027-10-31T23:59:59.999Z")).toBe("delivery_default");
  });

  test("are not made for a month that has rows in the default partition already", async ({ db }) => {
    const now = new Date("2027-11-20T12:00:00Z");
    const time = now.getTime().toString(16).padStart(12, "0");
    const messageId = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
    await db.query(
      "insert into delivery (user_id, message_id, position, phone_no, state, submitted_at, updated_at) values ($1, $1, 0, 1, 1, now(), now())",
      [messageId],
    );
    expect(await ensurePartitions(db, now)).not.toContain("delivery_2027_11");
  });
});
