import type { SubAccountAnswer } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { withTransaction } from "../../../db/transaction.ts";
import { holdUnits, readBalance, transferUnits } from "../../../ledger/index.ts";
import { expect, linkToken, overlap, test as base } from "../../../testing/app.ts";
import { type BuiltUser, buildMember, buildUser } from "../../../testing/factories.ts";
import { topUpUser } from "../../../testing/ledger-factories.ts";
import { buildSendBody, buildSender } from "../../../testing/messages-factories.ts";

type Answer<Data = { _id: string; units: number; subUnits: number }> = {
  status: number;
  code?: string;
  message: string;
  data: Data;
};

const facts = { userName: "Kano", fullName: "Kano Branch", email: "kano@gmail.com", phoneNo: "08031234567" };

const test = base.extend<{
  parent: BuiltUser;
  sub: BuiltUser;
  act: (
    as: BuiltUser,
    method: "GET" | "POST" | "PATCH",
    path: string,
    payload?: object,
    headers?: object,
  ) => Promise<Answer>;
  move: (units: unknown, headers?: object, subId?: string) => Promise<Answer>;
  free: (user: BuiltUser) => Promise<number>;
}>({
  parent: async ({ db }, use) => {
    const parent = await buildUser(db, { fullName: "Acme Limited" });
    await topUpUser(db, parent.userId, 100_000);
    await use(parent);
  },
  sub: async ({ db, parent }, use) => {
    const sub = await buildSender(db, { balanceMilli: 0 });
    await db.query("update app_user set parent_id = $2 where user_id = $1", [sub.userId, parent.userId]);
    await use(sub);
  },
  act: async ({ app, signInAs }, use) => {
    await use(async (as, method, path, payload, headers = {}) => {
      const all = { ...(await signInAs(as)), ...headers };
      const answer = await app.inject({
        method,
        url: `/api/${as.userId}/${path}`,
        headers: all,
        ...(payload && { payload }),
      });
      return { status: answer.statusCode, ...answer.json<Omit<Answer, "status">>() };
    });
  },
  move: async ({ act, parent, sub }, use) => {
    await use(
      async (units, headers = {}, subId = sub.userId) =>
        await act(parent, "POST", `${subId}/move-units`, { units }, headers),
    );
  },
  free: async ({ db }, use) => await use(async ({ userId }) => (await readBalance(db, userId)).freeMilli),
});

test("making one is the owner's, takes no other fields, no known e-mail and no second level", async ({
  app,
  db,
  act,
  parent,
  signInAs,
}) => {
  const approver = await buildMember(db, { accountId: parent.userId, role: "approver" });
  const url = `/api/${parent.userId}/sub-accounts`;
  const refused = await app.inject({ method: "POST", url, headers: await signInAs(approver), payload: facts });
  expect(refused.statusCode).toBe(403);
  for (const wrong of [
    { email: "nobody" },
    { phoneNo: "x" },
    { userName: " " },
    { capUnitsPerDay: 0 },
    { capUnitsPerDay: 1.5 },
    { bogus: 1 },
  ])
    expect(await act(parent, "POST", "sub-accounts", { ...facts, ...wrong }), JSON.stringify(wrong)).toMatchObject({
      code: "VALIDATION",
    });
  expect(await act(parent, "POST", "sub-accounts", { ...facts, email: parent.email })).toMatchObject({
    code: "EMAIL_TAKEN",
  });
  const { data } = await act(parent, "POST", "sub-accounts", facts);
  const sub = { ...parent, id: data._id, userId: data._id };
  expect(await act(sub, "POST", "sub-accounts", { ...facts, email: "other@gmail.com" })).toMatchObject({
    code: "STATE_CONFLICT",
  });
});

test("its person chooses a password by the mailed link, and is a customer of their own", async ({
  app,
  act,
  parent,
  mailsTo,
}) => {
  const made = await act(parent, "POST", "sub-accounts", { ...facts, capUnitsPerDay: 50 });
  expect(made).toMatchObject({ status: 201, data: { email: facts.email, units: 0, capUnitsPerDay: 50 } });
  const token = linkToken((await mailsTo(facts.email))[0], "reset-user-password");
  const password = "seven brave goats";
  expect(
    (await app.inject({ method: "PATCH", url: `/api/${token}/change-user-password`, payload: { password } }))
      .statusCode,
  ).toBe(200);
  const signedIn = await app.inject({
    method: "POST",
    url: "/api/sign-in-user",
    payload: { email: facts.email, password },
  });
  const headers = { authorization: `Bearer ${signedIn.json<{ data: string }>().data}` };
  expect((await app.inject({ url: `/api/${made.data._id}/statement`, headers })).statusCode).toBe(200);
  expect((await app.inject({ url: `/api/${parent.userId}/statement`, headers })).statusCode).toBe(403);
  const list = (await act(parent, "GET", "sub-accounts")).data as unknown as SubAccountAnswer[];
  expect(list).toMatchObject([{ _id: made.data._id, fullName: "Kano Branch", usedToday: 0, blocked: false }]);
});

