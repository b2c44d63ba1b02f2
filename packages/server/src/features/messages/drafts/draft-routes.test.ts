import { draftRoutes, messageRoutes, type SendBody } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import type { App } from "../../../http/app-type.ts";
import { readBalance } from "../../../ledger/index.ts";
import { buildAdmin, buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { eachCase, expect, overlap, test } from "../../../testing/app.ts";
import { buildDraft, buildPhoneNos, buildSendBody, buildSender } from "../../../testing/messages-factories.ts";
import { DRAFT_PAGE_BYTES_MAX, DRAFTS_MAX } from "./drafts.ts";

type Headers = Record<string, string>;
type Refusal = { code: string; fields?: Record<string, string> };

const sentSchema = messageRoutes.sendTest.schema.response[200];
const listSchema = draftRoutes.populateDrafts.schema.response[200];

const save = (app: App, user: BuiltUser, headers: Headers, payload: object) =>
  app.inject({ method: "POST", url: `/api/${user.userId}/draft-message`, headers, payload });
const list = (app: App, user: BuiltUser, headers: Headers, query = "") =>
  app.inject({ url: `/api/${user.userId}/populate-drafts?${query}`, headers });
const sendDraft = (app: App, user: BuiltUser, draftId: string, headers: Headers, payload?: object) =>
  app.inject({
    method: "POST",
    url: `/api/${user.userId}/${draftId}/send-draft-sms`,
    headers,
    ...(payload && { payload }),
  });

const tomorrow = (): string => new Date(Date.now() + 24 * 3_600_000).toISOString();
const buildLater = (facts: Partial<SendBody> & { sendAt?: string } = {}) => ({
  ...buildSendBody(),
  sendAt: tomorrow(),
  timeZone: "Africa/Accra",
  ...facts,
});
const scheduleDraft = (app: App, user: BuiltUser, draftId: string, headers: Headers, payload: object) =>
  app.inject({ method: "POST", url: `/api/${user.userId}/${draftId}/schedule-draft-sms`, headers, payload });

describe("every draft call", () => {
  test("refuses visitors and other customers, lets administrators only read; another's draft is not found", async ({
    app,
    db,
    signInAs,
  }) => {
    const [user, other] = [await buildUser(db), await buildUser(db)];
    const draftId = await buildDraft(db, { userId: user.userId });
    const calls = (owner: BuiltUser, id: string) =>
      [
        { method: "POST", url: `/api/${owner.userId}/draft-message`, payload: buildSendBody() },
        { method: "GET", url: `/api/${owner.userId}/populate-drafts` },
        { method: "GET", url: `/api/${owner.userId}/${id}/view-one-draft` },
        {
          method: "PATCH",
          url: `/api/${owner.userId}/${id}/edit-draft`,
          payload: buildSendBody({ message: "changed" }),
        },
        { method: "DELETE", url: `/api/${owner.userId}/${id}/delete-draft` },
        { method: "POST", url: `/api/${owner.userId}/${id}/send-draft-sms` },
        { method: "POST", url: `/api/${owner.userId}/${id}/schedule-draft-sms`, payload: buildLater() },
      ] as const;
    for (const call of calls(user, draftId)) {
      expect((await app.inject(call)).statusCode).toBe(401);
      expect((await app.inject({ ...call, headers: await signInAs(other) })).statusCode).toBe(403);
    }
    const admin = await signInAs(await buildAdmin(db));
    for (const call of calls(user, draftId)) {
      expect((await app.inject({ ...call, headers: admin })).statusCode).toBe(call.method === "GET" ? 200 : 403);
    }
    for (const id of [draftId, uuidv7()]) {
      for (const call of calls(other, id).slice(2)) {
        expect((await app.inject({ ...call, headers: await signInAs(other) })).statusCode).toBe(404);
      }
    }
    expect((await db.query<{ message: string }>("select message from draft")).rows).toEqual([
      { message: "Good morning" },
    ]);
  });
});

describe("saving and editing", () => {
  test("a wrong field is named", async ({ app, db, signInAs }) => {
    await eachCase(
      [
        [{ senderName: "" }, "senderName"],
        [{ message: "" }, "message"],
        [{ phoneNo: "" }, "phoneNo"],
        [{ code: "" }, "code"],
        [{ message: 7 }, "message"],
        [{ phoneNo: ["2348030000001"] }, "phoneNo"],
        [{ message: "nul \u0000" }, "message"],
        [{ message: "x".repeat(1_601) }, "message"],
      ] as const,
      async ([change, field]) => {
        const user = await buildUser(db);
        const headers = await signInAs(user);
        const draftId = await buildDraft(db, { userId: user.userId });
        const payload = { ...buildSendBody(), ...change };
        const edit = await app.inject({
          method: "PATCH",
          url: `/api/${user.userId}/${draftId}/edit-draft`,
          headers,
          payload,
        });
        for (const refused of [await save(app, user, headers, payload), edit]) {
          expect([refused.statusCode, refused.json<Refusal>().code]).toEqual([400, "VALIDATION"]);
          expect(refused.json<Refusal>().fields).toHaveProperty(field);
        }
        const kept = await db.query("select from draft where user_id = $1 and updated_at = created_at", [user.userId]);
        expect(kept.rowCount).toBe(1);
      },
    );
  });

  // What was kept on a device while it was offline is sent again by every tab that hears of the network.
  test("saves once for each key, also twice at once; another draft under the same key is refused", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildUser(db);
    const headers = { ...(await signInAs(user)), "idempotency-key": "kept-1" };
    const payload = buildSendBody({ message: "kept" });
    const saved = await Promise.all([1, 2, 3].map(async () => await save(app, user, headers, payload)));
    expect(new Set(saved.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(saved[0]?.statusCode).toBe(201);
    const other = await save(app, user, headers, buildSendBody({ message: "other" }));
    expect([other.statusCode, other.json<Refusal>().code]).toEqual([422, "IDEMPOTENCY_CONFLICT"]);
    expect((await db.query<{ message: string }>("select message from draft")).rows).toEqual([{ message: "kept" }]);
  });

  test("keeps what was typed, whole, newest first, page by page", async ({ app, db, signInAs, clock }) => {
    const user = await buildUser(db);
    await buildDraft(db, { userId: (await buildUser(db)).userId });
    const headers = await signInAs(user);
    const typed = { senderName: "Not approved", message: "Hello\n₦500", phoneNo: "0803, half a numb", code: "234" };
    const saved = await save(app, user, headers, typed);
    expect(saved.statusCode).toBe(201);
    const { data } = draftRoutes.draftMessage.schema.response[201].parse(saved.json());
    await save(app, user, headers, buildSendBody({ message: "second" }));
    const first = listSchema.parse((await list(app, user, headers, "limit=1")).json());
    expect(first.data.map(({ message }) => message)).toEqual(["second"]);
    const second = listSchema.parse((await list(app, user, headers, `limit=1&after=${first.next}`)).json());
    expect(second).toMatchObject({
      data: [{ _id: data._id, userID: user.userId, userName: user.userName, ...typed }],
      next: null,
    });
    expect((await list(app, user, headers, "after=x")).statusCode).toBe(400);

    const changed = buildSendBody({ message: "changed" });
    clock.advance(60_000);
    const edit = await app.inject({
      method: "PATCH",
      url: `/api/${user.userId}/${data._id}/edit-draft`,
      headers,
      payload: changed,
    });
    expect(edit.statusCode).toBe(200);
    const edited = listSchema.parse((await list(app, user, headers)).json()).data[1];
    expect(edited).toMatchObject(changed);
    expect(Date.parse(edited?.updatedAt ?? "")).toBeGreaterThan(Date.parse(edited?.createdAt ?? ""));
    const url = `/api/${user.userId}/${data._id}/delete-draft`;
    expect((await app.inject({ method: "DELETE", url, headers })).statusCode).toBe(200);
    expect((await app.inject({ method: "DELETE", url, headers })).statusCode).toBe(404);
  });

  test("a page ends early when its numbers add up to much, and next goes on", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const phoneNo = "0".repeat(DRAFT_PAGE_BYTES_MAX / 2 + 1);
    for (const message of ["one", "two", "three"]) await buildDraft(db, { userId: user.userId, phoneNo, message });
    const headers = await signInAs(user);
    const seen: string[] = [];
    for (let after = ""; ;) {
      const page = listSchema.parse((await list(app, user, headers, after)).json());
      expect(page.data).toHaveLength(1);
      seen.push(...page.data.map(({ message }) => message));
      if (page.next === null) break;
      after = `after=${page.next}`;
    }
    expect(seen).toEqual(["three", "two", "one"]);
  });

  test("one to recipients with fields is kept, listed and viewed as it was given, also by administrators", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const recipients = [
      { to: "08030000001", fields: { name: "Ada" }, text: "Dear {{name}}", reference: "A1" },
      { to: "08030000002", fields: { name: "" } },
    ];
    const draft = { senderName: "Acme", code: "234", message: "Hi {{name|you}}", recipients };
    const saved = await save(app, user, headers, draft);
    expect(saved.statusCode).toBe(201);
    const { _id } = saved.json<{ data: { _id: string } }>().data;
    const kept = { _id, phoneNo: "08030000001,08030000002", recipients };
    expect((await list(app, user, headers)).json()).toMatchObject({ data: [kept] });
    const one = await app.inject({ url: `/api/${user.userId}/${_id}/view-one-draft`, headers });
    expect([one.statusCode, one.json()]).toMatchObject([200, { data: kept }]);
    const admin = await signInAs(await buildAdmin(db));
    expect((await app.inject({ url: "/api/view-all-drafts", headers: admin })).json()).toMatchObject({ data: [kept] });
    const any = await app.inject({ url: `/api/${_id}/view-any-draft`, headers: admin });
    expect([any.statusCode, any.json()]).toMatchObject([200, { data: kept }]);
  });

  test("nobody keeps more than 500, also when two are saved at once", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    await db.query(
      `insert into draft select $1, gen_random_uuid(), 'Acme', 'Hello', '0803', '234', now(), now() from generate_series(1, $2)`,
      [user.userId, DRAFTS_MAX - 1],
    );
    const headers = await signInAs(user);
    const answers = await Promise.all([1, 2, 3].map(() => save(app, user, headers, buildSendBody())));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([201, 409, 409]);
  });
});

