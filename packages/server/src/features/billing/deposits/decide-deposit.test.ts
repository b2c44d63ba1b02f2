import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import type { DepositAnswer } from "@ewebal/contract";
import { readBalance } from "../../../ledger/index.ts";
import { expect, overlap, test as base } from "../../../testing/app.ts";
import { buildDeposit, type BuiltDeposit } from "../../../testing/deposit-factories.ts";
import { buildAdmin, buildUser, type BuiltAdmin, type BuiltUser } from "../../../testing/factories.ts";
import { creditDeposit, declineDeposit } from "./decide-deposit.ts";
import { hideDeposit } from "./submit-deposit.ts";

type Answer = {
  status: number;
  body: { message: string; code?: string; fields?: Record<string, string>; data?: DepositAnswer };
};
type Decide = (
  call: "credit-user" | "declined-transaction",
  payload?: object,
  options?: { as?: BuiltAdmin; deposit?: Partial<BuiltDeposit> },
) => Promise<Answer>;

type Judge = (call: "approve" | "decline", approvalId: string, as: BuiltAdmin) => Promise<Answer>;

const test = base.extend<{
  user: BuiltUser;
  admin: BuiltAdmin;
  deposit: BuiltDeposit;
  decide: Decide;
  judge: Judge;
  view: () => Promise<DepositAnswer | undefined>;
  freeUnits: () => Promise<number>;
}>({
  user: async ({ db }, use) => await use(await buildUser(db, { userName: "Ada", email: "ada@gmail.com" })),
  admin: async ({ db }, use) => await use(await buildAdmin(db, { adminName: "Bola" })),
  deposit: async ({ db, user }, use) => await use(await buildDeposit(db, { userId: user.userId, amountNaira: 10_000 })),
  decide: async ({ app, admin, deposit, signInAs }, use) => {
    await use(async (call, payload = {}, { as = admin, deposit: other = {} } = {}) => {
      const { userId, transferId } = { ...deposit, ...other };
      const url = `/api/${userId}/${transferId}/${as.adminId}/${call}`;
      const answer = await app.inject({ method: "PATCH", url, payload, headers: await signInAs(as) });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  judge: async ({ app, signInAs }, use) => {
    await use(async (call, approvalId, as) => {
      const answer = await app.inject({
        method: "PATCH",
        url: `/api/${as.adminId}/${approvalId}/${call}`,
        headers: await signInAs(as),
      });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  view: async ({ app, admin, deposit, signInAs }, use) => {
    await use(async () => {
      const answer = await app.inject({
        method: "GET",
        url: `/api/${deposit.transferId}/view-one-transaction`,
        headers: await signInAs(admin),
      });
      return answer.json<{ data?: DepositAnswer }>().data;
    });
  },
  freeUnits: async ({ db, user }, use) => await use(async () => (await readBalance(db, user.userId)).freeMilli / 1_000),
});

const calls = ["credit-user", "declined-transaction"] as const;

describe("refused", () => {
  test.for(calls)(
    "%s: visitors, customers, another administrator's path",
    async (call, { app, db, user, admin, deposit, signInAs, freeUnits }) => {
      const patch = async (adminId: string, headers = {}): Promise<{ code: string }> =>
        (
          await app.inject({
            method: "PATCH",
            url: `/api/${user.userId}/${deposit.transferId}/${adminId}/${call}`,
            payload: { units: 5 },
            headers,
          })
        ).json();
      expect(await patch(admin.adminId)).toMatchObject({ code: "AUTH_REQUIRED" });
      expect(await patch(admin.adminId, await signInAs(user))).toMatchObject({ code: "FORBIDDEN" });
      expect(await patch(user.userId, await signInAs(user))).toMatchObject({ code: "FORBIDDEN" });
      expect(await patch((await buildAdmin(db)).adminId, await signInAs(admin))).toMatchObject({ code: "FORBIDDEN" });
      expect(await freeUnits()).toBe(0);
    },
  );

  test.for(calls)("%s: path parts that do not belong together", async (call, { db, decide, freeUnits }) => {
    const other = await buildUser(db);
    expect(await decide(call, { units: 5 }, { deposit: { userId: other.userId } })).toMatchObject({
      status: 404,
      body: { code: "NOT_FOUND" },
    });
    expect(await decide(call, { units: 5 }, { deposit: { transferId: uuidv7() } })).toMatchObject({ status: 404 });
    expect(await decide(call, { units: 5 }, { deposit: { transferId: "1" } })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION" },
    });
    expect([await freeUnits(), (await readBalance(db, other.userId)).freeMilli]).toEqual([0, 0]);
  });

  test("units that are not whole units, properly written", async ({ db, decide, freeUnits }) => {
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
      "1,00",
      ",100",
      "1,0000",
      "1,000,",
      "10, 000",
      "",
      " ",
      "٥",
      "0x10",
      [5],
      true,
      1e21,
      100_000_001,
    ];
    for (const units of wrong) {
      const { status, body } = await decide("credit-user", { units });
      expect([status, body.code, Object.keys(body.fields ?? {})], JSON.stringify(units)).toEqual([
        400,
        "VALIDATION",
        ["units"],
      ]);
    }
    expect(await freeUnits()).toBe(0);
    expect((await db.query("select from audit_entry")).rowCount).toBe(0);
  });

  test.for(["verified", "declined", "withdrawn"] as const)(
    "what is %s already",
    async (state, { db, user, admin, decide, freeUnits }) => {
      const deposit = await buildDeposit(db, { userId: user.userId, adminId: admin.adminId, state });
      for (const call of calls)
        expect(await decide(call, { units: 5 }, { deposit })).toMatchObject({
          status: 409,
          body: { code: "ALREADY_DECIDED" },
        });
      expect(await freeUnits()).toBe(0);
      expect((await db.query("select from mail")).rowCount).toBe(0);
    },
  );

  test("a reason of more than 300 characters", async ({ decide }) => {
    expect(await decide("declined-transaction", { reason: "x".repeat(301) })).toMatchObject({
      status: 400,
      body: { fields: { reason: expect.any(String) as string } },
    });
  });
});

describe("crediting", () => {
  test.for([
    [5_000, 5_000],
    ["5000", 5_000],
    ["5,000", 5_000],
    ["10,000", 10_000],
    [1, 1],
  ] as const)(
    "%j moves units once, is audited and mailed",
    async ([units, credited], { db, user, admin, deposit, decide, freeUnits, mailsTo }) => {
      const answer = await decide("credit-user", { units });
      expect(answer).toMatchObject({
        status: 200,
        body: {
          data: {
            _id: deposit.transferId,
            verified: true,
            declined: false,
            creditedUnits: credited,
            review: { decidedBy: "Bola" },
          },
        },
      });
      expect(await freeUnits()).toBe(credited);
      const { rows: journals } = await db.query("select kind, reference from journal where user_id = $1", [
        user.userId,
      ]);
      expect(journals).toEqual([{ kind: "bank_deposit", reference: deposit.depositId }]);
      const { rows } = await db.query(
        "select admin_id, action, subject_id, before, after, client_address from audit_entry",
      );
      const before = { transferId: deposit.transferId, state: "pending", amountDeposited: 10_000 };
      const after = { state: "verified", units: credited, available: credited };
      expect(rows).toEqual([
        {
          admin_id: admin.adminId,
          action: "credit-user",
          subject_id: user.userId,
          before,
          after,
          client_address: "127.0.0.1",
        },
      ]);
      const mails = await mailsTo(user.email);
      expect(mails).toHaveLength(1);
      expect(mails[0]?.text).toContain("Available now: ");
      expect(await decide("credit-user", { units })).toMatchObject({ status: 409 });
      expect(await freeUnits()).toBe(credited);
    },
  );

  test("two administrators at once: one effect, the other is told", async ({
    db,
    deps,
    user,
    admin,
    deposit,
    freeUnits,
    mailsTo,
  }) => {
    const other = await buildAdmin(db);
    const credit = (adminId: string, units: number) =>
      creditDeposit(deps, deposit, { adminId, units, clientAddress: "192.0.2.1" });
    const [, second] = await overlap(
      db,
      (tx) =>
        tx.query("update deposit set state = 'declined', decided_by = $2, decided_at = now() where deposit_id = $1", [
          deposit.depositId,
          admin.adminId,
        ]),
      () => credit(other.adminId, 5_000),
    );
    expect(second).toMatchObject({ status: "rejected", reason: { code: "ALREADY_DECIDED" } });
    expect(await freeUnits()).toBe(0);

    const next = await buildDeposit(db, { userId: user.userId });
    const both = await Promise.allSettled(
      [admin, other, admin, other].map(({ adminId }, index) =>
        index < 2
          ? creditDeposit(deps, next, { adminId, units: 100, clientAddress: "192.0.2.1" })
          : declineDeposit(deps, next, { adminId, reason: "", clientAddress: "192.0.2.1" }),
      ),
    );
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(
      both.filter((run) => run.status === "rejected" && (run.reason as { code: string }).code === "ALREADY_DECIDED"),
    ).toHaveLength(3);
    expect(await mailsTo(user.email)).toHaveLength(1);
    expect([0, 100]).toContain(await freeUnits());
  });

  test("a customer withdraws while an administrator credits: the credit finds it withdrawn", async ({
    db,
    deps,
    user,
    admin,
    deposit,
    freeUnits,
  }) => {
    const [, second] = await overlap(
      db,
      (tx) =>
        tx.query(
          "update deposit set state = 'withdrawn', decided_at = now(), hidden_at = now() where deposit_id = $1",
          [deposit.depositId],
        ),
      () =>
        creditDeposit(deps, deposit, {
          adminId: admin.adminId,
          units: 5,
          clientAddress: "192.0.2.1",
        }),
    );
    expect(second).toMatchObject({
      reason: { code: "ALREADY_DECIDED", message: "The customer has withdrawn this deposit" },
    });
    expect([await freeUnits(), user.userName]).toEqual([0, "Ada"]);
  });

  test("killed before its commit: no unit, no mail, no entry, and the deposit waits on", async ({
    db,
    deps,
    user,
    admin,
    deposit,
    freeUnits,
  }) => {
    const broken = { ...deps, recordAudit: () => Promise.reject(new Error("killed here")) };
    await expect(
      creditDeposit(broken, deposit, { adminId: admin.adminId, units: 5, clientAddress: "192.0.2.1" }),
    ).rejects.toThrow("killed here");
    expect(await freeUnits()).toBe(0);
    for (const table of ["mail", "audit_entry", "journal"])
      expect((await db.query(`select from ${table}`)).rowCount, table).toBe(0);
    expect((await db.query("select state from deposit where user_id = $1", [user.userId])).rows).toEqual([
      { state: "pending" },
    ]);
  });
});

describe("more than was deposited, or than one may credit alone", () => {
  const limited = test.extend({ environment: { SECOND_ADMIN_ABOVE: "8000" } });

  test("waits for a second administrator, who asks for the same units", async ({
    db,
    user,
    admin,
    deposit,
    decide,
    view,
    freeUnits,
    mailsTo,
  }) => {
    const first = await decide("credit-user", { units: "10,001" });
    const approvalId = first.body.data?._id;
    expect(first).toMatchObject({ status: 202, body: { data: { _id: expect.any(String) as string } } });
    expect(await view()).toMatchObject({
      verified: false,
      review: { proposal: { _id: approvalId, units: 10_001, adminID: admin.adminId, adminName: "Bola" } },
    });
    expect(await decide("credit-user", { units: 10_001 })).toMatchObject({
      status: 202,
      body: { data: { _id: approvalId } },
    });
    expect([
      await freeUnits(),
      (await mailsTo(user.email)).length,
      (await db.query("select from audit_entry")).rowCount,
    ]).toEqual([0, 0, 1]);

    const other = await buildAdmin(db);
    expect(await decide("credit-user", { units: 10_001 }, { as: other })).toMatchObject({
      status: 200,
      body: { data: { verified: true, creditedUnits: 10_001, review: { proposal: null } } },
    });
    expect(await freeUnits()).toBe(10_001);
    const { rows } = await db.query(
      "select admin_id, action, before - 'approvalId' as before, after - 'available' - 'approvalId' as after from audit_entry order by audit_id",
    );
    const before = { transferId: deposit.transferId, state: "pending", amountDeposited: 10_000 };
    const what = `Credit 10,001.00 units to Ada, ${user.email}, for a deposit of 10,000.00 naira`;
    expect(rows).toEqual([
      { admin_id: admin.adminId, action: "propose-credit-user", before, after: { units: 10_001, what } },
      {
        admin_id: other.adminId,
        action: "approve",
        before: { kind: "deposit", what, askedBy: admin.adminId },
        after: { state: "approved" },
      },
      {
        admin_id: other.adminId,
        action: "credit-user",
        before,
        after: { state: "verified", units: 10_001, askedBy: admin.adminId },
      },
    ]);
  });

  test("is credited when a second administrator approves it, and stays open when they decline", async ({
    db,
    admin,
    decide,
    judge,
    view,
    freeUnits,
  }) => {
    const other = await buildAdmin(db);
    const ask = async () => (await decide("credit-user", { units: 10_001 })).body.data?._id ?? "";
    const declined = await ask();
    expect(await judge("approve", declined, admin)).toMatchObject({ status: 409, body: { code: "SAME_PERSON" } });
    expect((await judge("decline", declined, other)).status).toBe(200);
    expect(await view()).toMatchObject({ verified: false, declined: false, review: { proposal: null } });
    const approved = await ask();
    expect(await judge("approve", approved, other)).toMatchObject({
      status: 200,
      body: { message: "Ada was credited with 10001 units. A mail was sent" },
    });
    expect(await judge("approve", approved, other)).toMatchObject({ status: 409, body: { code: "ALREADY_DECIDED" } });
    expect(await view()).toMatchObject({
      verified: true,
      creditedUnits: 10_001,
      review: { proposal: null, decidedBy: "Admin" },
    });
    expect(await freeUnits()).toBe(10_001);
  });

  test("the customer with the administrator's own mailbox waits at any amount, and neither of the two decides", async ({
    db,
    admin,
    decide,
    judge,
  }) => {
    const other = await buildAdmin(db, { email: "hat@ewebal.com" });
    const hat = await buildUser(db, { email: "hat@ewebal.com" });
    const own = await buildDeposit(db, { userId: hat.userId, amountNaira: 10_000 });
    const { status, body } = await decide("credit-user", { units: 1 }, { as: other, deposit: own });
    expect(status).toBe(202);
    expect(await judge("approve", body.data?._id ?? "", other)).toMatchObject({
      status: 409,
      body: { code: "SAME_PERSON" },
    });
    const more = await decide("credit-user", { units: 20_000 }, { deposit: own });
    expect(await decide("credit-user", { units: 20_000 }, { as: other, deposit: own })).toMatchObject({
      status: 202,
      body: { data: { _id: more.body.data?._id } },
    });
    expect((await readBalance(db, hat.userId)).freeMilli).toBe(0);
    expect((await judge("approve", body.data?._id ?? "", admin)).body.code).toBe("ALREADY_DECIDED");
  });

  limited("the limit holds for large deposits too, to the unit", async ({ db, decide, freeUnits }) => {
    expect(await decide("credit-user", { units: 8_001 })).toMatchObject({ status: 202 });
    expect(await freeUnits()).toBe(0);
    expect(await decide("credit-user", { units: 8_000 })).toMatchObject({
      status: 200,
      body: { data: { review: { proposal: null } } },
    });
    expect((await db.query("select state from approval")).rows).toEqual([{ state: "lapsed" }]);
    expect(await freeUnits()).toBe(8_000);
  });

  test("other units of a second administrator take the place of what waits", async ({
    db,
    admin,
    decide,
    view,
    freeUnits,
  }) => {
    const other = await buildAdmin(db);
    await decide("credit-user", { units: 20_000 });
    expect(await decide("credit-user", { units: 20_001 }, { as: other })).toMatchObject({ status: 202 });
    expect(await view()).toMatchObject({ review: { proposal: { units: 20_001, adminID: other.adminId } } });
    expect(await decide("credit-user", { units: 20_000 }, { as: other })).toMatchObject({ status: 202 });
    expect(await freeUnits()).toBe(0);
    expect(await decide("credit-user", { units: 20_000 }, { as: admin })).toMatchObject({ status: 200 });
    expect(await freeUnits()).toBe(20_000);
  });

  test("one administrator alone never agrees with themselves, also with two presses at once", async ({
    db,
    decide,
    freeUnits,
  }) => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => decide("credit-user", { units: 10_500 })));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect([await freeUnits(), (await db.query("select from audit_entry")).rowCount]).toEqual([0, 1]);
  });

  // Goal: one credit however the two ways to agree meet. Method: the deposit's row is held while the second one comes.
  test("two administrators who press at one moment: the second one agrees, once", async ({
    db,
    deps,
    admin,
    deposit,
    decide,
    judge,
    freeUnits,
  }) => {
    const [other, third] = [await buildAdmin(db), await buildAdmin(db)];
    const approvalId = (await decide("credit-user", { units: 12_000 })).body.data?._id ?? "";
    const [, second] = await overlap(
      db,
      (tx) => tx.query("select from deposit where deposit_id = $1 for update", [deposit.depositId]),
      () =>
        creditDeposit(deps, deposit, {
          adminId: other.adminId,
          units: 12_000,
          clientAddress: "192.0.2.1",
        }),
    );
    expect(second).toMatchObject({ value: { kind: "credited" } });
    expect(await judge("approve", approvalId, third)).toMatchObject({ body: { code: "ALREADY_DECIDED" } });
    expect([await freeUnits(), admin.adminName]).toEqual([12_000, "Bola"]);
  });

  test("agreed, approved and declined at once: one effect, and nobody waits for ever", async ({
    db,
    decide,
    judge,
    freeUnits,
  }) => {
    const [other, third] = [await buildAdmin(db), await buildAdmin(db)];
    const approvalId = (await decide("credit-user", { units: 12_000 })).body.data?._id ?? "";
    const answers = await Promise.all([
      judge("approve", approvalId, other),
      decide("credit-user", { units: 12_000 }, { as: third }),
      judge("approve", approvalId, third),
      decide("declined-transaction", {}, { as: other }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((one, another) => one - another)).toEqual([200, 409, 409, 409]);
    expect([0, 12_000]).toContain(await freeUnits());
    expect((await db.query("select from approval where state = 'waiting'")).rowCount).toBe(0);
  });

  test("a proposal may still be declined or withdrawn, and is gone then", async ({
    db,
    deps,
    user,
    deposit,
    decide,
  }) => {
    await decide("credit-user", { units: 20_000 });
    expect(await decide("declined-transaction")).toMatchObject({
      status: 200,
      body: { data: { declined: true, review: { proposal: null } } },
    });
    const next = await buildDeposit(db, { userId: user.userId });
    await decide("credit-user", { units: 20_000 }, { deposit: next });
    await hideDeposit(deps, next);
    expect((await db.query("select state from deposit order by deposit_id")).rows).toEqual([
      { state: "declined" },
      { state: "withdrawn" },
    ]);
    expect((await db.query("select state from approval")).rows).toEqual([{ state: "lapsed" }, { state: "lapsed" }]);
    expect(deposit.userId).toBe(user.userId);
  });
});

describe("declining", () => {
  test("is final, audited, and told by mail with its reason", async ({
    db,
    user,
    admin,
    deposit,
    decide,
    freeUnits,
    mailsTo,
  }) => {
    const answer = await decide("declined-transaction", { reason: " No such transfer in the account " });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          verified: false,
          declined: true,
          reason: "No such transfer in the account",
          decidedAt: expect.any(String) as string,
        },
      },
    });
    const [mail] = await mailsTo(user.email);
    expect(mail?.subject).toBe("Your bank deposit was declined");
    expect(mail?.text).toContain("Reason: No such transfer in the account");
    const { rows } = await db.query("select admin_id, action, before, after from audit_entry");
    const before = { transferId: deposit.transferId, state: "pending", amountDeposited: 10_000 };
    expect(rows).toEqual([
      {
        admin_id: admin.adminId,
        action: "declined-transaction",
        before,
        after: { state: "declined", reason: "No such transfer in the account" },
      },
    ]);
    expect(await freeUnits()).toBe(0);
  });

  test("takes no reason, and no body at all", async ({ app, user, admin, deposit, signInAs, mailsTo }) => {
    const url = `/api/${user.userId}/${deposit.transferId}/${admin.adminId}/declined-transaction`;
    expect((await app.inject({ method: "PATCH", url, headers: await signInAs(admin) })).statusCode).toBe(200);
    expect((await mailsTo(user.email))[0]?.text).not.toContain("Reason");
  });
});
