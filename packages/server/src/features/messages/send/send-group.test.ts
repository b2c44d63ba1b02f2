import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { readBalance } from "../../../ledger/index.ts";
import { expect, listLockWaiters, overlap, test } from "../../../testing/app.ts";
import { topUpUser } from "../../../testing/ledger-factories.ts";
import { buildDailyLimit, buildSendBody, buildSender } from "../../../testing/messages-factories.ts";
import { createApiKey } from "../../accounts/index.ts";
import { addDndNumbers, addOptOuts } from "../../delivery/index.ts";
import { readSendFields } from "../read-body/read-send.ts";
import { presentSend } from "./present-send.ts";
import { createSendDeps, sendForProgram, type SendDeps } from "./send.ts";
import { sendGroup, type GroupedOutcome, type GroupedSend } from "./send-group.ts";

const NUMBER = 2348030000001;

function build(facts: Parameters<typeof buildSendBody>[0] = {}): GroupedSend {
  const read = readSendFields(buildSendBody(facts));
  if (read.kind === "wrong") throw new Error("the factory's body is wrong");
  return { request: read.value, time: undefined, isFollowed: false };
}

const callerOf = ({ userId }: { userId: string }) => ({ userId, via: "smpp", clientAddress: "127.0.0.1" }) as const;
const wordOf = (outcome: GroupedOutcome): string =>
  outcome.kind === "refused" ? outcome.error.code : outcome.kind === "listed" ? outcome.list : outcome.kind;

// Goal: a group refuses exactly those that a send by itself refuses. Method: one of each kind of refusal between good ones.
test("of a group exactly those are refused that would be refused alone, and the others are queued in their order", async ({
  db,
  deps,
}) => {
  const user = await buildSender(db, { balanceMilli: 12_000 });
  await addDndNumbers(db, { phoneNos: [NUMBER + 1], source: "admin" });
  await withTransaction(db, (tx) => addOptOuts(tx, { userId: user.userId, phoneNos: [NUMBER + 2], source: "page" }));
  const sends = [
    build(),
    build({ senderName: "Nobody" }),
    build({ phoneNo: String(NUMBER + 1) }),
    build({ phoneNo: String(NUMBER + 2) }),
    // Of the 9 units that are left two pages take 6, so that two more do not fit, and one does.
    build({ phoneNo: String(NUMBER + 3), message: "x".repeat(161) }),
    build({ phoneNo: String(NUMBER + 4), message: "x".repeat(161) }),
    build({ phoneNo: String(NUMBER + 5) }),
    build({ phoneNo: String(NUMBER + 6) }),
  ];
  const outcomes = await withTransaction(db, (tx) => sendGroup(deps, tx, callerOf(user), sends));
  expect(outcomes.map(wordOf)).toEqual([
    "queued",
    "SENDER_NOT_APPROVED",
    "dnd",
    "optedOut",
    "queued",
    "UNITS_REQUIRED",
    "queued",
    "UNITS_REQUIRED",
  ]);
  expect(await readBalance(db, user.userId)).toEqual({ balanceMilli: 12_000, heldMilli: 12_000, freeMilli: 0 });
  const { rows } = await db.query(
    `select recipients[1] as to, page_count as pages, price_milli as price, amount_milli as held, waiting, turn - min(turn) over () as turn
     from message join message_batch using (user_id, message_id) join message_count using (user_id, message_id)
       join hold using (user_id, hold_id) order by message_id`,
  );
  expect(rows).toEqual([
    { to: NUMBER, pages: 1, price: 3_000, held: 3_000, waiting: 1, turn: 0 },
    { to: NUMBER + 3, pages: 2, price: 6_000, held: 6_000, waiting: 1, turn: 1 },
    { to: NUMBER + 5, pages: 1, price: 3_000, held: 3_000, waiting: 1, turn: 3 },
  ]);
  expect((await db.query("select messages from customer_count")).rows).toEqual([{ messages: 3 }]);
});

test("a group counts towards the day and stops at its limit; one to a link gets its code", async ({ db, deps }) => {
  const user = await buildSender(db);
  await buildDailyLimit(db, { userId: user.userId, recipientsMax: 2 });
  const sends = [
    build(),
    build({ message: "See {{link:https://example.com/a}}" }),
    build({ phoneNo: String(NUMBER + 1) }),
  ];
  const outcomes = await withTransaction(db, (tx) => sendGroup(deps, tx, callerOf(user), sends));
  expect(outcomes.map(wordOf)).toEqual(["queued", "queued", "LIMIT_REACHED"]);
  expect((await db.query("select recipients_used as used from daily_cap")).rows).toEqual([{ used: 2 }]);
  expect((await db.query("select from message where is_merged")).rowCount).toBe(1);
});

