// Goal: stored reports are settled in the order of locks that flushes keep. Method: another transaction has what a flush takes
// early (a delivery, or a message's counts) when the settling begins, and goes on to what a flush takes last (the customer's
// account) when PostgreSQL shows the settling waiting. If the settling had the account by then, each would wait for the other.
import { describe } from "vitest";
import type { Db } from "../../../db/pool.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import { lockAccounts } from "../../../ledger/index.ts";
import { buildFundedUser, buildMessage, type BuiltMessage } from "../../../testing/delivery-factories.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import {
  listLockWaiters,
  expect,
  readCounts,
  readSpent,
  test,
  until,
  untilCounts,
  type StartSession,
} from "../testing/worker-test.ts";
import { moveCounts } from "./flush-store.ts";
import { ReportHorizon } from "./report-horizon.ts";
import { settleEarlyReports } from "./settle-early-reports.ts";

type Sent = { sent: BuiltMessage; alsoSent: BuiltMessage; unknown: BuiltMessage };

/** Three messages of one customer: two that the carrier accepted, and one whose answer was lost. Nobody works on them any more. */
async function buildSent(db: Db, startSession: StartSession): Promise<Sent> {
  const { userId } = await buildFundedUser(db);
  const carrier = new FakeCarrier();
  const session = await startSession([carrier]);
  const build = (phoneNo: number) => buildMessage(db, { userId, phoneNos: [phoneNo] });
  const sent = await build(2_348_030_000_001);
  const alsoSent = await build(2_348_030_000_002);
  await untilCounts(db, sent, { sent: 1 });
  await untilCounts(db, alsoSent, { sent: 1 });
  carrier.facts.behaviour = () => ({ kind: "unknown" });
  const unknown = await build(2_348_030_000_003);
  await untilCounts(db, unknown, { unknown: 1 });
  await session.end();
  return { sent, alsoSent, unknown };
}

/** Stores final reports about the messages, in the order in which they are to be settled; the unknown one's names no id. */
async function storeReports(db: Db, messages: readonly BuiltMessage[]): Promise<void> {
  for (const [index, { messageId, phoneNos }] of messages.entries()) {
    await db.query(
      `insert into early_report (carrier_id, carrier_key, state, error_code, phone_no, sender_name, received_at, next_try_at)
       select carrier.carrier_id, coalesce(delivery.carrier_key, ''), 'dnd', '', $2, 'Ewebal', now(), now() + make_interval(secs => $3)
       from delivery join carrier on is_enabled where message_id = $1`,
      [messageId, phoneNos[0], index / 1_000 - 1],
    );
  }
}

describe("a settling that meets a flush about the same customer", () => {
  test.for<[string, keyof Sent, (tx: Tx, message: BuiltMessage) => Promise<unknown>]>([
    [
      "the second report's counts",
      "alsoSent",
      (tx, { userId, messageId }) => moveCounts(tx, [{ userId, messageId, moves: { sent: 0 } }]),
    ],
    [
      "the delivery of a settled unknown",
      "unknown",
      (tx, { userId, messageId }) =>
        tx.query("select from delivery where user_id = $1 and message_id = $2 for update", [userId, messageId]),
    ],
  ])("waits for %s without having the account", async ([, which, take], { db, startSession }) => {
    const messages = await buildSent(db, startSession);
    const { sent, [which]: met } = messages;
    await storeReports(db, [sent, met]);

    let settling: ReturnType<typeof settleEarlyReports> | undefined;
    try {
      await withTransaction(db, async (tx) => {
        await tx.query("set local lock_timeout = '500ms'");
        await take(tx, met);
        settling = settleEarlyReports(db, { isRefundingFailed: true, horizon: new ReportHorizon() });
        await until("the settling waits", async () => (await listLockWaiters(db)).length > 0);
        await lockAccounts(tx, [sent.userId]);
      });
    } finally {
      await settling;
    }

    expect(await settling).toMatchObject({ triedCount: 2, droppedCount: 0 });
    for (const message of [sent, met]) expect(await readCounts(db, message)).toMatchObject({ dnd: 1 });
    // Charged and given back: what stays is the message that no report was about.
    const { spentMilli, heldMilli } = await readSpent(db, sent.userId);
    expect(spentMilli + heldMilli).toBe(3_000);
    const { rows } = await db.query<{ source: string }>("select distinct source from dnd_number");
    expect(rows).toEqual([{ source: "fake" }]);
  });
});
