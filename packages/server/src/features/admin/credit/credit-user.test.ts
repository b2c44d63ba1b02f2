import { describe } from "vitest";
import { withTransaction } from "../../../db/transaction.ts";
import { readBalance } from "../../../ledger/index.ts";
import { expect, overlap, test as base } from "../../../testing/app.ts";
import { type BuiltAdmin, type BuiltUser, buildAdmin, buildUser } from "../../../testing/factories.ts";
import { creditUser } from "./credit-user.ts";

type Answer = {
  status: number;
  body: { message: string; code?: string; fields?: Record<string, string>; data?: { units: number } };
};

const test = base.extend<{
  user: BuiltUser;
  admin: BuiltAdmin;
  credit: (payload: Record<string, unknown>, headers?: Record<string, string>) => Promise<Answer>;
}>({
  user: async ({ db }, use) => {
    await use(await buildUser(db, { userName: "Ada", email: "ada@gmail.com" }));
  },
  admin: async ({ db }, use) => {
    await use(await buildAdmin(db));
  },
  credit: async ({ app, admin, signInAs }, use) => {
    await use(async (payload, headers) => {
      const url = `/api/${admin.adminId}/credit-a-user`;
      const answer = await app.inject({
        method: "PATCH",
        url,
        payload,
        headers: { ...(await signInAs(admin)), ...headers },
      });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
});

describe("crediting is refused", () => {
  test("to visitors, customers and another administrator's path", async ({ app, db, user, admin, signInAs }) => {
    const payload = { email: user.email, units: 5 };
    const patch = async (id: string, headers = {}): Promise<{ code: string }> =>
      (await app.inject({ method: "PATCH", url: `/api/${id}/credit-a-user`, payload, headers })).json();
    expect(await patch(admin.adminId)).toMatchObject({ code: "AUTH_REQUIRED" });
    expect(await patch(user.userId, await signInAs(user))).toMatchObject({ code: "FORBIDDEN" });
    expect(await patch((await buildAdmin(db)).adminId, await signInAs(admin))).toMatchObject({ code: "FORBIDDEN" });
    expect((await readBalance(db, user.userId)).freeMilli).toBe(0);
  });

  test("with anything but whole units, and nothing is credited", async ({ db, user, credit }) => {
    const wrong = [
      undefined,
      null,
      0,
      -1,
      1.5,
      "0",
      "-1",
      "1.5",
      "1e3",
      "10,5",
      "1,000",
      "",
      " 5",
      "٥",
      "0x10",
      [5],
      { $gt: 0 },
      true,
      1e21,
      100_000_001,
      "999999999",
    ];
    for (const units of wrong) {
      const { status, body } = await credit({ email: user.email, units });
      expect([status, body.code, Object.keys(body.fields ?? {})], JSON.stringify(units)).toEqual([
        400,
        "VALIDATION",
        ["units"],
      ]);
    }
    expect((await readBalance(db, user.userId)).freeMilli).toBe(0);
    expect((await db.query("select from audit_entry")).rowCount).toBe(0);
  });

  test("for an unknown address and for an administrator's, with the key still unused", async ({
    db,
    admin,
    credit,
  }) => {
    for (const email of ["nobody@gmail.com", admin.email]) {
      expect(await credit({ email, units: 5 }, { "idempotency-key": "k1" })).toMatchObject({
        status: 404,
        body: { code: "EMAIL_UNKNOWN" },
      });
    }
    await buildUser(db, { email: "nobody@gmail.com" });
    expect((await credit({ email: "nobody@gmail.com", units: 5 }, { "idempotency-key": "k1" })).status).toBe(200);
  });

  test("with a key that is not 1 to 200 visible ASCII characters", async ({ user, credit }) => {
    for (const key of ["", "a b", "é", "x".repeat(201)]) {
      expect(await credit({ email: user.email, units: 5 }, { "idempotency-key": key }), key).toMatchObject({
        status: 400,
        body: { code: "VALIDATION" },
      });
    }
  });

  test("with a used key and other contents: 422", async ({ db, user, credit }) => {
    const headers = { "idempotency-key": "k1" };
    await credit({ email: user.email, units: 5 }, headers);
    expect(await credit({ email: user.email, units: 6 }, headers)).toMatchObject({
      status: 422,
      body: { code: "IDEMPOTENCY_CONFLICT" },
    });
    expect((await readBalance(db, user.userId)).freeMilli).toBe(5_000);
  });
});

test("a credit moves units, is audited, and is told by mail - all of it or nothing", async ({
  db,
  user,
  admin,
  credit,
  mailsTo,
}) => {
  const answer = await credit({ email: " ADA@gmail.com", units: "1500" });
  expect(answer).toMatchObject({ status: 200, body: { data: { units: 1500 } } });
  expect((await credit({ email: user.email, units: 2 })).body.data).toEqual({ units: 1502 });

  expect(await readBalance(db, user.userId)).toEqual({ balanceMilli: 1_502_000, heldMilli: 0, freeMilli: 1_502_000 });
  const { rows } = await db.query(
    "select admin_id, action, subject_id, before, after - 'creditId' as after, client_address from audit_entry order by audit_id",
  );
  const entry = {
    admin_id: admin.adminId,
    action: "credit-a-user",
    subject_id: user.userId,
    before: null,
    client_address: "127.0.0.1",
  };
  expect(rows).toEqual([
    { ...entry, after: { units: 1500, available: 1500 } },
    { ...entry, after: { units: 2, available: 1502 } },
  ]);
  const mails = await mailsTo(user.email);
  expect(mails).toHaveLength(2);
  expect(mails[0]?.text.split("\n")).toEqual(
    expect.arrayContaining(["Hello Ada,", "Units added: 1,500.00", "Available now: 1,500.00"]),
  );
});

test("the same key credits once, answers alike, and mails once - also 20 times at once", async ({
  db,
  user,
  credit,
  mailsTo,
}) => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => credit({ email: user.email, units: 7 }, { "idempotency-key": "double-click" })),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set([JSON.stringify(answers[0])]));
  expect(answers[0]?.status).toBe(200);
  expect((await readBalance(db, user.userId)).freeMilli).toBe(7_000);
  expect(await mailsTo(user.email)).toHaveLength(1);
  expect((await db.query("select from audit_entry")).rowCount).toBe(1);
});

