import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import type { OverviewAnswer, WaitingAnswer } from "@ewebal/contract";
import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { expect, test as base } from "../../../testing/app.ts";
import { buildMessage } from "../../../testing/delivery-factories.ts";
import { buildDeposit } from "../../../testing/deposit-factories.ts";
import { type BuiltAdmin, type BuiltUser, buildAdmin, buildUser } from "../../../testing/factories.ts";
import { holdEverything } from "../../delivery/send-mark/send-mark-store.ts";

type Page = { data: WaitingAnswer[]; next: string | null; code?: string };

const test = base.extend<{
  user: BuiltUser;
  admin: BuiltAdmin;
  read: (query?: string, as?: BuiltAdmin | BuiltUser) => Promise<{ status: number; body: Page }>;
  waiting: () => Promise<OverviewAnswer["waiting"]>;
}>({
  user: async ({ db }, use) => await use(await buildUser(db, { userName: "Ada", email: "ada@gmail.com" })),
  admin: async ({ db }, use) => await use(await buildAdmin(db, { adminName: "Bola", email: "bola@ewebal.com" })),
  read: async ({ app, admin, signInAs }, use) => {
    await use(async (query = "", as = admin) => {
      const answer = await app.inject({ method: "GET", url: `/api/view-waiting${query}`, headers: await signInAs(as) });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  waiting: async ({ app, admin, signInAs }, use) => {
    await use(async () => {
      const answer = await app.inject({ method: "GET", url: "/api/view-overview", headers: await signInAs(admin) });
      return answer.json<{ data: OverviewAnswer }>().data.waiting;
    });
  },
});

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 9, minute)).toISOString();

/** One of each kind, a minute between them, and of each one that waits no more. */
async function buildOfEach(db: Db, { user, admin }: { user: BuiltUser; admin: BuiltAdmin }) {
  const { userId } = user;
  const deposit = await buildDeposit(db, { userId, amountNaira: 12_000 });
  await buildDeposit(db, { userId, state: "declined", adminId: admin.adminId });
  const [requestId, approvalId, chargebackId, reference] = [uuidv7(), uuidv7(), uuidv7(), `R-${uuidv7()}`];
  await db.query("update deposit set created_at = $2 where deposit_id = $1", [deposit.depositId, at(3)]);
  await db.query(
    `insert into whitelist_request (user_id, request_id, sender_name, skeleton, warnings, state, decided_by, decided_at, created_at)
     values ($1, $2, 'GTBANK', 'gtbank', '{"Reads like GTBank"}', 'pending', null, null, $4), ($1, $3, 'Acme Shop', 'acmeshop', '{}', 'declined', $3, $4, $4)`,
    [userId, requestId, uuidv7(), at(1)],
  );
  await db.query(
    `insert into approval (approval_id, kind, subject_key, subject_id, subject_email, what, details, asked_by, state, decided_at, created_at)
     values ($1, 'credit', 'a', $3, $4, 'Credit 200,000.00 units to Ada', '{}', $5, 'waiting', null, $6), ($2, 'credit', 'b', $3, $4, 'x', '{}', $5, 'lapsed', now(), $6)`,
    [approvalId, uuidv7(), userId, user.email, admin.adminId, at(2)],
  );
  await db.query(
    `insert into card_payment (user_id, reference, units, total_kobo, state, is_sandbox, created_at) values ($1, $2, 500, 65750, 'failed', false, $3)`,
    [userId, reference, at(0)],
  );
  await db.query(
    `insert into card_payment_claim (user_id, claim_id, reference, kind, state, amount_kobo, units_milli, created_at, updated_at)
     values ($1, $2, $5, 'dispute', 'open', 65750, 500000, $6, $6), ($1, $3, $5, 'dispute', 'dismissed', 65750, 500000, $6, $6), ($1, $4, $5, 'refund', 'open', 65750, 500000, $6, $6)`,
    [userId, chargebackId, uuidv7(), uuidv7(), reference, at(4)],
  );
  return { depositId: deposit.depositId, requestId, approvalId, chargebackId };
}

describe("GET view-waiting", () => {
  test("refuses visitors and customers, and cursors that are none", async ({ app, user, read }) => {
    expect((await app.inject({ method: "GET", url: "/api/view-waiting" })).statusCode).toBe(401);
    expect((await read("", user)).status).toBe(403);
    for (const after of ["1", "x_y", `${Date.now()}_1`, `9999999999999999_${uuidv7()}`]) {
      expect(await read(`?after=${after}`), after).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    }
  });

  test("lists what waits of every kind, the oldest first, and nothing that was decided", async ({
    db,
    user,
    admin,
    read,
  }) => {
    const { depositId, requestId, approvalId, chargebackId } = await buildOfEach(db, { user, admin });
    const { body } = await read();
    const by = "Ada, ada@gmail.com";
    expect(body).toEqual({
      data: [
        {
          _id: requestId,
          kind: "request",
          what: "Sender name GTBANK",
          by: "ada@gmail.com",
          flagged: true,
          mayDecide: true,
          createdAt: at(1),
        },
        {
          _id: approvalId,
          kind: "approval",
          what: "Credit 200,000.00 units to Ada",
          by: "Bola, bola@ewebal.com",
          flagged: false,
          mayDecide: false,
          createdAt: at(2),
        },
        {
          _id: depositId,
          kind: "deposit",
          what: "Bank deposit of 12,000.00 naira",
          by,
          flagged: false,
          mayDecide: true,
          createdAt: at(3),
        },
        {
          _id: chargebackId,
          kind: "dispute",
          what: "Disputed card payment of 657.50 naira",
          by,
          flagged: true,
          mayDecide: true,
          createdAt: at(4),
        },
      ],
      next: null,
    });
    const other = await buildAdmin(db);
    expect((await read("", other)).body.data.map(({ mayDecide }) => mayDecide)).toEqual([true, true, true, true]);
  });

  test("gives each of them once, page by page, also of one moment", async ({ db, user, admin, read }) => {
    await buildOfEach(db, { user, admin });
    for (let index = 0; index < 3; index += 1) await buildDeposit(db, { userId: user.userId });
    await db.query("update deposit set created_at = '2026-11-20T09:02:00Z' where state = 'pending'");
    await db.query(
      "update deposit set created_at = '2026-11-20T09:02:00.0004Z' where deposit_id = (select min(deposit_id::text)::uuid from deposit)",
    );
    const whole = (await read()).body.data;
    const found: string[] = [];
    let after = "";
    for (let page = 0; page < 7; page += 1) {
      const { body } = await read(`?limit=2${after}`);
      found.push(...body.data.map(({ _id }) => _id));
      if (body.next === null) break;
      after = `&after=${body.next}`;
    }
    expect(whole).toHaveLength(7);
    expect(found).toEqual(whole.map(({ _id }) => _id));
  });
});

test("the counts alone are for administrators, in every role", async ({ app, db, user, admin, signInAs }) => {
  const count = async (headers: Record<string, string>) => {
    const answer = await app.inject({ method: "GET", url: "/api/view-waiting-counts", headers });
    return { status: answer.statusCode, data: answer.json<{ data?: unknown }>().data };
  };
  expect((await count({})).status).toBe(401);
  expect((await count(await signInAs(user))).status).toBe(403);
  await buildOfEach(db, { user, admin });
  await buildDeposit(db, { userId: user.userId });
  await buildMessage(db, { recipientCount: 1 });
  await withTransaction(db, holdEverything);
  const data = { deposits: 2, requests: 1, approvals: 1, disputes: 1, held: 1, reviews: 0, alarms: 0 };
  expect(await count(await signInAs(admin))).toEqual({ status: 200, data });
});

test("the overview counts what waits, and since when", async ({ db, user, admin, waiting }) => {
  expect(await waiting()).toEqual({
    deposits: 0,
    requests: 0,
    approvals: 0,
    disputes: 0,
    held: 0,
    reviews: 0,
    alarms: 0,
    oldestAt: null,
  });
  await buildOfEach(db, { user, admin });
  await buildDeposit(db, { userId: user.userId });
  expect(await waiting()).toEqual({
    deposits: 2,
    requests: 1,
    approvals: 1,
    disputes: 1,
    held: 0,
    reviews: 0,
    alarms: 0,
    oldestAt: at(1),
  });
  const { messageId } = await buildMessage(db, { recipientCount: 1 });
  await withTransaction(db, holdEverything);
  await db.query("update message set held_at = $2 where message_id = $1", [messageId, at(0)]);
  expect(await waiting()).toMatchObject({ held: 1, oldestAt: at(0) });
});
