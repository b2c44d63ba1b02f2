import { messageRoutes, quietHoursRoutes, type MessageAnswer, type UnitDetails } from "@ewebal/contract";
import { describe } from "vitest";
import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { App } from "../../../http/app-type.ts";
import { addDndNumbers } from "../../delivery/index.ts";
import { createApiKey } from "../../accounts/index.ts";
import { expect, fakeClock, test as base } from "../../../testing/app.ts";
import { buildCarrier } from "../../../testing/delivery-factories.ts";
import { buildAdmin, buildUser, type BuiltUser } from "../../../testing/factories.ts";
import {
  buildApprovedAddress,
  buildDraft,
  buildSendBody,
  buildSender,
  FACTORY_SENDER_NAME,
} from "../../../testing/messages-factories.ts";
import { countTraces, send, type Headers, type Refusal } from "../testing/ask-to-send.ts";

/** Nine in the evening in Lagos; the first message leaves at eight. Years ahead: whether a scheduled time is over PostgreSQL says by its own clock. */
const EVENING = new Date("2036-11-23T21:00:00+01:00");
const OPENING = "2036-11-24T07:00:00.000Z";

const test = base.extend({
  environment: { QUIET_HOURS: "on" },
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  clock: async ({}, use) => await use(fakeClock(EVENING)),
});

type Sent = { data: { _id: string }; unitDetails: UnitDetails; dnd?: boolean };

const allow = async (db: Db, user: BuiltUser) =>
  await db.query("update app_user set may_send_transactional = true where user_id = $1", [user.userId]);

async function readMessage(app: App, user: BuiltUser, headers: Headers, messageId: string): Promise<MessageAnswer> {
  const answer = await app.inject({ url: `/api/${user.userId}/${messageId}/view-one-sms`, headers });
  return messageRoutes.viewOneSms.schema.response[200].parse(answer.json()).data;
}

