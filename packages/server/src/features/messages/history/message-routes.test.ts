import { messageRoutes, type RecipientAnswer } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import { createListener } from "../../../db/listen.ts";
import { readBalance } from "../../../ledger/index.ts";
import { buildMessage, testPhoneNos } from "../../../testing/delivery-factories.ts";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";
import { expect, test } from "../../../testing/app.ts";
import { buildPhoneNos, buildSendBody, buildSender } from "../../../testing/messages-factories.ts";

const historySchema = messageRoutes.populateSmsHistory.schema.response[200];
const messageAnswerSchema = messageRoutes.viewOneSms.schema.response[200];
const recipientsSchema = messageRoutes.recipients.schema.response[200];

describe("who may see and steer", () => {
  test("visitors and other customers are refused, another's message is not found, administrators only read", async ({
    app,
    db,
    signInAs,
  }) => {
    const { userId, messageId } = await buildMessage(db);
    const other = await buildUser(db);
    const calls = (owner: string, id: string) =>
      [
        { method: "GET", url: `/api/${owner}/populate-sms-history` },
        { method: "GET", url: `/api/${owner}/${id}/view-one-sms` },
        { method: "GET", url: `/api/${owner}/${id}/recipients` },
        { method: "POST", url: `/api/${owner}/${id}/pause` },
        { method: "POST", url: `/api/${owner}/${id}/resume` },
        { method: "POST", url: `/api/${owner}/${id}/cancel` },
        { method: "DELETE", url: `/api/${owner}/${id}/delete-sms-message` },
      ] as const;
    const otherHeaders = await signInAs(other);
    for (const call of calls(userId, messageId)) {
      expect((await app.inject(call)).statusCode).toBe(401);
      expect((await app.inject({ ...call, headers: otherHeaders })).statusCode).toBe(403);
    }
    for (const id of [messageId, uuidv7()]) {
      for (const call of calls(other.userId, id).slice(1)) {
        expect((await app.inject({ ...call, headers: otherHeaders })).statusCode).toBe(404);
      }
    }
    const admin = await signInAs(await buildAdmin(db));
    const statuses: number[] = [];
    for (const call of calls(userId, messageId))
      statuses.push((await app.inject({ ...call, headers: admin })).statusCode);
    expect(statuses).toEqual([200, 200, 200, 403, 403, 403, 403]);
    expect((await db.query("select from message where state = 1 and hidden_at is null")).rowCount).toBe(1);
  });

  test("ids that are none are refused", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    for (const id of ["1", "x' or 1=1", "__proto__"]) {
      expect(
        (await app.inject({ url: `/api/${user.userId}/${encodeURIComponent(id)}/view-one-sms`, headers })).statusCode,
      ).toBe(400);
    }
  });
});

describe("the history", () => {
  test("shows what was sent, newest first, page by page, in the shape of the contract", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db, { balanceMilli: 10_000_000 });
    await buildMessage(db);
    const headers = await signInAs(user);
    const url = `/api/${user.userId}/send-bulk-sms`;
    for (const message of ["one", "two", "three"]) {
      await app.inject({
        method: "POST",
        url,
        headers,
        payload: buildSendBody({ message, phoneNo: buildPhoneNos(120) }),
      });
    }
    const read = async (query: string) =>
      historySchema.parse(
        (await app.inject({ url: `/api/${user.userId}/populate-sms-history?${query}`, headers })).json(),
      );
    const first = await read("limit=2");
    expect(first.data.map(({ message }) => message)).toEqual(["three", "two"]);
    expect(first.data[0]).toMatchObject({
      userID: user.userId,
      userName: user.userName,
      senderName: "Acme Ltd",
      recipients: 120,
      pages: 1,
      price: 3,
    });
    expect(first.data[0]?.phoneNo.split(",")).toHaveLength(100);
    expect(first.data[0]?.counts).toMatchObject({ waiting: 120, sent: 0 });
    const second = await read(`limit=2&after=${first.next}`);
    expect([second.data.map(({ message }) => message), second.next]).toEqual([["one"], null]);
    for (const query of ["limit=0", "limit=1000", "limit=x", "limit=1&limit=2", "after=x"]) {
      expect((await app.inject({ url: `/api/${user.userId}/populate-sms-history?${query}`, headers })).statusCode).toBe(
        400,
      );
    }
  });

  test("a deleted message leaves the history; its charge stays", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const sent = await app.inject({
      method: "POST",
      url: `/api/${user.userId}/send-bulk-sms`,
      headers,
      payload: buildSendBody(),
    });
    const { _id } = sent.json<{ data: { _id: string } }>().data;
    const url = `/api/${user.userId}/${_id}/delete-sms-message`;
    expect((await app.inject({ method: "DELETE", url, headers })).statusCode).toBe(200);
    expect((await app.inject({ method: "DELETE", url, headers })).statusCode).toBe(404);
    expect((await app.inject({ url: `/api/${user.userId}/${_id}/view-one-sms`, headers })).statusCode).toBe(404);
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 3_000 });
  });
});

