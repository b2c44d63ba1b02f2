import { describe } from "vitest";
import { readBalance } from "../../../ledger/index.ts";
import { expect, overlap } from "../../../testing/app.ts";
import { buildDeposit } from "../../../testing/deposit-factories.ts";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";
import { creditDeposit } from "./decide-deposit.ts";
import { hideDeposit } from "./submit-deposit.ts";
import { test } from "./testing/decide-test.ts";

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
      (tx) =>
        tx.query("select 1 from deposit where user_id = $1 and deposit_id = $2 for update", [
          deposit.userId,
          deposit.depositId,
        ]),
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
