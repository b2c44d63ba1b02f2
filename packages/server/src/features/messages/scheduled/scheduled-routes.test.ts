import { scheduledRoutes, type ErrorBody, type ScheduleBody, type SendBody } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import { createListener } from "../../../db/listen.ts";
import { CommitUnknownError, withTransaction } from "../../../db/transaction.ts";
import type { App } from "../../../http/app-type.ts";
import { listMovements, readBalance } from "../../../ledger/index.ts";
import { buildAdmin, buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { eachCase, expect, overlap, test } from "../../../testing/app.ts";
import { buildCatalog } from "../../../testing/contacts-factories.ts";
import { buildDailyLimit, buildPhoneNos, buildSendBody, buildSender } from "../../../testing/messages-factories.ts";
import { addDndNumbers } from "../../delivery/index.ts";
import { startDueMessages } from "../../delivery/queue/start-due-messages.ts";
import { maySendAs } from "../send/check-send.ts";
import { createSendDeps } from "../send/send.ts";
import { applyEdit } from "./edit-scheduled.ts";

type Headers = Record<string, string>;
const HOUR_MS = 3_600_000;
const answerSchema = scheduledRoutes.scheduleSms.schema.response[201];
const listSchema = scheduledRoutes.populateScheduledSms.schema.response[200];
const inAnHour = () => new Date(Date.now() + HOUR_MS).toISOString();

function buildSchedule(facts: Partial<SendBody & { sendAt: string; timeZone: string }> = {}): ScheduleBody {
  const { sendAt = inAnHour(), timeZone, ...fields } = facts;
  return { ...buildSendBody(fields), sendAt, ...(timeZone !== undefined && { timeZone }) };
}

const schedule = (app: App, user: BuiltUser, headers: Headers, payload: object) =>
  app.inject({ method: "POST", url: `/api/${user.userId}/schedule-sms`, headers, payload });
const edit = (app: App, user: BuiltUser, id: string, headers: Headers, payload: object) =>
  app.inject({ method: "PATCH", url: `/api/${user.userId}/${id}/edit-scheduled-sms`, headers, payload });
const remove = (app: App, user: BuiltUser, id: string, headers: Headers) =>
  app.inject({ method: "DELETE", url: `/api/${user.userId}/${id}/delete-scheduled-sms`, headers });
const list = async (app: App, user: BuiltUser, headers: Headers, query = "") =>
  listSchema.parse((await app.inject({ url: `/api/${user.userId}/populate-scheduled-sms?${query}`, headers })).json());

describe("every call", () => {
  test("refuses visitors and other customers, lets administrators only read; another's message is not found", async ({
    app,
    db,
    signInAs,
  }) => {
    const [user, other] = [await buildSender(db), await buildUser(db)];
    const { _id } = answerSchema.parse((await schedule(app, user, await signInAs(user), buildSchedule())).json()).data;
    const calls = (owner: BuiltUser, id: string) =>
      [
        { method: "POST", url: `/api/${owner.userId}/schedule-sms`, payload: buildSchedule() },
        { method: "GET", url: `/api/${owner.userId}/populate-scheduled-sms` },
        { method: "GET", url: `/api/${owner.userId}/${id}/view-scheduled-sms` },
        { method: "PATCH", url: `/api/${owner.userId}/${id}/edit-scheduled-sms`, payload: { message: "changed" } },
        { method: "DELETE", url: `/api/${owner.userId}/${id}/delete-scheduled-sms` },
      ] as const;
    const [otherHeaders, admin] = [await signInAs(other), await signInAs(await buildAdmin(db))];
    for (const call of calls(user, _id)) {
      expect((await app.inject(call)).statusCode).toBe(401);
      expect((await app.inject({ ...call, headers: otherHeaders })).statusCode).toBe(403);
      expect((await app.inject({ ...call, headers: admin })).statusCode).toBe(call.method === "GET" ? 200 : 403);
    }
    for (const id of [_id, uuidv7()]) {
      for (const call of calls(other, id).slice(2)) {
        expect((await app.inject({ ...call, headers: otherHeaders })).statusCode).toBe(404);
      }
    }
  });
});

describe("POST schedule-sms", () => {
  test("a wrong field is named, and nothing is scheduled", async ({ app, db, signInAs }) => {
    await eachCase<[Record<string, unknown>, string]>(
      [
        [{ sendAt: undefined }, "sendAt"],
        [{ sendAt: "2026-12-24T18:00:00" }, "sendAt"],
        [{ sendAt: "tomorrow" }, "sendAt"],
        [{ sendAt: 1_700_000_000 }, "sendAt"],
        [{ sendAt: "2020-01-01T00:00:00Z" }, "sendAt"],
        [{ sendAt: "2096-01-01T00:00:00Z" }, "sendAt"],
        [{ timeZone: "Lagos" }, "timeZone"],
        [{ timeZone: "+01:00" }, "timeZone"],
        [{ timeZone: "Africa/Nowhere" }, "timeZone"],
        [{ message: "" }, "message"],
        [{ phoneNo: undefined }, "phoneNo"],
        [{ catalogId: uuidv7() }, "catalogId"],
        [{ senderName: "Acme Limited" }, "senderName"],
      ],
      async ([change, field]) => {
        const user = await buildSender(db);
        const response = await schedule(app, user, await signInAs(user), { ...buildSchedule(), ...change });
        expect([response.statusCode, Object.keys(response.json<ErrorBody>().fields ?? {})]).toEqual([400, [field]]);
        expect((await db.query("select from message")).rowCount).toBe(0);
      },
    );
  });

  test("checks what every send checks, and stores nothing of what is refused", async ({ app, db, signInAs }) => {
    const user = await buildSender(db, { balanceMilli: 3_000 });
    const headers = await signInAs(user);
    const codeOf = async (facts: Partial<SendBody>) =>
      (await schedule(app, user, headers, buildSchedule(facts))).json<ErrorBody>().code;
    expect(await codeOf({ senderName: "Other" })).toBe("SENDER_NOT_APPROVED");
    expect(await codeOf({ phoneNo: "447911123456" })).toBe("WRONG_COUNTRY_CODE");
    expect(await codeOf({ phoneNo: buildPhoneNos(2) })).toBe("UNITS_REQUIRED");
    await buildDailyLimit(db, { ...user, recipientsMax: 0 });
    expect(await codeOf({})).toBe("LIMIT_REACHED");
    expect((await db.query("select from message")).rowCount).toBe(0);
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 0 });
  });

  test("reserves the units, keeps time and zone, and is not in the history", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    await withTransaction(db, (tx) => addDndNumbers(tx, { phoneNos: [2_348_030_000_001], source: "admin" }));
    const sendAt = new Date(Date.now() + 24 * HOUR_MS);
    const local = `${new Date(sendAt.getTime() + 2 * HOUR_MS).toISOString().slice(0, 19)}+02:00`;
    const body = buildSchedule({
      sendAt: local,
      timeZone: "Europe/Berlin",
      phoneNo: "08030000001,08030000002,08030000002",
    });
    const response = await schedule(app, user, headers, body);
    const answer = answerSchema.parse(response.json());
    expect([response.statusCode, answer.dnd]).toEqual([201, true]);
    expect(answer.unitDetails).toEqual({
      received: 3,
      recipients: 1,
      duplicates: 1,
      dnd: 1,
      pages: 1,
      rate: 3,
      charged: 3,
      available: 97,
    });
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 3_000, freeMilli: 97_000 });
    const { data } = await list(app, user, headers);
    const sendAtSeconds = new Date(Math.floor(sendAt.getTime() / 1_000) * 1_000).toISOString();
    expect(data).toMatchObject([
      { _id: answer.data._id, state: "scheduled", sendAt: sendAtSeconds, timeZone: "Europe/Berlin", recipients: 2 },
    ]);
    const history = await app.inject({ url: `/api/${user.userId}/populate-sms-history`, headers });
    expect(history.json<{ data: object[] }>().data).toEqual([]);
  });

  test("without a zone means Lagos; the list is newest first, whatever comes first", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const later = await schedule(
      app,
      user,
      headers,
      buildSchedule({ sendAt: new Date(Date.now() + 300 * 24 * HOUR_MS).toISOString(), message: "First" }),
    );
    const sooner = await schedule(app, user, headers, buildSchedule({ message: "Second" }));
    const ids = [sooner, later].map((response) => answerSchema.parse(response.json()).data._id);
    const { data } = await list(app, user, headers);
    expect(data.map(({ _id, timeZone }) => [_id, timeZone])).toEqual(ids.map((id) => [id, "Africa/Lagos"]));
    expect((await list(app, user, headers, "limit=1")).data.map(({ _id }) => _id)).toEqual([ids[0]]);
    expect((await list(app, user, headers, "search=first")).data.map(({ _id }) => _id)).toEqual([ids[1]]);
  });

  test("with a key schedules once, also when the time has passed meanwhile; another time is another request", async ({
    app,
    db,
    signInAs,
    clock,
  }) => {
    const user = await buildSender(db);
    const headers = { ...(await signInAs(user)), "idempotency-key": "composed-1" };
    const body = buildSchedule({ sendAt: new Date(Date.now() + 60_000).toISOString() });
    const first = await schedule(app, user, headers, body);
    clock.advance(5 * 60_000);
    const again = await schedule(app, user, headers, body);
    expect([again.statusCode, again.json()]).toEqual([201, first.json()]);
    const other = await schedule(app, user, headers, { ...body, sendAt: inAnHour() });
    expect(other.json<ErrorBody>().code).toBe("IDEMPOTENCY_CONFLICT");
    expect((await db.query("select from message")).rowCount).toBe(1);
  });

  test("starts when it is due and is in the history then", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const response = await schedule(
      app,
      user,
      headers,
      buildSchedule({ sendAt: new Date(Date.now() + 500).toISOString() }),
    );
    expect(response.statusCode).toBe(201);
    expect(await startDueMessages(db)).toEqual([]);
    await expect.poll(() => startDueMessages(db), { timeout: 5_000 }).toHaveLength(1);
    const history = await app.inject({ url: `/api/${user.userId}/populate-sms-history`, headers });
    expect(history.json<{ data: object[] }>().data).toMatchObject([{ state: "sending", timeZone: "Africa/Lagos" }]);
    expect((await list(app, user, headers)).data).toEqual([]);
  });
});

