import { heldMessageRoutes, type ErrorBody } from "@ewebal/contract";
import { describe } from "vitest";
import { v7 as uuidv7 } from "uuid";
import { withTransaction } from "../../../db/transaction.ts";
import { expect, overlap, test } from "../../../testing/app.ts";
import { buildFundedUser, buildMessage, type BuiltMessage } from "../../../testing/delivery-factories.ts";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";
import { refuseMessage, releaseMessage } from "../../delivery/index.ts";
import { holdEverything } from "../../delivery/send-mark/send-mark-store.ts";
import type { Db } from "../../../db/pool.ts";

const listSchema = heldMessageRoutes.viewHeldMessages.schema.response[200];

async function buildHeld(db: Db, recipientCount = 3): Promise<BuiltMessage> {
  const message = await buildMessage(db, { recipientCount });
  await withTransaction(db, holdEverything);
  return message;
}

const readState = async (db: Db, { messageId }: { messageId: string }) =>
  (
    await db.query(
      `select message.state, batch.state as batch, waiting, cancelled
       from message join message_count using (user_id, message_id) join message_batch batch using (user_id, message_id) where message_id = $1`,
      [messageId],
    )
  ).rows;

describe("refused", () => {
  test("without an administrator's session of that id", async ({ app, db, signInAs }) => {
    const [admin, other, user] = [await buildAdmin(db), await buildAdmin(db), await buildUser(db)];
    const { messageId } = await buildHeld(db);
    const calls = [
      { method: "GET", url: "/api/view-held-messages" },
      { method: "PATCH", url: `/api/${admin.adminId}/${messageId}/release-message` },
      { method: "PATCH", url: `/api/${admin.adminId}/${messageId}/refuse-message` },
    ] as const;
    for (const call of calls) {
      expect((await app.inject(call)).statusCode).toBe(401);
      expect((await app.inject({ ...call, headers: await signInAs(user) })).statusCode).toBe(403);
      if (call.method !== "GET")
        expect((await app.inject({ ...call, headers: await signInAs(other) })).statusCode).toBe(403);
    }
    expect(await readState(db, { messageId })).toMatchObject([{ state: 4, batch: 0 }]);
  });

  test("for a message that there is not, that was never held, or that was decided", async ({ app, db, signInAs }) => {
    const admin = await buildAdmin(db);
    const headers = await signInAs(admin);
    const held = await buildHeld(db);
    const sending = await buildMessage(db, { recipientCount: 1 });
    const decide = async (messageId: string, verb: string) => {
      const answer = await app.inject({
        method: "PATCH",
        url: `/api/${admin.adminId}/${messageId}/${verb}-message`,
        headers,
      });
      return [answer.statusCode, answer.json<Partial<ErrorBody>>().code];
    };
    for (const verb of ["release", "refuse"]) {
      expect(await decide(uuidv7(), verb)).toEqual([404, "NOT_FOUND"]);
      expect(await decide(sending.messageId, verb)).toEqual([409, "STATE_CONFLICT"]);
    }
    expect(await decide(held.messageId, "release")).toEqual([200, undefined]);
    for (const verb of ["release", "refuse"])
      expect(await decide(held.messageId, verb)).toEqual([409, "ALREADY_DECIDED"]);
  });

  test("to the second of two administrators who press together", async ({ db }) => {
    const { messageId } = await buildHeld(db);
    const [first, second] = await overlap(
      db,
      (tx) => releaseMessage(tx, messageId, new Date()),
      (tx) => refuseMessage(tx, messageId, new Date()),
    );
    expect(first.status).toBe("fulfilled");
    expect(second).toMatchObject({ reason: { code: "ALREADY_DECIDED" } });
    expect(await readState(db, { messageId })).toMatchObject([{ state: 1, batch: 1, waiting: 3 }]);
  });

  test("to a customer who would pause, resume or hide it; it can be cancelled", async ({ app, db, signInAs }) => {
    const user = await buildFundedUser(db);
    const { userId, messageId } = await buildMessage(db, { userId: user.userId, recipientCount: 3 });
    await withTransaction(db, holdEverything);
    const headers = await signInAs(user);
    const call = async (method: "POST" | "DELETE", verb: string) =>
      (await app.inject({ method, url: `/api/${userId}/${messageId}/${verb}`, headers })).statusCode;
    expect([
      await call("POST", "pause"),
      await call("POST", "resume"),
      await call("DELETE", "delete-sms-message"),
    ]).toEqual([409, 409, 409]);
    expect(await call("POST", "cancel")).toBe(200);
    expect(await readState(db, { messageId })).toMatchObject([{ state: 3, batch: 4, cancelled: 3 }]);
  });
});

test("held messages are listed newest first, page by page, with why; /readyz says so until all are decided, and the audit who decided", async ({
  app,
  db,
  signInAs,
}) => {
  await db.query(`insert into process_heartbeat values (gen_random_uuid(), '{worker}', now(), now())`);
  const admin = await buildAdmin(db);
  const headers = await signInAs(admin);
  const isRestored = async () => (await app.inject({ url: "/readyz" })).json<{ restored?: boolean }>().restored;
  expect(await isRestored()).toBeUndefined();
  const user = await buildFundedUser(db);
  const [first, second] = [
    await buildMessage(db, { userId: user.userId, recipientCount: 3 }),
    await buildMessage(db, { recipientCount: 700 }),
  ];
  await withTransaction(db, holdEverything);
  expect(await isRestored()).toBe(true);

  const read = async (query: string) =>
    listSchema.parse((await app.inject({ url: `/api/view-held-messages?${query}`, headers })).json());
  const page = await read("limit=1");
  expect(page.data).toMatchObject([
    {
      _id: second.messageId,
      userID: second.userId,
      recipients: 700,
      state: "held",
      reason: "held after a restore",
      heldFrom: "sending",
    },
  ]);
  expect((await read(`limit=1&after=${page.next}`)).data).toMatchObject([{ _id: first.messageId }]);
  expect((await app.inject({ url: "/api/view-held-messages?after=none", headers })).statusCode).toBe(400);
  const shown = await app.inject({
    url: `/api/${first.userId}/${first.messageId}/view-one-sms`,
    headers: await signInAs(user),
  });
  expect(shown.json()).toMatchObject({ data: { state: "held" } });

  const decide = async (message: BuiltMessage, verb: string) =>
    (
      await app.inject({
        method: "PATCH",
        url: `/api/${admin.adminId}/${message.messageId}/${verb}-message`,
        headers,
        payload: { reason: "It had gone out" },
      })
    ).statusCode;
  expect(await decide(first, "release")).toBe(200);
  expect(await isRestored()).toBe(true);
  expect(await decide(second, "refuse")).toBe(200);
  expect(await isRestored()).toBeUndefined();
  expect((await read("")).data).toEqual([]);
  expect(await readState(db, second)).toMatchObject([
    { state: 3, cancelled: 700 },
    { state: 3, cancelled: 700 },
  ]);
  const { rows: held } = await db.query("select open_milli from hold where user_id = $1", [second.userId]);
  expect(held).toEqual([{ open_milli: 0 }]);
  expect(
    (
      await db.query(
        "select action, subject_id, after from audit_entry where action <> 'view-held-messages' order by created_at",
      )
    ).rows,
  ).toMatchObject([
    { action: "release-message", subject_id: first.userId, after: { state: "released" } },
    { action: "refuse-message", subject_id: second.userId, after: { state: "cancelled", reason: "It had gone out" } },
  ]);
});