test("two administrators may use the same key: keys are theirs", async ({ db, deps, user, admin, credit }) => {
  await credit({ email: user.email, units: 1 }, { "idempotency-key": "k1" });
  const other = await buildAdmin(db);
  await creditUser(deps, {
    adminId: other.adminId,
    email: user.email,
    units: 2,
    idempotencyKey: "k1",
    clientAddress: "192.0.2.1",
  });
  expect((await readBalance(db, user.userId)).freeMilli).toBe(3_000);
  expect(other.adminId).not.toBe(admin.adminId);
});

test("two credits at once add up: the second waits for the first", async ({ db, deps, user, admin }) => {
  const request = {
    adminId: admin.adminId,
    email: user.email,
    units: 10,
    idempotencyKey: undefined,
    clientAddress: "192.0.2.1",
  };
  await creditUser(deps, request);
  const [, second] = await overlap(
    db,
    (tx) => tx.query("update ledger_account set balance_milli = balance_milli where user_id = $1", [user.userId]),
    () => creditUser(deps, request),
  );
  expect(second).toMatchObject({ value: { availableUnits: 20 } });
});

test("an audit entry is never changed and never deleted", async ({ db, credit, user }) => {
  await credit({ email: user.email, units: 1 });
  for (const sql of [
    "update audit_entry set action = 'x'",
    "delete from audit_entry",
    "truncate audit_entry cascade",
  ]) {
    await expect(withTransaction(db, async (tx) => await tx.query(sql))).rejects.toThrow("audit_entry is append-only");
  }
  expect((await db.query("select from audit_entry")).rowCount).toBe(1);
});
