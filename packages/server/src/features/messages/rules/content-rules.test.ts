import { contentRuleRoutes, type UnitDetails } from "@ewebal/contract";
import { describe } from "vitest";
import type { Db } from "../../../db/pool.ts";
import type { App } from "../../../http/app-type.ts";
import { readBalance } from "../../../ledger/index.ts";
import { expect, test } from "../../../testing/app.ts";
import { buildMessage } from "../../../testing/delivery-factories.ts";
import { buildAdmin, buildUser, type BuiltAdmin } from "../../../testing/factories.ts";
import {
  buildDraft,
  buildPhoneNos,
  buildSendBody,
  buildSender,
  FACTORY_SENDER_NAME,
} from "../../../testing/messages-factories.ts";
import { countTraces, send, type Headers } from "../testing/ask-to-send.ts";

type Answer = {
  code?: string;
  message: string;
  data?: { _id: string; state?: string };
  unitDetails: UnitDetails;
  warnings?: { pattern: string; note: string }[];
};

const rule = { pattern: "casino", where: "text", action: "refuse", note: "Gambling needs a licence" };

async function addRule(app: App, admin: BuiltAdmin, headers: Headers, facts: object = {}) {
  return await app.inject({
    method: "POST",
    url: `/api/${admin.adminId}/add-content-rule`,
    headers,
    payload: { ...rule, ...facts },
  });
}

async function readState(db: Db, messageId: string | undefined) {
  const { rows } = await db.query(
    `select message.state, batch.state as batch, waiting, cancelled
     from message join message_count using (user_id, message_id) join message_batch batch using (user_id, message_id) where message_id = $1`,
    [messageId],
  );
  return rows;
}

test("rules are added, changed, listed and removed by administrators alone, with what is wrong named", async ({
  app,
  db,
  signInAs,
}) => {
  const admin = await buildAdmin(db);
  const headers = await signInAs(admin);
  expect((await addRule(app, admin, {})).statusCode).toBe(401);
  expect((await addRule(app, admin, await signInAs(await buildUser(db)))).statusCode).toBe(403);
  for (const bad of [
    { pattern: "" },
    { pattern: "!!!" },
    { where: "link", pattern: "casino" },
    { where: "sender", pattern: "--" },
    { where: "title" },
    { action: "delete" },
    { countries: ["+234"] },
    { bogus: true },
  ])
    expect((await addRule(app, admin, headers, bad)).statusCode).toBe(400);
  const added = await addRule(app, admin, headers);
  expect(added.statusCode).toBe(201);
  const { data } = contentRuleRoutes.addContentRule.schema.response[201].parse(added.json());
  expect(data).toMatchObject({ ...rule, countries: [], networks: [] });
  const edit = async (payload: object) =>
    await app.inject({
      method: "PATCH",
      url: `/api/${admin.adminId}/${data._id}/edit-content-rule`,
      headers,
      payload,
    });
  expect((await edit({})).statusCode).toBe(400);
  expect((await edit({ where: "link" })).statusCode).toBe(400);
  expect((await edit({ action: "warn" })).json()).toMatchObject({ data: { ...rule, action: "warn" } });
  const list = async () =>
    (await app.inject({ url: "/api/view-content-rules", headers })).json<{ data: unknown[] }>().data;
  expect(await list()).toMatchObject([{ _id: data._id, action: "warn" }]);
  const remove = async () =>
    (
      await app.inject({
        method: "DELETE",
        url: `/api/${admin.adminId}/${data._id}/remove-content-rule`,
        headers,
      })
    ).statusCode;
  expect([await remove(), await remove()]).toEqual([200, 404]);
  expect(await list()).toEqual([]);
  const { rows } = await db.query("select action from audit_entry order by created_at, audit_id");
  expect(rows.map(({ action }: { action: string }) => action)).toEqual([
    "add-content-rule",
    "edit-content-rule",
    "remove-content-rule",
  ]);
});