describe("what is sent in quiet hours", () => {
  test("says when it leaves on every way in, is held at its price, and the history says the same", async ({
    app,
    db,
    deps,
    signInAs,
  }) => {
    const user = await buildSender(db, { balanceMilli: 1_000_000 });
    await buildApprovedAddress(db, { userId: user.userId, address: "127.0.0.1" });
    const headers = await signInAs(user);
    const { key } = await createApiKey(deps, user.userId, { name: "Shop" });
    const draftId = await buildDraft(db, { userId: user.userId });
    const post = async (url: string, payload: object, more: Headers = headers) =>
      await app.inject({ method: "POST", url, headers: more, payload });
    const encoded = encodeURIComponent(FACTORY_SENDER_NAME);
    const answers = {
      page: await send(app, user, headers, buildSendBody()),
      draft: await post(`/api/${user.userId}/${draftId}/send-draft-sms`, {}),
      program: await post("/api/v1/messages", buildSendBody(), { authorization: `Bearer ${key}` }),
      test: await post(`/api/${user.userId}/send-test`, { senderName: FACTORY_SENDER_NAME, message: "Hello" }),
      get: await app.inject({ url: `/api/send-bulk-sms/${user.email}/${key}/Hello/${encoded}/2348030000001/234` }),
    };
    for (const [way, answer] of Object.entries(answers)) {
      expect([way, answer.statusCode, answer.json<Sent>().unitDetails.deferredUntil]).toEqual([way, 200, OPENING]);
    }
    const { data, unitDetails } = answers.page.json<Sent>();
    expect(unitDetails).toMatchObject({ charged: 3, recipients: 1 });
    expect(await readMessage(app, user, headers, data._id)).toMatchObject({
      state: "deferred",
      class: "promotional",
      deferredUntil: OPENING,
      counts: { waiting: 1 },
      units: { reserved: 3 },
    });
  });

  test("is found as deferred and not as sending; paused it waits for its customer, cancelled it gives its units back", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const { data } = (await send(app, user, headers, buildSendBody())).json<Sent>();
    const list = async (state: string) =>
      (await app.inject({ url: `/api/${user.userId}/populate-sms-history?state=${state}`, headers }))
        .json<{ data: { _id: string }[] }>()
        .data.map(({ _id }) => _id);
    expect([await list("deferred"), await list("sending"), await list("review")]).toEqual([[data._id], [], []]);
    const file = async (state: string) =>
      (await app.inject({ url: `/api/${user.userId}/populate-sms-history?format=csv&state=${state}`, headers })).body
        .trimEnd()
        .split("\r\n")
        .slice(1);
    const [line = ""] = await file("deferred");
    expect([line.includes('"deferred"'), line.endsWith(`"promotional","${OPENING}",""`)]).toEqual([true, true]);
    expect(await file("sending")).toEqual([]);
    const steer = async (verb: string) =>
      (await app.inject({ method: "POST", url: `/api/${user.userId}/${data._id}/${verb}`, headers })).statusCode;
    expect(await steer("pause")).toBe(200);
    expect(await readMessage(app, user, headers, data._id)).toMatchObject({ state: "paused" });
    expect(await steer("resume")).toBe(200);
    expect(await readMessage(app, user, headers, data._id)).toMatchObject({ state: "deferred" });
    expect(await steer("cancel")).toBe(200);
    const cancelled = await readMessage(app, user, headers, data._id);
    expect(cancelled).toMatchObject({ state: "cancelled", units: { returned: 3, reserved: 0 } });
    expect(cancelled.deferredUntil).toBeUndefined();
  });

  test("is counted for administrators alone, until when, without what is paused, transactional or for another time", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    await allow(db, user);
    const read = async (more: Headers = {}) => await app.inject({ url: "/api/view-deferred", headers: more });
    expect((await read()).statusCode).toBe(401);
    expect((await read(headers)).statusCode).toBe(403);
    const adminHeaders = await signInAs(await buildAdmin(db));
    const deferred = async () =>
      quietHoursRoutes.viewDeferred.schema.response[200].parse((await read(adminHeaders)).json()).data;
    expect(await deferred()).toEqual({ isOn: true, codes: [] });
    await send(app, user, headers, buildSendBody({ phoneNo: "2348030000001,2348030000002" }));
    await send(app, user, headers, buildSendBody());
    await send(app, user, headers, { ...buildSendBody(), class: "transactional" });
    const { data: paused } = (await send(app, user, headers, buildSendBody())).json<Sent>();
    await app.inject({ method: "POST", url: `/api/${user.userId}/${paused._id}/pause`, headers });
    const nigeria = { code: "234", messages: 2, recipients: 3, until: OPENING };
    expect(await deferred()).toEqual({ isOn: true, codes: [nigeria] });
    const overview = await app.inject({ url: "/api/view-overview", headers: adminHeaders });
    expect(overview.json()).toMatchObject({ data: { deferred: { messages: 2, recipients: 3 } } });
  });

  test("a scheduled message names the opening after its time, also when it is moved", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const schedule = async (sendAt: string) =>
      (
        await app.inject({
          method: "POST",
          url: `/api/${user.userId}/schedule-sms`,
          headers,
          payload: { ...buildSendBody(), sendAt },
        })
      ).json<Sent>();
    expect((await schedule("2036-11-26T12:00:00+01:00")).unitDetails.deferredUntil).toBeUndefined();
    const { data, unitDetails } = await schedule("2036-11-25T20:00:00+01:00");
    expect(unitDetails.deferredUntil).toBe("2036-11-26T07:00:00.000Z");
    expect(await readMessage(app, user, headers, data._id)).toMatchObject({
      state: "scheduled",
      deferredUntil: "2036-11-26T07:00:00.000Z",
    });
    const edit = async (body: object) =>
      (
        await app.inject({
          method: "PATCH",
          url: `/api/${user.userId}/${data._id}/edit-scheduled-sms`,
          headers,
          payload: body,
        })
      ).json<Sent>();
    expect((await edit({ sendAt: "2036-11-25T07:59:59+01:00" })).unitDetails.deferredUntil).toBe(
      "2036-11-25T07:00:00.000Z",
    );
    expect((await edit({ message: "Later" })).unitDetails.deferredUntil).toBe("2036-11-25T07:00:00.000Z");
    expect((await edit({ sendAt: "2036-11-25T08:00:00+01:00" })).unitDetails.deferredUntil).toBeUndefined();
  });

  test.extend({ environment: { QUIET_HOURS: "off" } })(
    "nothing waits where none are kept",
    async ({ app, db, signInAs }) => {
      const user = await buildSender(db);
      const headers = await signInAs(user);
      const { data, unitDetails } = (await send(app, user, headers, buildSendBody())).json<Sent>();
      expect(unitDetails.deferredUntil).toBeUndefined();
      expect(await readMessage(app, user, headers, data._id)).toMatchObject({ state: "sending" });
    },
  );
});