test("units move both ways as a pair of journals, once for each key", async ({ db, act, move, parent, sub, free }) => {
  const key = { "idempotency-key": uuidv7() };
  const first = await move(40, key);
  expect(first).toMatchObject({ status: 200, data: { units: 60, subUnits: 40 } });
  expect(await move(40, key)).toEqual(first);
  expect(await move(40, key, sub.userId.toUpperCase())).toEqual(first);
  expect(await move(41, key)).toMatchObject({ status: 422, code: "IDEMPOTENCY_CONFLICT" });
  expect(await move(-15)).toMatchObject({ status: 200, data: { units: 75, subUnits: 25 } });
  expect([await free(parent), await free(sub)]).toEqual([75_000, 25_000]);
  const audit = await db.query<{ person_id: string; after: { units: number } }>(
    "select person_id, after from audit_entry where action = 'move-units' and subject_id = $1 order by created_at, audit_id",
    [parent.userId],
  );
  expect(audit.rows.map(({ person_id: by, after }) => [by, after.units])).toEqual([
    [parent.userId, 40],
    [parent.userId, -15],
  ]);
  const { rows } = await db.query(
    `select j.reference = $1 as "isFirst", e.amount_milli as amount, j.user_id = $2 as "isParent" from journal j
     join journal_entry e using (user_id, number) where j.kind = 'transfer' and e.account = 'customer' order by j.created_at, e.amount_milli`,
    [first.data._id, parent.userId],
  );
  expect(rows).toEqual([
    { isFirst: true, amount: -40_000, isParent: true },
    { isFirst: true, amount: 40_000, isParent: false },
    { isFirst: false, amount: -15_000, isParent: false },
    { isFirst: false, amount: 15_000, isParent: true },
  ]);
  const lines = (await act(parent, "GET", "statement")).data as unknown as {
    cause: string;
    units: number;
    balance: number;
  }[];
  expect(lines.map(({ cause, units, balance }) => [cause, units, balance])).toEqual([
    ["transfer", 15, 75],
    ["transfer", -40, 60],
    ["credit", 100, 100],
  ]);
});

test("nothing moves that is not free, whole, one's own", async ({ db, move, parent, sub, free }) => {
  for (const units of [0, 1.5, "5", 100_000_001, undefined])
    expect(await move(units), String(units)).toMatchObject({ code: "VALIDATION" });
  expect(await move(101)).toMatchObject({ status: 401, code: "UNITS_REQUIRED" });
  expect(await move(-1)).toMatchObject({ status: 409, code: "STATE_CONFLICT" });
  for (const other of [(await buildUser(db)).userId, parent.userId, uuidv7()])
    expect(await move(1, {}, other)).toMatchObject({ status: 404 });
  await move(30);
  await withTransaction(db, (tx) => holdUnits(tx, { userId: sub.userId, holdId: uuidv7(), amountMilli: 10_000 }));
  expect(await move(-21)).toMatchObject({ status: 409 });
  expect(await move(-20)).toMatchObject({ status: 200, data: { subUnits: 0 } });
  expect([await free(parent), await free(sub)]).toEqual([90_000, 0]);
});

// Goal: the same units are not given twice. Method: the second move waits for the first one's accounts.
test("two moves at once: the second sees what the first left", async ({ db, move, parent, sub, free }) => {
  const [, late] = await overlap(
    db,
    (tx) =>
      transferUnits(tx, { fromUserId: parent.userId, toUserId: sub.userId, transferId: uuidv7(), amountMilli: 80_000 }),
    () => move(80),
  );
  expect(late).toMatchObject({ value: { status: 401, code: "UNITS_REQUIRED" } });
  expect([await free(parent), await free(sub)]).toEqual([20_000, 80_000]);
});

// Goal: moves the opposite way do not deadlock. Method: one takes back while the other one, which gives, has both accounts.
test("a move the other way waits, and does not deadlock; a send beside a move takes what is left", async ({
  db,
  act,
  move,
  parent,
  sub,
  free,
}) => {
  await move(9);
  const [, back] = await overlap(
    db,
    (tx) =>
      transferUnits(tx, { fromUserId: parent.userId, toUserId: sub.userId, transferId: uuidv7(), amountMilli: 1_000 }),
    () => move(-10),
  );
  expect(back).toMatchObject({ value: { status: 200 } });
  await move(3);
  const [, send] = await overlap(
    db,
    (tx) =>
      transferUnits(tx, { fromUserId: sub.userId, toUserId: parent.userId, transferId: uuidv7(), amountMilli: 1_000 }),
    () => act(sub, "POST", "send-bulk-sms", buildSendBody()),
  );
  expect(send).toMatchObject({ value: { status: 401, code: "UNITS_REQUIRED" } });
  expect(await free(sub)).toBe(2_000);
});

test("a cap holds for the day, for every send, until it is taken away", async ({ act, clock, move, parent, sub }) => {
  await move(50);
  const cap = (capUnitsPerDay: number | null) => act(parent, "PATCH", `${sub.userId}/sub-account`, { capUnitsPerDay });
  expect(await act(parent, "PATCH", `${parent.userId}/sub-account`, { capUnitsPerDay: 5 })).toMatchObject({
    status: 404,
  });
  expect(await cap(5)).toMatchObject({ status: 200, data: { capUnitsPerDay: 5 } });
  const send = () => act(sub, "POST", "send-bulk-sms", buildSendBody());
  expect(await send()).toMatchObject({ status: 200 });
  expect(await send()).toMatchObject({ status: 402, code: "LIMIT_REACHED" });
  expect((await act(parent, "GET", "sub-accounts")).data).toMatchObject([{ usedToday: 3, units: 47 }]);
  expect(await cap(null)).toMatchObject({ status: 200 });
  expect(await send()).toMatchObject({ status: 200 });
  await cap(5);
  clock.advance(86_400_000);
  expect(await send()).toMatchObject({ status: 200 });
});