test("a rule that is switched off is kept and holds for nothing, until it is on again", async ({
  app,
  db,
  signInAs,
}) => {
  const admin = await buildAdmin(db);
  const adminHeaders = await signInAs(admin);
  const user = await buildSender(db);
  const headers = await signInAs(user);
  const text = (await addRule(app, admin, adminHeaders)).json<{ data: { _id: string } }>().data;
  const name = { where: "sender", pattern: FACTORY_SENDER_NAME };
  const sender = (await addRule(app, admin, adminHeaders, { ...name, isEnabled: false })).json<{
    data: { _id: string };
  }>().data;
  const switchTo = async (ruleId: string, isEnabled: unknown) =>
    await app.inject({
      method: "PATCH",
      url: `/api/${admin.adminId}/${ruleId}/edit-content-rule`,
      headers: adminHeaders,
      payload: { isEnabled },
    });
  const sendCasino = async () =>
    (await send(app, user, headers, buildSendBody({ message: "Casino", phoneNo: "2348030000001" }))).statusCode;
  expect((await switchTo(text._id, "off")).statusCode).toBe(400);
  expect(await sendCasino()).toBe(550);
  expect((await switchTo(text._id, false)).json()).toMatchObject({ data: { ...rule, isEnabled: false } });
  expect(await sendCasino()).toBe(200);
  const list = (await app.inject({ url: "/api/view-content-rules", headers: adminHeaders })).json<{
    data: unknown[];
  }>();
  expect(list.data).toMatchObject([
    { _id: text._id, isEnabled: false },
    { _id: sender._id, isEnabled: false },
  ]);
  await switchTo(sender._id, true);
  expect(await sendCasino()).toBe(550);
  await switchTo(sender._id, false);
  await switchTo(text._id, true);
  expect(await sendCasino()).toBe(550);
});

describe("a refused text", () => {
  test("is 550 with the note on every way, and leaves nothing", async ({ app, db, signInAs }) => {
    const admin = await buildAdmin(db);
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const draftId = await buildDraft(db, { userId: user.userId, message: "Casino tonight" });
    await addRule(app, admin, await signInAs(admin));
    await addRule(app, admin, await signInAs(admin), { where: "link", pattern: "bit.ly", note: "" });
    const refused = async (way: string, payload: object) => {
      const answer = await app.inject({ method: "POST", url: `/api/${user.userId}/${way}`, headers, payload });
      const { code, message } = answer.json<Answer>();
      return [answer.statusCode, code, message];
    };
    const bad = buildSendBody({ message: "Come to the ca\u200Bsino" });
    const wanted = [550, "NOT_SENDABLE", rule.note];
    expect(await refused("send-bulk-sms", bad)).toEqual(wanted);
    expect(await refused("send-bulk-sms", { ...bad, dryRun: true })).toEqual(wanted);
    expect(await refused("schedule-sms", { ...bad, sendAt: new Date(Date.now() + 3_600_000).toISOString() })).toEqual(
      wanted,
    );
    expect(await refused(`${draftId}/send-draft-sms`, {})).toEqual(wanted);
    expect(await refused("send-test", { senderName: FACTORY_SENDER_NAME, message: "Casino" })).toEqual(wanted);
    const merged = {
      recipients: [
        { to: "2348030000001", fields: { what: "casino" } },
        { to: "2348030000002", fields: { what: "tea" } },
      ],
    };
    const { phoneNo: _phoneNo, ...fields } = buildSendBody({ message: "Come for {{what}}" });
    expect(await refused("send-bulk-sms", { ...fields, ...merged })).toEqual(wanted);
    expect((await refused("send-bulk-sms", buildSendBody({ message: "See go.bit.ly/x" })))[0]).toBe(550);
    expect((await refused("send-bulk-sms", buildSendBody({ message: "See {{link:https://bit.ly/x}}" })))[0]).toBe(550);
    expect(await countTraces(db)).toBe(0);
    expect((await refused("send-bulk-sms", buildSendBody({ message: "Casinos" })))[0]).toBe(200);
  });

  test("is refused for the countries and networks of the rule alone", async ({ app, db, signInAs }) => {
    const admin = await buildAdmin(db);
    const user = await buildSender(db);
    const headers = await signInAs(user);
    await addRule(app, admin, await signInAs(admin), { countries: ["254"] });
    await addRule(app, admin, await signInAs(admin), { networks: ["mtn"], pattern: "lottery" });
    const status = async (message: string, phoneNo: string) =>
      (await send(app, user, headers, buildSendBody({ message, phoneNo }))).statusCode;
    expect(await status("casino", "2348030000001")).toBe(200);
    expect(await status("lottery", "2348050000001")).toBe(200);
    expect(await status("lottery", "2348050000001,2348030000001")).toBe(550);
  });
});

