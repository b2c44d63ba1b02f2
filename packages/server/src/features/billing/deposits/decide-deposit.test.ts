import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import { readBalance } from "../../../ledger/index.ts";
import { expect, overlap } from "../../../testing/app.ts";
import { buildDeposit } from "../../../testing/deposit-factories.ts";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";
import { creditDeposit, declineDeposit } from "./decide-deposit.ts";
import { test } from "./testing/decide-test.ts";

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
