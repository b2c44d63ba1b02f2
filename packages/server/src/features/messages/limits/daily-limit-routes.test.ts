import { dailyLimitRoutes, type ErrorBody } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";
import { expect, overlap, test as base } from "../../../testing/app.ts";
import { buildPhoneNos, buildSendBody, buildSender } from "../../../testing/messages-factories.ts";
import { readSendFields } from "../read-body/read-send.ts";
import { sendMessage } from "../send/send-message.ts";

const test = base.extend({ environment: { DAILY_RECIPIENTS_MAX: "5" } });
const limitsSchema = dailyLimitRoutes.dailyLimits.schema.response[200];

describe("PATCH set-daily-limit", () => {
  test("is for administrators, for customers that there are, and for whole numbers", async ({ app, db, signInAs }) => {
    const [admin, user] = [await buildAdmin(db), await buildUser(db)];
    const set = async (headers: Record<string, string>, change: Record<string, unknown> = {}) => {
      const payload = { userId: user.userId, code: "234", recipientsMax: 3, ...change };
      return (await app.inject({ method: "PATCH", url: `/api/${admin.adminId}/set-daily-limit`, headers, payload }))
        .statusCode;
    };
    expect(await set({})).toBe(401);
    expect(await set(await signInAs(user))).toBe(403);
    expect(await set(await signInAs(await buildAdmin(db)))).toBe(403);
    const headers = await signInAs(admin);
    expect(await set(headers, { userId: uuidv7() })).toBe(404);
    for (const change of [{ recipientsMax: -1 }, { recipientsMax: 1.5 }, { recipientsMax: "3" }, { code: "0" }])
      expect(await set(headers, change)).toBe(400);
    expect((await db.query("select from daily_cap")).rowCount).toBe(0);
  });

  test("gives a limit and takes it back, audited with before and after; the customer sees it", async ({
    app,
    db,
    signInAs,
  }) => {
    const [admin, user] = [await buildAdmin(db), await buildSender(db)];
    const [headers, own] = [await signInAs(admin), await signInAs(user)];
    const set = async (recipientsMax: number | null) =>
      await app.inject({
        method: "PATCH",
        url: `/api/${admin.adminId}/set-daily-limit`,
        headers,
        payload: { userId: user.userId, code: "234", recipientsMax },
      });
    const send = async (count: number) =>
      (
        await app.inject({
          method: "POST",
          url: `/api/${user.userId}/send-bulk-sms`,
          headers: own,
          payload: buildSendBody({ phoneNo: buildPhoneNos(count) }),
        })
      ).json<ErrorBody>().code;
    const read = async () =>
      limitsSchema.parse((await app.inject({ url: `/api/${user.userId}/daily-limits`, headers: own })).json()).data;
    expect(await read()).toEqual({ recipientsMax: 5, limits: [], callsPerSecond: 100, maySendTransactional: false });
    expect(await send(6)).toBe("LIMIT_REACHED");
    expect(await send(4)).toBeUndefined();
    expect(await send(2)).toBe("LIMIT_REACHED");
    await set(6);
    expect(await send(2)).toBeUndefined();
    expect(await read()).toEqual({
      recipientsMax: 5,
      limits: [{ code: "234", recipientsMax: 6, isOwn: true, usedToday: 6 }],
      callsPerSecond: 100,
      maySendTransactional: false,
    });
    await set(null);
    expect((await read()).limits).toEqual([{ code: "234", recipientsMax: 5, isOwn: false, usedToday: 6 }]);
    const { rows } = await db.query(
      "select before, after from audit_entry where action = 'set-daily-limit' order by created_at, audit_id",
    );
    expect(rows).toEqual([
      { before: { code: "234", recipientsMax: null }, after: { code: "234", recipientsMax: 6 } },
      { before: { code: "234", recipientsMax: 6 }, after: { code: "234", recipientsMax: null } },
    ]);
  });
});

// Goal: two sends never share what is left of a day. Method: each fits alone, and the second starts while the first is uncommitted.
test("two sends that overlap: the second finds the day full", async ({ db, deps }) => {
  const user = await buildSender(db);
  const read = readSendFields(buildSendBody({ phoneNo: buildPhoneNos(3) }));
  if (read.kind === "wrong") throw new Error("the factory's body is wrong");
  const caller = { userId: user.userId, via: "dashboard", clientAddress: "127.0.0.1" } as const;
  const [first, second] = await overlap(
    db,
    (tx) => sendMessage(deps, tx, caller, read.value),
    (tx) => sendMessage(deps, tx, caller, read.value),
  );
  expect([first.status, second]).toMatchObject(["fulfilled", { reason: { code: "LIMIT_REACHED" } }]);
});