describe("PATCH edit-scheduled-sms", () => {
  const build = async (app: App, user: BuiltUser, headers: Headers, facts: Partial<SendBody> = {}) =>
    answerSchema.parse((await schedule(app, user, headers, buildSchedule(facts))).json()).data._id;

  test("what is wrong is refused and changes nothing", async ({ app, db, signInAs }) => {
    await eachCase<[Record<string, unknown>, number, string]>(
      [
        [{}, 400, "VALIDATION"],
        [{ message: "" }, 400, "VALIDATION"],
        [{ sendAt: "2020-01-01T00:00:00Z" }, 400, "VALIDATION"],
        [{ timeZone: "Lagos" }, 400, "VALIDATION"],
        [{ phoneNo: "x" }, 400, "VALIDATION"],
        [{ senderName: "Other" }, 409, "SENDER_NOT_APPROVED"],
        [{ code: "44" }, 400, "WRONG_COUNTRY_CODE"],
        [{ phoneNo: "2348030000001,2348030000002" }, 401, "UNITS_REQUIRED"],
        [{ catalogId: uuidv7() }, 404, "NOT_FOUND"],
      ],
      async ([change, status, code]) => {
        const user = await buildSender(db, { balanceMilli: 5_999 });
        const headers = await signInAs(user);
        const id = await build(app, user, headers);
        const before = await list(app, user, headers);
        const response = await edit(app, user, id, headers, change);
        expect([response.statusCode, response.json<ErrorBody>().code]).toEqual([status, code]);
        expect(await list(app, user, headers)).toEqual(before);
        expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 3_000 });
      },
    );
  });

  test("another time alone keeps price and hold", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const id = await build(app, user, headers);
    const sendAt = new Date(Date.now() + 5 * HOUR_MS).toISOString();
    const response = await edit(app, user, id, headers, { sendAt, timeZone: "Europe/London" });
    expect(answerSchema.parse(response.json())).toMatchObject({
      data: { _id: id },
      unitDetails: { recipients: 1, charged: 3, available: 97 },
    });
    expect((await list(app, user, headers)).data).toMatchObject([{ _id: id, sendAt, timeZone: "Europe/London" }]);
    expect((await db.query("select from hold")).rowCount).toBe(1);
  });

  test("more recipients and pages hold more, fewer hold less, and the statement names the message", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db, { balanceMilli: 15_000 });
    const headers = await signInAs(user);
    const id = await build(app, user, headers);
    // 12 units fit because the 3 that are held for it come back.
    const more = await edit(app, user, id, headers, { phoneNo: buildPhoneNos(2), message: "x".repeat(161) });
    expect(answerSchema.parse(more.json()).unitDetails).toMatchObject({
      recipients: 2,
      pages: 2,
      charged: 12,
      available: 3,
    });
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 12_000, freeMilli: 3_000 });
    expect((await list(app, user, headers)).data).toMatchObject([
      { recipients: 2, pages: 2, phoneNo: buildPhoneNos(2), message: "x".repeat(161) },
    ]);

    const less = await edit(app, user, id, headers, { message: "Good evening" });
    expect(answerSchema.parse(less.json()).unitDetails).toMatchObject({
      recipients: 2,
      pages: 1,
      charged: 6,
      available: 9,
    });
    const movements = await listMovements(db, user.userId, { limit: 10 });
    expect(
      movements
        .filter(({ cause }) => cause === "message")
        .map(({ reference, amountMilli }) => [reference, amountMilli]),
    ).toEqual([
      [id, -6_000],
      [id, 0],
      [id, 0],
    ]);
    expect((await remove(app, user, id, headers)).statusCode).toBe(200);
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 0, freeMilli: 15_000 });
  });

  test("what is left out stays: the numbers of a large message keep their order", async ({ app, db, signInAs }) => {
    const user = await buildSender(db, { balanceMilli: 10_000_000 });
    const headers = await signInAs(user);
    const phoneNo = buildPhoneNos(1_200);
    const id = await build(app, user, headers, { phoneNo });
    expect((await edit(app, user, id, headers, { message: "Good evening" })).statusCode).toBe(200);
    const view = await app.inject({ url: `/api/${user.userId}/${id}/view-scheduled-sms`, headers });
    expect(scheduledRoutes.viewScheduledSms.schema.response[200].parse(view.json()).data).toMatchObject({
      phoneNo,
      message: "Good evening",
      recipients: 1_200,
    });
  });

  test("is refused once it is due, started or deleted", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const id = await build(app, user, headers);
    await db.query("update message set send_at = now()");
    expect((await edit(app, user, id, headers, { message: "late" })).json<ErrorBody>().code).toBe("STATE_CONFLICT");
    await startDueMessages(db);
    expect((await edit(app, user, id, headers, { message: "late" })).json<ErrorBody>().code).toBe("STATE_CONFLICT");
    expect((await remove(app, user, id, headers)).json<ErrorBody>().code).toBe("STATE_CONFLICT");
    const deleted = await build(app, user, headers);
    await remove(app, user, deleted, headers);
    expect((await edit(app, user, deleted, headers, { message: "late" })).statusCode).toBe(404);
  });

  // Goal: whatever overlaps an edit, units are held once and for what the message then is. Method: the other request starts while
  // the edit has done its work and is not committed.
  test("a deletion that overlaps an edit waits for it and gives back what is held then", async ({
    app,
    db,
    deps,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const id = await build(app, user, headers);
    const sendDeps = createSendDeps(deps);
    const caller = { userId: user.userId, via: "dashboard", clientAddress: "127.0.0.1" } as const;
    const body = { phoneNo: buildPhoneNos(5) };
    const [edited, deleted] = await overlap(
      db,
      (tx) => applyEdit(sendDeps, tx, caller, { messageId: id, body }),
      async () => await remove(app, user, id, headers),
    );
    expect([edited.status, deleted]).toMatchObject(["fulfilled", { value: { statusCode: 200 } }]);
    expect(await readBalance(db, user.userId)).toEqual({ balanceMilli: 100_000, heldMilli: 0, freeMilli: 100_000 });
  });

  test("two edits that overlap follow each other, and a send that overlaps gets only what is left", async ({
    app,
    db,
    deps,
    signInAs,
  }) => {
    const user = await buildSender(db, { balanceMilli: 15_000 });
    const headers = await signInAs(user);
    const id = await build(app, user, headers);
    const sendDeps = createSendDeps(deps);
    const caller = { userId: user.userId, via: "dashboard", clientAddress: "127.0.0.1" } as const;
    const [edited, other] = await overlap(
      db,
      (tx) => applyEdit(sendDeps, tx, caller, { messageId: id, body: { phoneNo: buildPhoneNos(4) } }),
      async () => await edit(app, user, id, headers, { phoneNo: buildPhoneNos(2) }),
    );
    expect([edited.status, other]).toMatchObject(["fulfilled", { value: { statusCode: 200 } }]);
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 6_000 });
    const [again, sent] = await overlap(
      db,
      (tx) => applyEdit(sendDeps, tx, caller, { messageId: id, body: { phoneNo: buildPhoneNos(4) } }),
      async () =>
        await app.inject({
          method: "POST",
          url: `/api/${user.userId}/send-bulk-sms`,
          headers,
          payload: buildSendBody({ phoneNo: buildPhoneNos(2) }),
        }),
    );
    expect([again.status, sent]).toMatchObject(["fulfilled", { value: { statusCode: 401 } }]);
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 12_000, freeMilli: 3_000 });
  });

  test("killed before COMMIT leaves message and units as they were", async ({ app, db, deps, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const id = await build(app, user, headers);
    const before = await list(app, user, headers);
    const caller = { userId: user.userId, via: "dashboard", clientAddress: "127.0.0.1" } as const;
    const killed = withTransaction(db, async (tx) => {
      await applyEdit(createSendDeps(deps), tx, caller, { messageId: id, body: { phoneNo: buildPhoneNos(9) } });
      const { rows } = await tx.query<{ pid: number }>("select pg_backend_pid() as pid");
      await db.query("select pg_terminate_backend($1::integer, 5000)", [rows[0]?.pid]);
    });
    await expect(killed).rejects.toBeInstanceOf(CommitUnknownError);
    expect(await list(app, user, headers)).toEqual(before);
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 3_000 });
  });

  test("a daily limit counts what the edit adds", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    await buildDailyLimit(db, { ...user, recipientsMax: 3 });
    const id = await build(app, user, headers, { phoneNo: buildPhoneNos(2) });
    expect((await edit(app, user, id, headers, { phoneNo: buildPhoneNos(3) })).statusCode).toBe(200);
    expect((await edit(app, user, id, headers, { phoneNo: buildPhoneNos(4) })).statusCode).toBe(402);
  });
});