describe("sending a draft", () => {
  test("an empty body sends it as it is, four fields send those; then it is gone", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const sent = async (draftId: string, payload?: object) => {
      const response = await sendDraft(app, user, draftId, headers, payload);
      expect(response.statusCode).toBe(200);
      const { _id } = sentSchema.parse(response.json()).data;
      const { rows } = await db.query<{ body: string }>("select body from message where message_id = $1", [_id]);
      return rows[0]?.body;
    };
    expect(await sent(await buildDraft(db, { userId: user.userId, message: "as it is" }))).toBe("as it is");
    expect(await sent(await buildDraft(db, { userId: user.userId, message: "empty object" }), {})).toBe("empty object");
    const other: SendBody = buildSendBody({ message: "edited" });
    expect(await sent(await buildDraft(db, { userId: user.userId, phoneNo: "not yet" }), other)).toBe("edited");
    expect((await db.query("select from draft")).rowCount).toBe(0);
  });

  test("a draft of 100,000 numbers is sent as it is", async ({ app, db, signInAs }) => {
    const user = await buildSender(db, { balanceMilli: 1_000_000_000 });
    const draftId = await buildDraft(db, { userId: user.userId, phoneNo: buildPhoneNos(100_000) });
    const response = await sendDraft(app, user, draftId, await signInAs(user));
    expect([response.statusCode, response.body.slice(0, 300)]).toEqual([200, expect.any(String)]);
    expect(sentSchema.parse(response.json()).unitDetails).toMatchObject({ recipients: 100_000, charged: 300_000 });
  });

  test.for([
    [{ phoneNo: "half a numb" }, 400],
    [{ phoneNo: "447911123456" }, 400],
    [{ senderName: "Not approved" }, 400],
    [{ senderName: "NotApproved" }, 409],
    [{ phoneNo: buildPhoneNos(50) }, 401],
  ] as const)("a refused one is kept, and nothing is charged (%#)", async ([facts, status], { app, db, signInAs }) => {
    const user = await buildSender(db);
    const draftId = await buildDraft(db, { userId: user.userId, ...facts });
    const headers = await signInAs(user);
    expect((await sendDraft(app, user, draftId, headers)).statusCode).toBe(status);
    expect((await sendDraft(app, user, draftId, headers, buildSendBody(facts))).statusCode).toBe(status);
    expect((await db.query("select from draft")).rowCount).toBe(1);
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 0 });
  });

  test("with a key, a retry gets the first answer although the draft is gone; another body is refused", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const draftId = await buildDraft(db, { userId: user.userId });
    const headers = { ...(await signInAs(user)), "idempotency-key": "draft-1" };
    const first = await sendDraft(app, user, draftId, headers);
    const again = await sendDraft(app, user, draftId, headers);
    expect([again.statusCode, again.json()]).toEqual([200, first.json()]);
    expect((await sendDraft(app, user, draftId, headers, buildSendBody())).statusCode).toBe(422);
    expect((await sendDraft(app, user, await buildDraft(db, { userId: user.userId }), headers)).statusCode).toBe(422);
    expect((await db.query("select from message")).rowCount).toBe(1);
  });

  // Goal: without a key, too, a double click sends once. Method: the second starts while the first has deleted the draft.
  test("a double click without a key sends once", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const draftId = await buildDraft(db, { userId: user.userId });
    const headers = await signInAs(user);
    const [, second] = await overlap(
      db,
      async (tx) => void (await tx.query("delete from draft where draft_id = $1", [draftId])),
      async () => (await sendDraft(app, user, draftId, headers)).statusCode,
    );
    expect(second).toEqual({ status: "fulfilled", value: 404 });
  });
});

