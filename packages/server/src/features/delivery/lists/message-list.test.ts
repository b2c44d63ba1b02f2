import { describe } from "vitest";
import { v7 as uuidv7 } from "uuid";
import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { buildFundedUser, buildMessage } from "../../../testing/delivery-factories.ts";
import { eachCase, expect, test } from "../../../testing/database.ts";
import { listAllMessages, listMessages, type MessageListQuery } from "./list-messages.ts";
import { cancelMessage, pauseMessage } from "../queue/manage-message.ts";
import { messagePageQuery, type MessageFilter } from "./message-list-store.ts";

const idOf = (time: string) => uuidv7({ msecs: Date.parse(time) });

async function idsOf(db: Db, userId: string, query: Partial<MessageListQuery>): Promise<string[]> {
  const { rows } = await listMessages(db, { userId, query: { limit: 50, ...query } });
  return rows.map(({ messageId }) => messageId);
}

describe("filters", () => {
  test("by state: sending, paused, cancelled and done are told apart", async ({ db }) => {
    const { userId } = await buildFundedUser(db);
    const build = async () => (await buildMessage(db, { userId })).messageId;
    const [sending, paused, cancelled, done] = [await build(), await build(), await build(), await build()];
    await withTransaction(db, (tx) => pauseMessage(tx, { userId, messageId: paused }, new Date()));
    await withTransaction(db, (tx) => cancelMessage(tx, { userId, messageId: cancelled }, new Date()));
    await db.query("update message_count set waiting = 0, dnd = 3 where message_id = $1", [done]);
    await db.query("update message_batch set state = 3 where message_id = $1", [done]);
    expect(await idsOf(db, userId, { state: "sending" })).toEqual([sending]);
    expect(await idsOf(db, userId, { state: "paused" })).toEqual([paused]);
    expect(await idsOf(db, userId, { state: "cancelled" })).toEqual([cancelled]);
    expect(await idsOf(db, userId, { state: "done" })).toEqual([done]);
    // Its hold is what the ledger's rule looks at.
    await db.query("update message_count set waiting = 3, dnd = 0 where message_id = $1", [done]);
  });

  test("by sender name, letter by letter", async ({ db }) => {
    const { userId } = await buildFundedUser(db);
    const { messageId } = await buildMessage(db, { userId, senderName: "Acme" });
    await buildMessage(db, { userId, senderName: "acme" });
    expect(await idsOf(db, userId, { sender: "Acme" })).toEqual([messageId]);
  });

  test("by days of Lagos, both ends included", async ({ db }) => {
    const { userId } = await buildFundedUser(db);
    const build = async (time: string) => (await buildMessage(db, { userId, messageId: idOf(time) })).messageId;
    await build("2026-03-01T22:59:59.999Z");
    const first = await build("2026-03-01T23:00:00Z");
    const last = await build("2026-03-03T22:59:59.999Z");
    await build("2026-03-03T23:00:00Z");
    expect(await idsOf(db, userId, { from: "2026-03-02", to: "2026-03-03" })).toEqual([last, first]);
    expect(await idsOf(db, userId, { from: "2026-03-02", to: "2026-03-03", after: last })).toEqual([first]);
    expect(await idsOf(db, userId, { from: "2026-03-05" })).toEqual([]);
  });

  test("of administrators reach over all customers", async ({ db }) => {
    const [one, other] = [
      await buildMessage(db, { senderName: "Acme" }),
      await buildMessage(db, { senderName: "Acme" }),
    ];
    await buildMessage(db);
    const { rows } = await listAllMessages(db, { query: { limit: 50, sender: "Acme", state: "sending" } });
    expect(rows.map(({ messageId }) => messageId)).toEqual([other.messageId, one.messageId]);
  });
});