test("a refused sender name is refused wherever a name is given, look-alikes too", async ({ app, db, signInAs }) => {
  const admin = await buildAdmin(db);
  const adminHeaders = await signInAs(admin);
  const user = await buildSender(db);
  const headers = await signInAs(user);
  const asked = await app.inject({
    method: "POST",
    url: `/api/${user.userId}/source-whitelist`,
    headers,
    payload: { senderName: "Adabola" },
  });
  const requests = await db.query<{ request_id: string }>("select request_id from whitelist_request");
  expect([asked.statusCode, requests.rows.length]).toEqual([201, 1]);
  for (const pattern of ["Acme Ltd", "Adabola"])
    await addRule(app, admin, adminHeaders, { where: "sender", pattern, note: "Not yours" });
  const answers = [
    await send(app, user, headers, buildSendBody()),
    await app.inject({
      method: "POST",
      url: `/api/${user.userId}/source-whitelist`,
      headers,
      payload: { senderName: "AdaB0LA" },
    }),
    await app.inject({
      method: "PATCH",
      url: `/api/${admin.adminId}/whitelist-user-senderID`,
      headers: adminHeaders,
      payload: { email: user.email, senderName: "ada-bola" },
    }),
    await app.inject({
      method: "PATCH",
      url: `/api/${requests.rows[0]?.request_id}/approve-whitelist-request`,
      headers: adminHeaders,
    }),
    await app.inject({
      method: "PATCH",
      url: `/api/${user.userId}/update-user`,
      headers: adminHeaders,
      payload: { senderID: "Acme Ltd,Adabo1a" },
    }),
  ];
  expect(
    answers.map((answer) => [answer.statusCode, answer.json<Answer>().code, answer.json<Answer>().message]),
  ).toEqual(answers.map(() => [550, "NOT_SENDABLE", "Not yours"]));
});

test("a warning stands beside what it costs, and dryRun tells it without changing anything", async ({
  app,
  db,
  signInAs,
}) => {
  const admin = await buildAdmin(db);
  const user = await buildSender(db);
  const headers = { ...(await signInAs(user)), "idempotency-key": "once" };
  await addRule(app, admin, await signInAs(admin), { action: "warn", note: "MTN often blocks this" });
  const body = buildSendBody({ message: "Casino" });
  const tried = await send(app, user, headers, { ...body, dryRun: true });
  const warnings = [{ pattern: "casino", note: "MTN often blocks this" }];
  expect(tried.statusCode).toBe(200);
  expect(tried.json()).toMatchObject({ warnings, unitDetails: { charged: 3, available: 97 } });
  expect(tried.json<Answer>().data).toBeUndefined();
  expect(await countTraces(db)).toBe(0);
  const later = await app.inject({
    method: "POST",
    url: `/api/${user.userId}/schedule-sms`,
    headers,
    payload: {
      ...body,
      sendAt: new Date(Date.now() + 3_600_000).toISOString(),
      repeat: { every: "day" },
      dryRun: true,
    },
  });
  expect([later.statusCode, later.json<Answer>().warnings]).toEqual([200, warnings]);
  expect(later.json<{ nextTimes: string[] }>().nextTimes).toHaveLength(3);
  const sent = await send(app, user, headers, body);
  expect(sent.json()).toMatchObject({ warnings, data: { _id: expect.any(String) } });
  expect((await send(app, user, headers, body)).json()).toEqual(sent.json());
});