describe("transactional messages", () => {
  test("are refused until an administrator allows them, after the form and before the sender name", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const body = { ...buildSendBody(), class: "transactional" };
    const asked = async (payload: object) => {
      const answer = await send(app, user, headers, payload);
      return [answer.statusCode, answer.json<Partial<Refusal>>().code];
    };
    expect(await asked({ ...body, class: "urgent" })).toEqual([400, "VALIDATION"]);
    expect(await asked({ ...body, message: "" })).toEqual([400, "VALIDATION"]);
    expect(await asked({ ...body, senderName: "Nobody" })).toEqual([403, "CLASS_NOT_ALLOWED"]);
    expect(await asked({ ...buildSendBody(), dnd: "send" })).toEqual([400, "VALIDATION"]);
    expect(await countTraces(db)).toBe(0);

    const admin = await buildAdmin(db);
    const adminHeaders = await signInAs(admin);
    const change = async (payload: object, by: Headers = adminHeaders) =>
      (await app.inject({ method: "PATCH", url: `/api/${admin.adminId}/allow-transactional`, headers: by, payload }))
        .statusCode;
    expect(await change({ userId: user.userId, allowed: true }, headers)).toBe(403);
    expect(await change({ userId: user.userId })).toBe(400);
    expect(await change({ userId: admin.adminId, allowed: true })).toBe(404);
    expect(await change({ userId: user.userId, allowed: true })).toBe(200);
    expect(await asked({ ...body, senderName: "Nobody" })).toEqual([409, "SENDER_NOT_APPROVED"]);
    expect(await asked(body)).toEqual([200, undefined]);
    expect(await change({ userId: user.userId, allowed: false })).toBe(200);
    expect(await asked(body)).toEqual([403, "CLASS_NOT_ALLOWED"]);
    const { rows } = await db.query("select action, subject_id, after from audit_entry order by created_at");
    expect(rows).toMatchObject([
      { action: "allow-transactional", subject_id: user.userId, after: { allowed: true } },
      { action: "allow-transactional", subject_id: user.userId, after: { allowed: false } },
    ]);
  });

  test("wait for nothing, and cost their class's rate", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    await allow(db, user);
    const admin = await buildAdmin(db);
    const edit = async (payload: object) =>
      await app.inject({
        method: "PATCH",
        url: `/api/${admin.adminId}/edit-rate`,
        headers: await signInAs(admin),
        payload,
      });
    expect((await edit({ code: "234", rate: 4.5, class: "transactional" })).statusCode).toBe(200);
    const rates = (await app.inject({ url: "/api/rates" })).json<{ data: { code: string }[] }>().data;
    expect(rates.find(({ code }) => code === "234")).toMatchObject({ rate: 3, transactionalRate: 4.5 });

    const headers = await signInAs(user);
    const { data, unitDetails } = (
      await send(app, user, headers, { ...buildSendBody(), class: "transactional" })
    ).json<Sent>();
    expect(unitDetails).toMatchObject({ rate: 4.5, charged: 4.5 });
    expect(unitDetails.deferredUntil).toBeUndefined();
    expect(await readMessage(app, user, headers, data._id)).toMatchObject({ state: "sending", class: "transactional" });
    expect((await send(app, user, headers, buildSendBody())).json<Sent>().unitDetails.rate).toBe(3);
    // A rate without a class is that of both.
    expect((await edit({ code: "234", rate: 5 })).statusCode).toBe(200);
    expect((await edit({ code: "234", rate: 5, class: "promotional" })).statusCode).toBe(409);
    const again = (await send(app, user, headers, { ...buildSendBody(), class: "transactional" })).json<Sent>();
    expect(again.unitDetails.rate).toBe(5);
  });

  test("go to do-not-disturb numbers where a carrier reaches them, unless they are to be left out", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    await allow(db, user);
    await withTransaction(db, (tx) =>
      addDndNumbers(tx, { phoneNos: [2_348_030_000_001, 2_348_050_000_001], source: "admin" }),
    );
    const headers = await signInAs(user);
    const phoneNo = "2348030000001,2348050000001,2348030000002";
    const sent = async (more: object) => {
      const answer = await send(app, user, headers, { ...buildSendBody({ phoneNo }), ...more });
      const { unitDetails, dnd = false } = answer.json<Sent>();
      return [answer.statusCode, unitDetails.dnd, unitDetails.recipients, dnd];
    };
    expect(await sent({ class: "transactional" })).toEqual([503, 2, 1, true]);
    const { carrierId } = await buildCarrier(db, { prefixes: ["234803"] });
    await db.query("update carrier set reaches_dnd = true where carrier_id = $1", [carrierId]);
    expect(await sent({ class: "transactional" })).toEqual([503, 1, 2, true]);
    await db.query("update carrier set prefixes = '{}' where carrier_id = $1", [carrierId]);
    expect(await sent({ class: "transactional" })).toEqual([200, 0, 3, false]);
    expect(await sent({ class: "transactional", dnd: "skip" })).toEqual([503, 2, 1, true]);
    expect(await sent({})).toEqual([503, 2, 1, true]);
    const { rows } = await db.query(
      "select dnd_offsets, skipped from message_batch join message using (user_id, message_id) where reaches_dnd order by message_id",
    );
    expect(rows).toEqual([
      { dnd_offsets: [], skipped: [0, 1] },
      { dnd_offsets: [0], skipped: [1] },
      { dnd_offsets: [0, 1], skipped: [] },
    ]);
  });

  test("need a carrier of their class, and so do promotional ones", async ({ app, db, signInAs }) => {
    const user = await buildSender(db, { hasCarrier: false });
    await allow(db, user);
    const { carrierId } = await buildCarrier(db);
    await db.query("update carrier set classes = '{transactional}' where carrier_id = $1", [carrierId]);
    const headers = await signInAs(user);
    const refused = await send(app, user, headers, buildSendBody());
    expect([refused.statusCode, refused.json<Refusal>().code]).toEqual([550, "NO_ROUTE"]);
    expect((await send(app, user, headers, { ...buildSendBody(), class: "transactional" })).statusCode).toBe(200);
  });
});