describe("search", () => {
  test("finds words of the text, the sender's name and numbers, and nothing else", async ({ db }) => {
    await eachCase<[string, boolean]>(
      [
        ["MORNING", true],
        ["good  morning", false],
        ["50%_off", true],
        ["100%", false],
        ["acme", true],
        ["8030000001", true],
        ["+234 803 000-0001", true],
        ["0803000000", true],
        ["0300000001", false],
        ["0803 000 0009", false],
        ["00", true],
      ],
      async ([search, isFound]) => {
        const { userId } = await buildFundedUser(db);
        const body = search === "00" ? "00" : "Good morning, 50%_OFF";
        const { messageId } = await buildMessage(db, {
          userId,
          senderName: "Acme Ltd",
          body,
          phoneNos: [2_348_030_000_001, 2_348_030_000_002],
        });
        await buildMessage(db, { userId, senderName: "Other", body: "Bye", phoneNos: [2_348_031_111_111] });
        expect(await idsOf(db, userId, { search })).toEqual(isFound ? [messageId] : []);
      },
    );
  });

  test("finds a number anywhere in a large message", async ({ db }) => {
    const { userId } = await buildFundedUser(db, { unitsMilli: 10_000_000 });
    const { messageId, phoneNos } = await buildMessage(db, { userId, recipientCount: 1_300 });
    expect(await idsOf(db, userId, { search: String(phoneNos.at(-1)) })).toEqual([messageId]);
  });

  test("never finds another customer's message", async ({ db }) => {
    await buildMessage(db, { body: "Secret" });
    const { userId } = await buildFundedUser(db);
    expect(await idsOf(db, userId, { search: "secret" })).toEqual([]);
  });

  test("goes page by page, with filters", async ({ db }) => {
    const { userId } = await buildFundedUser(db);
    const ids: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      const { messageId } = await buildMessage(db, {
        userId,
        messageId: uuidv7({ msecs: 1_000 + index }),
        body: index === 3 ? "Bye" : "Good morning",
      });
      if (index !== 3) ids.unshift(messageId);
    }
    const first = await listMessages(db, { userId, query: { limit: 2, search: "good", state: "sending" } });
    const second = await listMessages(db, {
      userId,
      query: { limit: 2, search: "good", after: first.next ?? undefined },
    });
    const third = await listMessages(db, {
      userId,
      query: { limit: 2, search: "good", after: second.next ?? undefined },
    });
    expect([...first.rows, ...second.rows, ...third.rows].map(({ messageId }) => messageId)).toEqual(ids);
    expect(third.next).toBe(null);
  });
});

