import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import type { ApprovalAnswer } from "@ewebal/contract";
import { readBalance } from "../../ledger/index.ts";
import { expect, overlap, test as base } from "../../testing/app.ts";
import { type BuiltAdmin, type BuiltUser, buildAdmin, buildUser } from "../../testing/factories.ts";

type Answer = { status: number; body: { message: string; code?: string; data?: { _id: string; units: number } } };
type Decide = (call: "approve" | "decline", approvalId: string, as?: BuiltAdmin) => Promise<Answer>;

const test = base.extend<{
  user: BuiltUser;
  asker: BuiltAdmin;
  second: BuiltAdmin;
  /** A credit by the asker. */
  credit: (units: number, email?: string) => Promise<Answer>;
  /** Of more than one administrator may give. @returns the approval's id. */
  ask: () => Promise<string>;
  decide: Decide;
  list: (as?: BuiltAdmin) => Promise<ApprovalAnswer[]>;
}>({
  user: async ({ db }, use) => await use(await buildUser(db, { userName: "Ada", email: "ada@gmail.com" })),
  asker: async ({ db }, use) => await use(await buildAdmin(db, { adminName: "Bola", email: "bola@ewebal.com" })),
  second: async ({ db }, use) => await use(await buildAdmin(db, { adminName: "Chidi", email: "chidi@ewebal.com" })),
  credit: async ({ app, asker, user, signInAs }, use) => {
    await use(async (units, email = user.email) => {
      const url = `/api/${asker.adminId}/credit-a-user`;
      const answer = await app.inject({
        method: "PATCH",
        url,
        payload: { email, units },
        headers: await signInAs(asker),
      });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  ask: async ({ credit }, use) => await use(async () => (await credit(100_001)).body.data?._id ?? ""),
  decide: async ({ app, second, signInAs }, use) => {
    await use(async (call, approvalId, as = second) => {
      const answer = await app.inject({
        method: "PATCH",
        url: `/api/${as.adminId}/${approvalId}/${call}`,
        headers: await signInAs(as),
      });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  list: async ({ app, second, signInAs }, use) => {
    await use(async (as = second) => {
      const answer = await app.inject({ method: "GET", url: "/api/view-approvals", headers: await signInAs(as) });
      return answer.json<{ data: ApprovalAnswer[] }>().data;
    });
  },
});

describe("refused", () => {
  test("to visitors, customers and on another administrator's path", async ({
    app,
    user,
    asker,
    second,
    ask,
    list,
    signInAs,
  }) => {
    const approvalId = await ask();
    for (const call of ["approve", "decline"]) {
      const patch = async (id: string, headers = {}) =>
        (await app.inject({ method: "PATCH", url: `/api/${id}/${approvalId}/${call}`, headers })).json<{
          code: string;
        }>();
      expect(await patch(second.adminId)).toMatchObject({ code: "AUTH_REQUIRED" });
      expect(await patch(user.userId, await signInAs(user))).toMatchObject({ code: "FORBIDDEN" });
      expect(await patch(second.adminId, await signInAs(asker))).toMatchObject({ code: "FORBIDDEN" });
    }
    expect(
      (await app.inject({ method: "GET", url: "/api/view-approvals", headers: await signInAs(user) })).statusCode,
    ).toBe(403);
    expect(await list()).toHaveLength(1);
  });

  test("to who asked, and for what is not there", async ({ db, user, asker, ask, decide, list }) => {
    const approvalId = await ask();
    for (const call of ["approve", "decline"] as const) {
      expect(await decide(call, approvalId, asker)).toMatchObject({ status: 409, body: { code: "SAME_PERSON" } });
      expect(await decide(call, uuidv7())).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
      expect(await decide(call, "1")).toMatchObject({ status: 400 });
    }
    expect((await readBalance(db, user.userId)).freeMilli).toBe(0);
    expect((await list(asker)).map(({ mayDecide }) => mayDecide)).toEqual([false]);
  });

  test("to whom it is for, by the mailbox of either account, as it was and as it is", async ({
    db,
    second,
    credit,
    decide,
    list,
  }) => {
    const hat = await buildUser(db, { email: second.email });
    const id = (await credit(200_000, hat.email)).body.data?._id ?? "";
    expect(await decide("approve", id)).toMatchObject({ status: 409, body: { code: "SAME_PERSON" } });
    expect((await list()).map(({ mayDecide }) => mayDecide)).toEqual([false]);
    await db.query("update app_user set email = 'other@gmail.com' where user_id = $1", [hat.userId]);
    expect(await decide("approve", id)).toMatchObject({ body: { code: "SAME_PERSON" } });
    const third = await buildAdmin(db, { email: "third@ewebal.com" });
    await db.query("update app_user set email = 'third+sms@ewebal.com' where user_id = $1", [hat.userId]);
    expect(await decide("approve", id, third)).toMatchObject({ body: { code: "SAME_PERSON" } });
    expect((await readBalance(db, hat.userId)).freeMilli).toBe(0);
    expect((await decide("approve", id, await buildAdmin(db))).status).toBe(200);
  });

  test("to roles that do not decide its kind, and these hear nothing by mail", async ({
    db,
    asker,
    user,
    ask,
    decide,
    list,
    mailsTo,
  }) => {
    const [support, viewer, finance, blocked] = [
      await buildAdmin(db, { role: "support" }),
      await buildAdmin(db, { role: "viewer" }),
      await buildAdmin(db, { role: "finance" }),
      await buildAdmin(db),
    ];
    await db.query("update admin set blocked_at = now() where admin_id = $1", [blocked.adminId]);
    const approvalId = await ask();
    for (const admin of [support, viewer])
      expect(await decide("approve", approvalId, admin)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    expect((await list(support)).map(({ mayDecide }) => mayDecide)).toEqual([false]);
    const mailCounts = await Promise.all(
      [asker, support, viewer, finance, blocked].map(async ({ email }) => (await mailsTo(email)).length),
    );
    expect(mailCounts).toEqual([0, 0, 0, 1, 0]);
    expect((await decide("approve", approvalId, finance)).status).toBe(200);
    expect((await readBalance(db, user.userId)).freeMilli).toBe(100_001_000);
  });

  test("when it was decided", async ({ db, user, ask, decide }) => {
    const [approved, declined] = [await ask(), await ask()];
    expect((await decide("approve", approved)).status).toBe(200);
    expect((await decide("decline", declined)).status).toBe(200);
    for (const id of [approved, declined]) {
      for (const call of ["approve", "decline"] as const)
        expect(await decide(call, id)).toMatchObject({ status: 409, body: { code: "ALREADY_DECIDED" } });
    }
    expect((await readBalance(db, user.userId)).freeMilli).toBe(100_001_000);
  });

  test("by the table, should the program forget it", async ({ db, asker, ask }) => {
    const approvalId = await ask();
    const bySame = db.query(
      "update approval set state = 'approved', decided_by = $2, decided_at = now() where approval_id = $1",
      [approvalId, asker.adminId],
    );
    await expect(bySame).rejects.toThrow("approval_has_two_people");
  });
});

describe("a credit by hand", () => {
  test("above the limit waits: nothing moves, the others hear of it, and the list says what waits", async ({
    db,
    user,
    asker,
    second,
    credit,
    list,
    mailsTo,
  }) => {
    expect(await credit(100_000)).toMatchObject({ status: 200, body: { data: { units: 100_000 } } });
    const answer = await credit(100_001);
    expect(answer).toMatchObject({ status: 202, body: { data: { _id: expect.any(String) as string } } });
    expect((await readBalance(db, user.userId)).freeMilli).toBe(100_000_000);
    const what = "Credit 100,001.00 units to Ada, ada@gmail.com";
    expect(await list()).toEqual([
      {
        _id: answer.body.data?._id,
        kind: "credit",
        by: "Bola, bola@ewebal.com",
        what,
        mayDecide: true,
        createdAt: expect.any(String) as string,
      },
    ]);
    const [mail] = await mailsTo(second.email);
    expect(mail?.text).toContain(what);
    expect(mail?.text).toContain("/admin-dashboard/waiting");
    expect([(await mailsTo(asker.email)).length, (await mailsTo(user.email)).length]).toEqual([0, 1]);
  });

  test("to oneself waits at any amount, also to another spelling of the mailbox", async ({
    db,
    asker,
    credit,
    list,
  }) => {
    for (const email of ["bola@ewebal.com", "bola+sms@ewebal.com"]) {
      const hat = await buildUser(db, { email });
      expect((await credit(1, hat.email)).status).toBe(202);
      expect((await readBalance(db, hat.userId)).freeMilli).toBe(0);
    }
    expect((await list()).length).toBe(2);
    expect(asker.email).toBe("bola@ewebal.com");
  });

  test("to one's own other account waits and is nobody's own decision, also after its e-mail was changed", async ({
    app,
    db,
    asker,
    signInAs,
    credit,
    decide,
  }) => {
    const third = await buildAdmin(db);
    const hatOf = async (admin: BuiltAdmin): Promise<string> => {
      await app.inject({ method: "POST", url: `/api/${admin.adminId}/switch-to-user`, headers: await signInAs(admin) });
      const { rows } = await db.query<{ user_id: string }>("select user_id from app_user where email = $1", [
        admin.email,
      ]);
      await db.query("update app_user set email = $2 where user_id = $1", [
        rows[0]?.user_id,
        `private-${admin.adminId}@gmail.com`,
      ]);
      return `private-${admin.adminId}@gmail.com`;
    };
    expect((await credit(1, await hatOf(asker))).status).toBe(202);
    const id = (await credit(200_000, await hatOf(third))).body.data?._id ?? "";
    expect(await decide("approve", id, third)).toMatchObject({ status: 409, body: { code: "SAME_PERSON" } });
    expect((await decide("approve", id)).status).toBe(200);
  });

  test("is given once it is approved: units, mail and audit, once", async ({
    db,
    user,
    asker,
    second,
    ask,
    decide,
    list,
    mailsTo,
  }) => {
    const approvalId = await ask();
    expect(await decide("approve", approvalId)).toMatchObject({
      status: 200,
      body: { message: "Ada was credited with 100001 units. A mail was sent" },
    });
    expect(await readBalance(db, user.userId)).toEqual({
      balanceMilli: 100_001_000,
      heldMilli: 0,
      freeMilli: 100_001_000,
    });
    const { rows: journals } = await db.query("select kind, reference from journal where user_id = $1", [user.userId]);
    expect(journals).toEqual([{ kind: "manual_credit", reference: approvalId }]);
    expect([await list(), (await mailsTo(user.email)).length]).toEqual([[], 1]);
    const { rows } = await db.query("select admin_id, action, before, after from audit_entry order by audit_id");
    const what = "Credit 100,001.00 units to Ada, ada@gmail.com";
    expect(rows).toEqual([
      {
        admin_id: asker.adminId,
        action: "propose-credit-a-user",
        before: null,
        after: { approvalId, what, units: 100_001 },
      },
      {
        admin_id: second.adminId,
        action: "approve",
        before: { approvalId, kind: "credit", what, askedBy: asker.adminId },
        after: { state: "approved" },
      },
      {
        admin_id: second.adminId,
        action: "credit-a-user",
        before: null,
        after: { creditId: approvalId, units: 100_001, available: 100_001, askedBy: asker.adminId },
      },
    ]);
  });

  test("is not given once it is declined", async ({ db, user, ask, decide, list }) => {
    expect((await decide("decline", await ask())).status).toBe(200);
    expect([(await readBalance(db, user.userId)).freeMilli, await list()]).toEqual([0, []]);
    expect((await db.query("select action from audit_entry order by audit_id")).rows).toEqual([
      { action: "propose-credit-a-user" },
      { action: "decline" },
    ]);
  });
});

// Goal: one credit whoever presses at the same time. Method: the second administrator decides while the first is uncommitted.
test.for(["approve", "decline"] as const)(
  "two administrators at once, the second with %s: one effect, the other is told",
  async (call, { db, user, ask, decide }) => {
    const approvalId = await ask();
    const third = await buildAdmin(db);
    const [, late] = await overlap(
      db,
      (tx) =>
        tx.query("update approval set state = 'declined', decided_by = $2, decided_at = now() where approval_id = $1", [
          approvalId,
          third.adminId,
        ]),
      () => decide(call, approvalId),
    );
    expect(late).toMatchObject({ value: { status: 409, body: { code: "ALREADY_DECIDED" } } });
    const next = await ask();
    const answers = await Promise.all([
      decide("approve", next),
      decide("approve", next, third),
      decide("approve", next),
      decide("approve", next, third),
    ]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409]);
    expect((await readBalance(db, user.userId)).freeMilli).toBe(100_001_000);
  },
);

test("the same key asks once", async ({ app, asker, user, list, signInAs }) => {
  const headers = { ...(await signInAs(asker)), "idempotency-key": "double-click" };
  const payload = { email: user.email, units: 500_000 };
  const answers = await Promise.all(
    Array.from(
      { length: 5 },
      async () => await app.inject({ method: "PATCH", url: `/api/${asker.adminId}/credit-a-user`, payload, headers }),
    ),
  );
  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
  expect(await list()).toHaveLength(1);
});