describe("a message in review", () => {
  test("is held with its units until an administrator releases it, once", async ({ app, db, signInAs }) => {
    const admin = await buildAdmin(db);
    const adminHeaders = await signInAs(admin);
    const user = await buildSender(db);
    const headers = await signInAs(user);
    await addRule(app, admin, adminHeaders, { action: "review", note: "Look at this" });
    const answer = await send(app, user, headers, buildSendBody({ message: "Casino" }));
    const { data } = answer.json<Answer>();
    expect([answer.statusCode, data]).toEqual([200, { _id: expect.any(String), state: "review" }]);
    expect(await readState(db, data?._id)).toMatchObject([{ state: 5, batch: 0, waiting: 1 }]);
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 3_000, freeMilli: 97_000 });
    const reviews = async () =>
      contentRuleRoutes.viewReviews.schema.response[200].parse(
        (await app.inject({ url: "/api/view-reviews", headers: adminHeaders })).json(),
      ).data;
    expect(await reviews()).toMatchObject([
      { _id: data?._id, userID: user.userId, message: "Casino", recipients: 1, charge: 3, note: "Look at this" },
    ]);
    const overview = async () =>
      (await app.inject({ url: "/api/view-overview", headers: adminHeaders })).json<{ data: { reviews: number } }>()
        .data;
    expect((await overview()).reviews).toBe(1);
    const shown = await app.inject({ url: `/api/${user.userId}/${data?._id}/view-one-sms`, headers });
    expect(shown.json()).toMatchObject({ data: { state: "review" } });
    const found = await app.inject({ url: `/api/${user.userId}/populate-sms-history?state=review`, headers });
    expect(found.json()).toMatchObject({ data: [{ _id: data?._id }] });
    const steer = async (verb: string) =>
      (await app.inject({ method: "POST", url: `/api/${user.userId}/${data?._id}/${verb}`, headers })).statusCode;
    expect([await steer("pause"), await steer("resume")]).toEqual([409, 409]);

    const decide = async (verb: string) => {
      const decided = await app.inject({
        method: "PATCH",
        url: `/api/${admin.adminId}/${data?._id}/${verb}-message`,
        headers: adminHeaders,
      });
      return [decided.statusCode, decided.json<Answer>().code];
    };
    expect(await decide("release")).toEqual([200, undefined]);
    expect(await readState(db, data?._id)).toMatchObject([{ state: 1, batch: 1, waiting: 1 }]);
    expect([await decide("release"), await decide("refuse")]).toEqual([
      [409, "ALREADY_DECIDED"],
      [409, "ALREADY_DECIDED"],
    ]);
    expect([await reviews(), (await overview()).reviews]).toEqual([[], 0]);
  });

  test("that is refused is cancelled, and its units come back; a scheduled one that is released waits for its time", async ({
    app,
    db,
    signInAs,
  }) => {
    const admin = await buildAdmin(db);
    const adminHeaders = await signInAs(admin);
    const user = await buildSender(db);
    const headers = await signInAs(user);
    await addRule(app, admin, adminHeaders, { action: "review" });
    const schedule = async (message: string) =>
      await app.inject({
        method: "POST",
        url: `/api/${user.userId}/schedule-sms`,
        headers,
        payload: { ...buildSendBody({ message }), sendAt: new Date(Date.now() + 3_600_000).toISOString() },
      });
    const first = (await send(app, user, headers, buildSendBody({ message: "Casino" }))).json<Answer>().data;
    const second = (await schedule("Casino")).json<Answer>().data;
    const plain = (await schedule("Tea")).json<Answer>().data;
    const edited = await app.inject({
      method: "PATCH",
      url: `/api/${user.userId}/${plain?._id}/edit-scheduled-sms`,
      headers,
      payload: { message: "Casino" },
    });
    expect([second?.state, plain?.state, edited.json<Answer>().data?.state]).toEqual(["review", undefined, "review"]);
    const decide = async (messageId: string | undefined, verb: string) =>
      (
        await app.inject({
          method: "PATCH",
          url: `/api/${admin.adminId}/${messageId}/${verb}-message`,
          headers: adminHeaders,
          ...(verb === "refuse" && { payload: { reason: "No licence" } }),
        })
      ).statusCode;
    expect(await decide(first?._id, "refuse")).toBe(200);
    expect(await readState(db, first?._id)).toMatchObject([{ state: 3, batch: 4, cancelled: 1 }]);
    expect(await decide(second?._id, "release")).toBe(200);
    expect(await readState(db, second?._id)).toMatchObject([{ state: 0, batch: 0, waiting: 1 }]);
    expect(await decide(plain?._id, "refuse")).toBe(200);
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 3_000, freeMilli: 97_000 });
    const { rows } = await db.query("select name, violations from ledger_invariants where violations <> 0");
    expect(rows).toEqual([]);
  });

  test.extend({ environment: { REVIEW_ABOVE: "5" } })(
    "is one to more recipients than REVIEW_ABOVE",
    async ({ app, db, signInAs }) => {
      const user = await buildSender(db);
      const headers = await signInAs(user);
      const stateOf = async (count: number) =>
        (await send(app, user, headers, buildSendBody({ phoneNo: buildPhoneNos(count) }))).json<Answer>().data?.state;
      expect([await stateOf(5), await stateOf(6)]).toEqual([undefined, "review"]);
    },
  );

  test.extend({ environment: { REVIEW_FIRST_ABOVE: "2" } })(
    "is a large one of an account of which nothing was handed over",
    async ({ app, db, signInAs }) => {
      const user = await buildSender(db);
      const headers = await signInAs(user);
      const stateOf = async (count: number) =>
        (await send(app, user, headers, buildSendBody({ phoneNo: buildPhoneNos(count) }))).json<Answer>().data?.state;
      expect([await stateOf(2), await stateOf(3)]).toEqual([undefined, "review"]);
      // What is left of an earlier message.
      const { messageId } = await buildMessage(db, { userId: user.userId, recipientCount: 1, priceMilli: 0 });
      await db.query("update message_count set waiting = 0, sent = 1 where message_id = $1", [messageId]);
      expect(await stateOf(3)).toBeUndefined();
    },
  );
});