describe("the hours of a code", () => {
  test("are an administrator's to change, by the form's rules", async ({ app, db, signInAs }) => {
    const admin = await buildAdmin(db);
    const headers = await signInAs(admin);
    const set = async (payload: object, by: Headers = headers) =>
      await app.inject({ method: "POST", url: `/api/${admin.adminId}/set-quiet-hours`, headers: by, payload });
    const good = { code: "254", timeZone: "Africa/Nairobi", opensAt: "09:00", closesAt: "18:30:30" };
    expect((await set(good, await signInAs(await buildUser(db)))).statusCode).toBe(403);
    expect((await set(good, {})).statusCode).toBe(401);
    for (const bad of [
      { ...good, closesAt: "09:00" },
      { ...good, closesAt: "09:00:00" },
      { ...good, opensAt: "24:00" },
      { ...good, opensAt: "9:00" },
      { ...good, timeZone: "Nowhere/Town" },
      { ...good, code: "+254" },
      { ...good, bogus: 1 },
    ])
      expect((await set(bad)).statusCode).toBe(400);
    expect((await set(good)).json()).toMatchObject({ data: { _id: expect.any(String), ...good } });
    const list = async () =>
      quietHoursRoutes.viewQuietHours.schema.response[200].parse(
        (await app.inject({ url: "/api/view-quiet-hours", headers })).json(),
      ).data;
    expect(await list()).toMatchObject([
      { code: "234", timeZone: "Africa/Lagos", opensAt: "08:00", closesAt: "20:00" },
      good,
    ]);
    const [, kenya] = await list();
    expect((await set({ ...good, closesAt: "24:00" })).json()).toMatchObject({ data: { _id: kenya?._id } });
    const remove = async (id: string) =>
      (
        await app.inject({
          method: "DELETE",
          url: `/api/${admin.adminId}/${id}/remove-quiet-hours`,
          headers,
        })
      ).statusCode;
    expect(await remove(kenya?._id ?? "")).toBe(200);
    expect(await remove(kenya?._id ?? "")).toBe(404);
    expect(await list()).toMatchObject([{ code: "234" }]);
  });

  test("hold at once for what is accepted and shown", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const { data } = (await send(app, user, headers, buildSendBody())).json<Sent>();
    await db.query("update quiet_hours set closes_at = '22:00'");
    expect((await send(app, user, headers, buildSendBody())).json<Sent>().unitDetails.deferredUntil).toBeUndefined();
    expect(await readMessage(app, user, headers, data._id)).toMatchObject({ state: "sending" });
  });
});