// Goal: a page costs the same however long the list is. Method: the plan on a table of many messages reads the list's index
// in its order and sorts nothing but, for open states, the few open messages.
describe("the plan of a page", () => {
  const cases: [string, (userId: string) => MessageFilter, RegExp][] = [
    ["the history", (userId) => ({ userId, isScheduled: false }), /Index Scan Backward using message_listed on/],
    [
      "behind a cursor",
      (userId) => ({ userId, isScheduled: false, beforeId: uuidv7() }),
      /Index Scan Backward using message_listed on/,
    ],
    [
      "one sender name",
      (userId) => ({ userId, isScheduled: false, senderName: "Rare" }),
      /Index Scan Backward using message_listed_by_sender on/,
    ],
    [
      "cancelled",
      (userId) => ({ userId, isScheduled: false, state: "cancelled" }),
      /Index Scan Backward using message_listed_cancelled on/,
    ],
    [
      "everybody's cancelled ones",
      () => ({ isScheduled: false, hasHidden: true, state: "cancelled" }),
      /Index Scan.* message_cancelled_of_all[^]*Index Scan.* message_deleted/,
    ],
    [
      "done",
      (userId) => ({ userId, isScheduled: false, state: "done" }),
      /Index Scan Backward using message_listed on/,
    ],
    [
      "sending",
      (userId) => ({ userId, isScheduled: false, state: "sending" }),
      /Index (?:Only )?Scan (?:using|on) message_batch_open/,
    ],
    [
      "everybody's",
      () => ({ isScheduled: false, hasHidden: true }),
      /Index Scan Backward using message_listed_of_all on[^]*Index Scan.* message_deleted/,
    ],
    [
      "a customer's, for administrators",
      (userId) => ({ userId, isScheduled: false, hasHidden: true }),
      /Index Scan Backward using message_listed on[^]*Index Scan.* message_deleted/,
    ],
    ["scheduled", (userId) => ({ userId, isScheduled: true }), /Index Scan.* (?:using|on) message_scheduled/],
  ];

  test("reads an index in the list's order", async ({ db }) => {
    const { userId } = await buildFundedUser(db);
    await buildManyMessages(db, [userId, (await buildFundedUser(db)).userId], 10_000);
    for (const [name, filterOf, expected] of cases) {
      const { text, values } = messagePageQuery(filterOf(userId), { limit: 51 });
      const { rows } = await db.query<{ "QUERY PLAN": string }>(`explain ${text}`, values);
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan, name).toMatch(expected);
      expect(plan, name).not.toMatch(/Seq Scan on message/);
    }
    await db.query("delete from message");
  });

  // Whether a planner joins everything before it sorts depends on 210,000 messages and how uneven they are: the order is held by the plan itself.
  test("cuts the page before it looks at anything that stands beside a message", async ({ db }) => {
    const filters: Record<string, MessageFilter> = {
      "everybody's": { isScheduled: false, hasHidden: true },
      "behind a cursor": { isScheduled: false, hasHidden: true, beforeId: uuidv7() },
      "one sender name": { isScheduled: false, hasHidden: true, senderName: "Rare" },
      scheduled: { isScheduled: true },
      "a search": { isScheduled: false, hasHidden: true, fromId: uuidv7() },
    };
    for (const [name, filter] of Object.entries(filters)) {
      const search = name === "a search" ? { text: "0803", digits: "0803" } : undefined;
      const { text, values } = messagePageQuery(filter, { limit: 51, search });
      const { rows } = await db.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(`explain (format json) ${text}`, values);
      const page = findNode(rows[0]?.["QUERY PLAN"][0].Plan, (node) => node["Subplan Name"] === "CTE page");
      expect(page, name).toBeDefined();
      expect(
        findNode(page, (node) => node["Join Type"] !== undefined),
        name,
      ).toBeUndefined();
    }
  });
});

type PlanNode = { "Subplan Name"?: string; "Join Type"?: string; Plans?: PlanNode[] };

function findNode(node: PlanNode | undefined, isWanted: (node: PlanNode) => boolean): PlanNode | undefined {
  if (node === undefined || isWanted(node)) return node;
  for (const inner of node.Plans ?? []) {
    const found = findNode(inner, isWanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Done messages of one recipient each, and every twentieth cancelled, written past the ledger: what they cost is not what is tested. */
async function buildManyMessages(db: Db, userIds: string[], count: number): Promise<void> {
  await db.query(
    `insert into message (user_id, message_id, user_name, sender_name, body, code, page_count, price_milli, recipient_count, state, created_at, state_at)
     select user_id, (lpad(to_hex(number), 12, '0') || '70008000' || lpad(to_hex(number), 12, '0'))::uuid, 'Test', 'Acme', 'Good morning',
       '234', 1, 3000, 1, case when number % 20 = 0 then 3 else 1 end, now(), now()
     from unnest($1::uuid[]) as customer (user_id) cross join generate_series(1, $2::integer) as made (number)`,
    [userIds, count],
  );
  await db.query(
    "insert into message_count (user_id, message_id, waiting, sent) select user_id, message_id, 0, 1 from message",
  );
  await db.query(
    `insert into message_batch (user_id, message_id, batch_index, recipients, recipient_count, state, is_express, turn, lane)
     select user_id, message_id, 0, '{2348030000001}', 1, 3, true, 0, 234 from message`,
  );
  await db.query("analyze message, message_count, message_batch");
}
