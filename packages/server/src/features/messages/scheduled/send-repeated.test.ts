import { describe } from "vitest";
import { scheduledRoutes, type MessageAnswer, type UnitDetails } from "@ewebal/contract";
import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { App } from "../../../http/app-type.ts";
import { readBalance } from "../../../ledger/index.ts";
import { addOptOuts } from "../../delivery/index.ts";
import { startDueMessages } from "../../delivery/queue/start-due-messages.ts";
import { expect, test, type TestDeps } from "../../../testing/app.ts";
import type { BuiltUser } from "../../../testing/factories.ts";
import { buildSender, FACTORY_SENDER_NAME } from "../../../testing/messages-factories.ts";
import { countTraces, type Headers, type Refusal } from "../testing/ask-to-send.ts";
import { createSendDeps } from "../send/send.ts";
import { createSendRepeated } from "./send-repeated.ts";

type Scheduled = { data: { _id: string }; unitDetails: UnitDetails; nextTimes?: string[] };
const NUMBERS = "2348030000001,2348030000002";
const fields = { senderName: FACTORY_SENDER_NAME, code: "234", phoneNo: NUMBERS, message: "Hello" };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function schedule(app: App, { userId }: BuiltUser, headers: Headers, payload: object) {
  return await app.inject({ method: "POST", url: `/api/${userId}/schedule-sms`, headers, payload });
}

async function listOf(app: App, { userId }: BuiltUser, headers: Headers, list: "scheduled" | "history") {
  const url = `/api/${userId}/populate-${list === "scheduled" ? "scheduled-sms" : "sms-history"}`;
  return scheduledRoutes.populateScheduledSms.schema.response[200].parse((await app.inject({ url, headers })).json())
    .data;
}

/** As the worker does when the time of the message has come. */
async function comeDue(deps: TestDeps, db: Db): Promise<void> {
  await db.query("update message set send_at = now() where state = 0");
  const sendDeps = createSendDeps(deps);
  try {
    await startDueMessages(db, undefined, createSendRepeated(sendDeps));
  } finally {
    await sendDeps.bodies.close();
  }
}

const inHours = (deps: TestDeps, hours: number): Date => {
  const time = new Date(deps.clock.now().getTime() + hours * HOUR_MS);
  time.setUTCMilliseconds(0);
  return time;
};