// Goal: two groups never spend the same units. Method: the second checks before the first commits, so that its hold finds them gone.
test("a group whose units were spent meanwhile is refused as a whole, and goes on with what is left when it is tried again", async ({
  db,
  deps,
}) => {
  const user = await buildSender(db, { balanceMilli: 0 });
  await topUpUser(db, user.userId, 9_000);
  const group = (first: number) => (tx: Tx) =>
    sendGroup(deps, tx, callerOf(user), [
      build({ phoneNo: String(NUMBER + first) }),
      build({ phoneNo: String(NUMBER + first + 1) }),
    ]);
  const [first, second] = await overlap(db, group(0), group(2));
  expect([first.status, second]).toEqual([
    "fulfilled",
    { status: "rejected", reason: expect.objectContaining({ code: "UNITS_REQUIRED" }) as unknown },
  ]);
  const again = await withTransaction(db, group(2));
  expect(again.map(wordOf)).toEqual(["queued", "UNITS_REQUIRED"]);
  expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 9_000, freeMilli: 0 });
});

/**
 * Goal: of calls that are written in two groups at once each is answered and charged as if it were alone. Method: the customer's account is locked
 * until both groups wait, the first for it, the second for the first; both were checked by then, and the units last for one of them.
 */
test("two groups of one customer's calls: the units go to as many as they last for, a repeat is one message, a fault is one call's", async ({
  app,
  db,
  deps,
}) => {
  const user = await buildSender(db, { balanceMilli: 100 * 3_000 });
  const { key } = await createApiKey(deps, user.userId, { name: "Shop" });
  const call = async (index: number, facts: Parameters<typeof buildSendBody>[0] = {}) =>
    await app.inject({
      method: "POST",
      url: "/api/v1/messages",
      headers: { authorization: `Bearer ${key}`, "idempotency-key": `call ${index}`.replace(" ", "-") },
      payload: buildSendBody({ phoneNo: String(NUMBER + index), ...facts }),
    });
  const isFaulty = (index: number): boolean => index % 40 === 7;
  const answered = withTransaction(db, async (tx) => {
    await tx.query("select from ledger_account where user_id = $1 for update", [user.userId]);
    // Each call twice, a group apart.
    const calls = Array.from({ length: 160 }, async (_, place) => {
      const index = place % 80;
      return await call(index, isFaulty(index) ? { senderName: "Nobody" } : {});
    });
    await expect.poll(async () => (await listLockWaiters(db)).length).toBeGreaterThanOrEqual(2);
    return { calls };
  });
  const first = await Promise.all((await answered).calls);
  const statuses = first.map(({ statusCode }, place) => [place % 80, statusCode]);
  expect(statuses.filter(([index, status]) => status !== (isFaulty(index ?? 0) ? 409 : 200))).toEqual([]);
  for (let index = 0; index < 80; index += 1)
    if (!isFaulty(index)) expect(first[index + 80]?.body).toBe(first[index]?.body);
  expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 78 * 3_000, freeMilli: 22 * 3_000 });
  const more = await Promise.all(Array.from({ length: 130 }, async (_, place) => await call(1_000 + place)));
  expect(Map.groupBy(more, ({ statusCode }) => statusCode).get(200)).toHaveLength(22);
  expect(Map.groupBy(more, ({ statusCode }) => statusCode).get(401)).toHaveLength(108);
  expect(await readBalance(db, user.userId)).toMatchObject({ freeMilli: 0 });
  expect((await db.query("select from message")).rowCount).toBe(100);
});

/**
 * Goal: a repeat that comes to another host beside the group of its first call gets that one's answer, though each of the two has what the other needs.
 * Method: the group has the customer's turn and waits for the account; the repeat takes the key and waits for the turn; then the account is free, and
 * the group wants the key. PostgreSQL ends the one that has waited for a second first, which is the repeat.
 */
test("a repeat at another host of a call whose group is being written gets its answer, and nothing is sent twice", async ({
  db,
  deps,
}) => {
  const user = await buildSender(db, { balanceMilli: 100 * 3_000 });
  const caller = { userId: user.userId, via: "program", clientAddress: "127.0.0.1" } as const;
  const [host, otherHost] = [createSendDeps(deps), createSendDeps(deps)];
  const call = async (at: SendDeps, index: number) => {
    const bytes = Buffer.from(JSON.stringify(buildSendBody({ phoneNo: String(NUMBER + index) })));
    return presentSend(await sendForProgram(at, caller, { bytes, key: `call-${index}` }));
  };
  const expectWaiting = async (count: number): Promise<void> =>
    await expect.poll(async () => (await listLockWaiters(db)).length).toBe(count);
  try {
    const { calls } = await withTransaction(db, async (tx) => {
      await tx.query("select from ledger_account where user_id = $1 for update", [user.userId]);
      const group = [call(host, 0), call(host, 1)];
      await expectWaiting(1);
      const repeat = call(otherHost, 0);
      await expectWaiting(2);
      return { calls: [...group, repeat] };
    });
    const [first, second, repeat] = await Promise.all(calls);
    expect([first?.status, second?.status]).toEqual([200, 200]);
    expect(repeat).toEqual(first);
  } finally {
    await host.bodies.close();
    await otherHost.bodies.close();
  }
  expect((await db.query("select from message")).rowCount).toBe(2);
  expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 2 * 3_000 });
});