describe("to a catalog", () => {
  test("the numbers are those of the moment it is scheduled", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const catalogId = await buildCatalog(db, {
      userId: user.userId,
      numbers: Float64Array.of(2_348_030_000_001, 2_348_030_000_002),
    });
    const { phoneNo: _phoneNo, ...fields } = buildSendBody();
    const response = await schedule(app, user, headers, { ...fields, catalogId, sendAt: inAnHour() });
    expect(answerSchema.parse(response.json()).unitDetails).toMatchObject({ recipients: 2, charged: 6 });
    expect((await list(app, user, headers)).data).toMatchObject([{ phoneNo: "2348030000001,2348030000002" }]);
  });
});

describe("when its time has come", () => {
  test("a message whose sender name was taken away is cancelled and its units come back", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    await schedule(app, user, headers, buildSchedule());
    await db.query("update message set send_at = now()");
    await db.query("delete from sender_name");
    expect(await startDueMessages(db, maySendAs)).toHaveLength(1);
    const history = await app.inject({ url: `/api/${user.userId}/populate-sms-history`, headers });
    expect(history.json<{ data: object[] }>().data).toMatchObject([{ state: "cancelled", counts: { cancelled: 1 } }]);
    expect(await readBalance(db, user.userId)).toMatchObject({ heldMilli: 0, freeMilli: 100_000 });
  });

  test("open pages hear of every step by topic", async ({ app, db, databaseUrl, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const heard: { to: string; topics: string[] }[] = [];
    const listener = createListener({ url: databaseUrl, onError: (error) => expect.fail(String(error)) });
    await new Promise<void>((done) => {
      listener.listen("ewebal_event", {
        onConnect: done,
        onPayload: (payload) => heard.push(JSON.parse(payload) as (typeof heard)[number]),
      });
    });
    const [one, other] = await Promise.all(
      [1, 2].map(async () => answerSchema.parse((await schedule(app, user, headers, buildSchedule())).json()).data._id),
    );
    await edit(app, user, one ?? "", headers, { message: "Good evening" });
    await remove(app, user, one ?? "", headers);
    await db.query("update message set send_at = now()");
    await startDueMessages(db);
    await expect.poll(() => heard.filter(({ to }) => to === user.userId).length).toBe(5);
    await listener.close();
    expect(heard.filter(({ to }) => to === user.userId).map(({ topics }) => topics)).toEqual([
      ["scheduled", "user"],
      ["scheduled", "user"],
      ["user", "scheduled", `message:${one}`],
      ["scheduled", `message:${one}`, "user"],
      ["scheduled", "messages", `message:${other}`, "user"],
    ]);
  });
});