describe("scheduling a draft", () => {
  test.for([
    [{ sendAt: "2020-01-01T00:00:00Z" }, 400],
    [{ sendAt: "tomorrow" }, 400],
    [{ sendAt: undefined }, 400],
    [{ timeZone: "Nowhere/Else" }, 400],
    [{ phoneNo: undefined }, 400],
    [{ phoneNo: "half a numb" }, 400],
    [{ delay: 5 }, 400],
    [{ other: "field" }, 400],
    [{ senderName: "NotApproved" }, 409],
    [{ phoneNo: buildPhoneNos(50) }, 401],
  ] as const)("a refused one is kept, and nothing is reserved: %o", async ([facts, status], { app, db, signInAs }) => {
    const user = await buildSender(db);
    const draftId = await buildDraft(db, { userId: user.userId });
    const response = await scheduleDraft(app, user, draftId, await signInAs(user), { ...buildLater(), ...facts });
    expect(response.statusCode).toBe(status);
    expect((await db.query("select from draft")).rowCount).toBe(1);
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 0 });
  });

  test("it waits for its time with its units reserved, and the draft is gone; a retry with the key gets the same", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const draftId = await buildDraft(db, { userId: user.userId });
    const headers = { ...(await signInAs(user)), "idempotency-key": "later-1" };
    const body = buildLater({ message: "Until tomorrow" });
    const first = await scheduleDraft(app, user, draftId, headers, body);
    expect([first.statusCode, first.json<{ message: string }>().message]).toEqual([201, "Scheduled"]);
    const again = await scheduleDraft(app, user, draftId, headers, body);
    expect([again.statusCode, again.json()]).toEqual([201, first.json()]);
    expect((await scheduleDraft(app, user, draftId, headers, buildLater())).statusCode).toBe(422);
    const { rows } = await db.query("select body, state, time_zone as zone, send_at as at from message");
    expect(rows).toEqual([{ body: "Until tomorrow", state: 0, zone: "Africa/Accra", at: new Date(body.sendAt) }]);
    expect((await db.query("select from draft")).rowCount).toBe(0);
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 3_000 });
  });

  test("it may repeat, or end, and not both; a draft keeps its class and its end", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const [sendAt, validUntil] = [tomorrow(), new Date(Date.now() + 48 * 3_600_000).toISOString()];
    const kept = { class: "transactional", dnd: "skip", validUntil };
    for (const wrong of [{ class: "other" }, { dnd: "never" }, { validUntil: "soon" }])
      expect((await save(app, user, headers, { ...buildSendBody(), ...wrong })).statusCode).toBe(400);
    const draftId = (await save(app, user, headers, { ...buildSendBody(), ...kept })).json<{ data: { _id: string } }>()
      .data._id;
    expect(listSchema.parse((await list(app, user, headers)).json()).data[0]).toMatchObject(kept);
    // What it keeps holds when it is sent as it is: nobody allowed this class.
    expect((await sendDraft(app, user, draftId, headers)).json<Refusal>().code).toBe("CLASS_NOT_ALLOWED");
    const both = await scheduleDraft(app, user, draftId, headers, {
      ...buildLater({ sendAt }),
      repeat: { every: "day" },
      validUntil,
    });
    expect([both.statusCode, Object.keys(both.json<Refusal>().fields ?? {})]).toEqual([400, ["validUntil"]]);
    await db.query("update app_user set may_send_transactional = true where user_id = $1", [user.userId]);
    const other = (await save(app, user, headers, { ...buildSendBody(), ...kept })).json<{ data: { _id: string } }>();
    expect((await sendDraft(app, user, other.data._id, headers)).statusCode).toBe(200);
    const repeats = await scheduleDraft(app, user, draftId, headers, {
      ...buildLater({ sendAt }),
      repeat: { every: "week" },
    });
    expect(repeats.json<{ nextTimes: string[] }>().nextTimes).toHaveLength(3);
    const { rows } = await db.query(
      "select is_transactional as class, reaches_dnd as dnd, valid_until as end, repeat is not null as repeats from message order by created_at",
    );
    expect(rows).toEqual([
      { class: true, dnd: false, end: new Date(validUntil), repeats: false },
      { class: false, dnd: false, end: null, repeats: true },
    ]);
  });

  test("a double click without a key schedules once", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const draftId = await buildDraft(db, { userId: user.userId });
    const headers = await signInAs(user);
    const [, second] = await overlap(
      db,
      async (tx) => void (await tx.query("delete from draft where draft_id = $1", [draftId])),
      async () => (await scheduleDraft(app, user, draftId, headers, buildLater())).statusCode,
    );
    expect(second).toEqual({ status: "fulfilled", value: 404 });
  });
});