describe("one message", () => {
  test("names every recipient with state, likely network and reason, page by page and by state", async ({
    app,
    db,
    signInAs,
  }) => {
    const [skipped = 0] = testPhoneNos(1);
    const { userId, messageId } = await buildMessage(db, {
      phoneNos: [skipped, 2_348_020_000_001, 447_911_123_456],
      dndPhoneNos: [skipped],
    });
    const headers = await signInAs({ kind: "user", id: userId } as Parameters<typeof signInAs>[0]);
    const detail = messageAnswerSchema.parse(
      (await app.inject({ url: `/api/${userId}/${messageId}/view-one-sms`, headers })).json(),
    );
    expect(detail.data).toMatchObject({ recipients: 3, counts: { waiting: 2, dnd: 1 }, state: "sending" });
    const seen: RecipientAnswer[] = [];
    for (let query = "limit=2"; ;) {
      const page = recipientsSchema.parse(
        (await app.inject({ url: `/api/${userId}/${messageId}/recipients?${query}`, headers })).json(),
      );
      seen.push(...page.data);
      if (page.next === null) break;
      query = `limit=2&after=${page.next}`;
    }
    expect(seen).toMatchObject([
      { phoneNo: String(skipped), state: "dnd", network: "MTN", reason: expect.stringContaining("do-not-disturb") },
      { phoneNo: "2348020000001", state: "waiting", network: "Airtel", reason: "" },
      { phoneNo: "447911123456", state: "waiting", network: "", reason: "" },
    ]);
    const dnd = await app.inject({ url: `/api/${userId}/${messageId}/recipients?state=dnd`, headers });
    expect(recipientsSchema.parse(dnd.json()).data).toHaveLength(1);
    for (const query of ["state=lost", "after=-1", "after=x"]) {
      expect((await app.inject({ url: `/api/${userId}/${messageId}/recipients?${query}`, headers })).statusCode).toBe(
        400,
      );
    }
  });

  test("is paused, resumed and cancelled; the units of what was not sent come back", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const payload = buildSendBody({ phoneNo: buildPhoneNos(10) });
    const sent = await app.inject({ method: "POST", url: `/api/${user.userId}/send-bulk-sms`, headers, payload });
    const { _id } = sent.json<{ data: { _id: string } }>().data;
    const press = async (verb: string) =>
      (await app.inject({ method: "POST", url: `/api/${user.userId}/${_id}/${verb}`, headers })).statusCode;
    const state = async () => {
      const response = await app.inject({ url: `/api/${user.userId}/${_id}/view-one-sms`, headers });
      return messageAnswerSchema.parse(response.json()).data.state;
    };
    expect([await press("pause"), await state()]).toEqual([200, "paused"]);
    expect([await press("pause"), await state()]).toEqual([200, "paused"]);
    expect([await press("resume"), await state()]).toEqual([200, "sending"]);
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 30_000 });
    expect([await press("cancel"), await state()]).toEqual([200, "cancelled"]);
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 0, freeMilli: 100_000 });
    expect([await press("resume"), await press("pause")]).toEqual([409, 409]);
  });
});

test("what a customer does reaches their open pages by topic, and a refused send reaches nobody", async ({
  app,
  db,
  databaseUrl,
  signInAs,
}) => {
  const user = await buildSender(db, { balanceMilli: 6_000 });
  const headers = await signInAs(user);
  const heard: { to: string; topics: string[] }[] = [];
  const listener = createListener({ url: databaseUrl, onError: (error) => expect.fail(String(error)) });
  await new Promise<void>((done) => {
    listener.listen("ewebal_event", {
      onConnect: done,
      onPayload: (payload) => heard.push(JSON.parse(payload) as (typeof heard)[number]),
    });
  });
  const call = async (method: "POST" | "DELETE", path: string, payload?: object) =>
    await app.inject({ method, url: `/api/${user.userId}/${path}`, headers, ...(payload && { payload }) });
  const refused = await call("POST", "send-bulk-sms", buildSendBody({ phoneNo: buildPhoneNos(3) }));
  const sent = await call("POST", "send-bulk-sms", buildSendBody());
  const { _id } = sent.json<{ data: { _id: string } }>().data;
  await call("POST", `${_id}/pause`);
  const draft = await call("POST", "draft-message", buildSendBody());
  await call("DELETE", `${draft.json<{ data: { _id: string } }>().data._id}/delete-draft`);
  const scheduled = await call("POST", "schedule-sms", {
    ...buildSendBody(),
    sendAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const scheduledId = scheduled.json<{ data: { _id: string } }>().data._id;
  await call("DELETE", `${scheduledId}/delete-scheduled-sms`);
  await expect.poll(() => heard.length).toBe(12);
  await listener.close();
  expect(refused.statusCode).toBe(401);
  const admins = { to: "admins", topics: ["admin"] };
  expect(heard).toEqual([
    { to: user.userId, topics: ["messages", "user"] },
    admins,
    { to: user.userId, topics: ["messages", `message:${_id}`, "user"] },
    admins,
    { to: user.userId, topics: ["drafts", "user"] },
    admins,
    { to: user.userId, topics: ["drafts", "user"] },
    admins,
    { to: user.userId, topics: ["scheduled", "user"] },
    admins,
    { to: user.userId, topics: ["scheduled", `message:${scheduledId}`, "user"] },
    admins,
  ]);
});