describe("a message that repeats", () => {
  test("waits with the units of its next time, and goes out as a message of its own", async ({
    app,
    db,
    deps,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const sendAt = inHours(deps, 2);
    const times = [0, 1, 2].map((day) => new Date(sendAt.getTime() + day * DAY_MS).toISOString());
    const repeat = { every: "day" } as const;
    const scheduled = await schedule(app, user, headers, { ...fields, sendAt: times[0], repeat });
    expect([scheduled.statusCode, scheduled.json<Scheduled>().nextTimes]).toEqual([201, times]);
    expect(scheduled.json<Scheduled>().unitDetails).toMatchObject({ charged: 6, available: 94 });
    const { _id: id } = scheduled.json<Scheduled>().data;
    const [row] = await listOf(app, user, headers, "scheduled");
    expect(row).toMatchObject({ _id: id, sendAt: times[0], repeat, nextTimes: times });

    const { userId } = user;
    await withTransaction(db, (tx) => addOptOuts(tx, { userId, phoneNos: [2_348_030_000_002], source: "page" }));
    await comeDue(deps, db);
    const [sent, ...others] = await listOf(app, user, headers, "history");
    expect(others).toEqual([]);
    expect(sent?._id).not.toBe(id);
    expect(sent?.repeat).toBeUndefined();
    expect(sent).toMatchObject({ message: "Hello", recipients: 2, state: "sending" });
    expect(sent?.counts).toMatchObject({ waiting: 1, optedOut: 1 });
    // Who opted out is in no price; the next time is held as it was accepted.
    expect((await readBalance(db, userId)).heldMilli).toBe(3_000 + 6_000);
    const [next] = await listOf(app, user, headers, "scheduled");
    expect(next?._id).toBe(id);
    expect(new Date(next?.sendAt ?? "").toISOString().slice(11)).toBe(times[0]?.slice(11));
    expect(new Date(next?.sendAt ?? "") > new Date()).toBe(true);

    const gone = await app.inject({ method: "DELETE", url: `/api/${userId}/${id}/delete-scheduled-sms`, headers });
    expect(gone.statusCode).toBe(200);
    expect((await readBalance(db, userId)).heldMilli).toBe(3_000);
  });

  test("is skipped without enough units, with a mail that says so, and goes on when there are some", async ({
    app,
    db,
    deps,
    mailsTo,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    // 100 units: 90 for one time.
    const message = "z".repeat(160 * 10);
    const phoneNo = ["2348030000001", "2348030000002", "2348030000003"].join(",");
    const payload = { ...fields, message, phoneNo, sendAt: inHours(deps, 1).toISOString(), repeat: { every: "week" } };
    expect((await schedule(app, user, headers, payload)).statusCode).toBe(201);
    await comeDue(deps, db);
    expect(await listOf(app, user, headers, "history")).toHaveLength(1);
    expect(await mailsTo(user.email)).toEqual([]);
    expect((await readBalance(db, user.userId)).heldMilli).toBe(90_000);

    await comeDue(deps, db);
    expect(await listOf(app, user, headers, "history")).toHaveLength(1);
    const [mail] = await mailsTo(user.email);
    expect(mail?.subject).toContain("not enough units");
    expect(mail?.text).toContain("Next time: ");
    const [waiting] = await listOf(app, user, headers, "scheduled");
    expect(new Date(waiting?.sendAt ?? "") > new Date()).toBe(true);
    expect((await readBalance(db, user.userId)).heldMilli).toBe(90_000);
  });

  test("ends at its last time, and is then in the history alone", async ({ app, db, deps, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const sendAt = inHours(deps, 1);
    const until = new Date(sendAt.getTime() + HOUR_MS).toISOString();
    const payload = { ...fields, sendAt: sendAt.toISOString(), repeat: { every: "month", until } };
    const scheduled = await schedule(app, user, headers, payload);
    expect(scheduled.json<Scheduled>().nextTimes).toEqual([sendAt.toISOString()]);
    await db.query(`update message set repeat = jsonb_set(repeat, '{until}', to_jsonb(now()::text))`);
    await comeDue(deps, db);
    expect(await listOf(app, user, headers, "scheduled")).toEqual([]);
    expect(await listOf(app, user, headers, "history")).toHaveLength(1);
    expect((await readBalance(db, user.userId)).heldMilli).toBe(6_000);
  });

  test("is edited: another time of day, another repeat, none", async ({ app, db, deps, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const sendAt = inHours(deps, 30);
    const scheduled = await schedule(app, user, headers, {
      ...fields,
      sendAt: sendAt.toISOString(),
      repeat: { every: "day" },
    });
    const url = `/api/${user.userId}/${scheduled.json<Scheduled>().data._id}/edit-scheduled-sms`;
    const edit = async (payload: object): Promise<MessageAnswer | undefined> => {
      expect((await app.inject({ method: "PATCH", url, headers, payload })).statusCode).toBe(200);
      return (await listOf(app, user, headers, "scheduled"))[0];
    };
    const later = new Date(sendAt.getTime() + HOUR_MS);
    const times = [0, 1, 2].map((day) => new Date(later.getTime() + day * DAY_MS).toISOString());
    expect((await edit({ sendAt: times[0] }))?.nextTimes).toEqual(times);
    expect(await edit({ message: "Other" })).toMatchObject({
      message: "Other",
      repeat: { every: "day" },
      nextTimes: times,
    });
    expect((await edit({ repeat: { every: "month", on: [31] } }))?.repeat).toEqual({ every: "month", on: [31] });
    expect((await edit({ repeat: null }))?.repeat).toBeUndefined();
  });

  test.each([
    [{ every: "year" }, "repeat.every"],
    [{ every: "day", on: [1] }, "repeat.on"],
    [{ every: "week", on: [8] }, "repeat.on"],
    [{ every: "week", on: [] }, "repeat.on"],
    [{ every: "week", on: [1, 1] }, "repeat.on"],
    [{ every: "month", on: [32] }, "repeat.on"],
    [{ every: "day", until: "tomorrow" }, "repeat.until"],
    [{ every: "day", until: "2020-01-01T00:00:00Z" }, "repeat"],
    [{ every: "day", times: 3 }, "repeat.times"],
  ])("%j is refused", (repeat, field) => {
    const checked = scheduledRoutes.scheduleSms.schema.body.safeParse({
      ...fields,
      sendAt: "2030-01-01T00:00:00Z",
      repeat,
    });
    if (field === "repeat") return expect(checked.success).toBe(true);
    return expect(
      checked.error?.issues.map(({ path, ...issue }) => [...path, ...("keys" in issue ? issue.keys : [])].join(".")),
    ).toContain(field);
  });

  test("that has no time before its end, or a validity, is refused and leaves nothing", async ({
    app,
    db,
    deps,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const before = await countTraces(db);
    const sendAt = inHours(deps, 2).toISOString();
    for (const [over, field] of [
      [{ repeat: { every: "day", until: inHours(deps, 1).toISOString() } }, "repeat"],
      [{ repeat: { every: "day" }, validUntil: inHours(deps, 3).toISOString() }, "validUntil"],
      [{ validUntil: inHours(deps, 1).toISOString() }, "validUntil"],
      [{ validUntil: inHours(deps, -1).toISOString() }, "validUntil"],
    ] as const) {
      const answer = await schedule(app, user, headers, { ...fields, sendAt, ...over });
      expect([answer.statusCode, Object.keys(answer.json<Refusal>().fields ?? {})]).toEqual([400, [field]]);
    }
    expect(await countTraces(db)).toBe(before);
  });
});

describe("a scheduled message that ends", () => {
  const edit = async (app: App, { userId }: BuiltUser, headers: Headers, messageId: string, payload: object) =>
    await app.inject({ method: "PATCH", url: `/api/${userId}/${messageId}/edit-scheduled-sms`, headers, payload });

  test("gets another end, keeps it, loses it; not one before it is sent, and none when it repeats", async ({
    app,
    db,
    deps,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const [sendAt, end, late] = [2, 5, 9].map((hours) => inHours(deps, hours).toISOString());
    const made = await schedule(app, user, headers, { ...fields, sendAt, validUntil: end });
    const id = made.json<Scheduled>().data._id;
    const validity = async () => (await listOf(app, user, headers, "scheduled"))[0]?.validUntil;
    for (const wrong of [
      { validUntil: sendAt },
      { validUntil: inHours(deps, -1).toISOString() },
      // The end that it has would come before it is sent.
      { sendAt: late },
      { repeat: { every: "day" }, validUntil: late },
    ]) {
      const refused = await edit(app, user, headers, id, wrong);
      expect([refused.statusCode, Object.keys(refused.json<Refusal>().fields ?? {})]).toEqual([400, ["validUntil"]]);
    }
    expect(await validity()).toBe(end);
    expect((await edit(app, user, headers, id, { message: "Changed" })).statusCode).toBe(200);
    expect(await validity()).toBe(end);
    expect((await edit(app, user, headers, id, { validUntil: late })).statusCode).toBe(200);
    expect(await validity()).toBe(late);
    expect((await edit(app, user, headers, id, { repeat: { every: "day" } })).statusCode).toBe(200);
    expect(await validity()).toBeUndefined();
    expect((await edit(app, user, headers, id, { repeat: null, validUntil: late })).statusCode).toBe(200);
    expect((await edit(app, user, headers, id, { validUntil: null })).statusCode).toBe(200);
    expect(await validity()).toBeUndefined();
  });
});
