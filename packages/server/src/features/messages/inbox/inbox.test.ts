/** A customer's inbox: whose a number is, reading what phones sent, and answering it. */
import { inboundRoutes, inboxRoutes, type ErrorBody } from "@ewebal/contract";
import { describe } from "vitest";
import type { Db } from "../../../db/pool.ts";
import { readBalance } from "../../../ledger/index.ts";
import { expect, test, type AppFixtures } from "../../../testing/app.ts";
import { buildCarrier, buildFundedUser } from "../../../testing/delivery-factories.ts";
import { buildAdmin, buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { buildApprovedAddress } from "../../../testing/messages-factories.ts";
import { createApiKey } from "../../accounts/index.ts";
import { buildInbound } from "../../delivery/testing/build-inbound.ts";

const NUMBER = "2347000000001";
const PERSON = "2348030000001";

async function assign(
  { app, db, signInAs }: Pick<AppFixtures, "app" | "signInAs"> & { db: Db },
  payload: { number: string; keyword?: string; userID: string },
) {
  const admin = await buildAdmin(db);
  const headers = await signInAs(admin);
  return await app.inject({ method: "POST", url: `/api/${admin.adminId}/assign-number`, headers, payload });
}

async function readInbox({ app, signInAs }: Pick<AppFixtures, "app" | "signInAs">, user: BuiltUser, query = "") {
  const response = await app.inject({ url: `/api/${user.userId}/inbox?${query}`, headers: await signInAs(user) });
  return inboxRoutes.inbox.schema.response[200].parse(response.json());
}

describe("assign-number, view-numbers and unassign-number", () => {
  test("are for administrators", async ({ app, db, signInAs }) => {
    const [admin, user] = [await buildAdmin(db), await buildUser(db)];
    const id = "01900000-0000-7000-8000-000000000001";
    for (const call of [
      { method: "GET", url: "/api/view-numbers" },
      {
        method: "POST",
        url: `/api/${admin.adminId}/assign-number`,
        payload: { number: NUMBER, userID: user.userId },
      },
      { method: "DELETE", url: `/api/${admin.adminId}/${id}/unassign-number` },
    ] as const) {
      expect((await app.inject(call)).statusCode).toBe(401);
      expect((await app.inject({ ...call, headers: await signInAs(user) })).statusCode).toBe(403);
    }
    expect((await db.query("select from inbound_number")).rowCount).toBe(0);
  });

  test.for([
    [{ number: "12" }, 400, ["number"]],
    [{ number: "Ewebal" }, 400, ["number"]],
    [{ number: NUMBER, keyword: "two words" }, 400, ["keyword"]],
    [{ number: NUMBER, bogus: 1 }, 400, ["bogus"]],
    [{ number: NUMBER, userID: "01900000-0000-7000-8000-000000000001" }, 404, []],
  ] as const)("%j is refused", async ([fields, status, names], { app, db, signInAs }) => {
    const user = await buildUser(db);
    const response = await assign({ app, db, signInAs }, { userID: user.userId, ...fields });
    expect([response.statusCode, Object.keys(response.json<ErrorBody>().fields ?? {})]).toEqual([status, names]);
    expect((await db.query("select from inbound_number")).rowCount).toBe(0);
  });

  test("a pair of number and keyword is one customer's, however it is written, and is free again when it is taken back", async ({
    app,
    db,
    signInAs,
  }) => {
    const [ada, bola] = [await buildUser(db), await buildUser(db)];
    const fixtures = { app, db, signInAs };
    const first = await assign(fixtures, { number: "+234 700 000 0001", userID: ada.userId });
    expect(first.statusCode).toBe(201);
    expect((await assign(fixtures, { number: NUMBER, userID: bola.userId })).statusCode).toBe(409);
    expect((await assign(fixtures, { number: NUMBER, keyword: "pizza", userID: bola.userId })).statusCode).toBe(201);
    expect((await assign(fixtures, { number: "07000000001", keyword: "PIZZA", userID: ada.userId })).statusCode).toBe(
      409,
    );
    const admin = await buildAdmin(db);
    const headers = await signInAs(admin);
    const list = inboundRoutes.viewNumbers.schema.response[200].parse(
      (await app.inject({ url: "/api/view-numbers", headers })).json(),
    );
    expect(list.data.map(({ number, keyword, userID }) => [number, keyword, userID])).toEqual([
      [NUMBER, "PIZZA", bola.userId],
      [NUMBER, undefined, ada.userId],
    ]);
    const url = `/api/${admin.adminId}/${list.data[1]?._id}/unassign-number`;
    expect((await app.inject({ method: "DELETE", url, headers })).statusCode).toBe(200);
    expect((await app.inject({ method: "DELETE", url, headers })).statusCode).toBe(404);
    expect((await assign(fixtures, { number: NUMBER, userID: bola.userId })).statusCode).toBe(201);
    const { rows } = await db.query<{ action: string }>("select action from audit_entry order by created_at, audit_id");
    expect(rows.map(({ action }) => action)).toEqual([
      "assign-number",
      "assign-number",
      "unassign-number",
      "assign-number",
    ]);
  });
});

describe("GET inbox", () => {
  test("is the customer's own, and takes no unknown field", async ({ app, db, signInAs }) => {
    const [ada, bola] = [await buildUser(db), await buildUser(db)];
    const url = `/api/${ada.userId}/inbox`;
    expect((await app.inject({ url })).statusCode).toBe(401);
    expect((await app.inject({ url, headers: await signInAs(bola) })).statusCode).toBe(403);
    const response = await app.inject({ url: `${url}?bogus=1`, headers: await signInAs(ada) });
    expect([response.statusCode, response.json<ErrorBody>().fields]).toMatchObject([
      400,
      { bogus: expect.any(String) },
    ]);
  });

  test("has what came to the customer's number or keyword, newest first; the rest is the administrators'", async ({
    app,
    db,
    deps,
    signInAs,
  }) => {
    const [ada, bola] = [await buildUser(db), await buildUser(db)];
    const fixtures = { app, db, signInAs };
    await assign(fixtures, { number: NUMBER, userID: ada.userId });
    await assign(fixtures, { number: "32811", keyword: "Pizza", userID: bola.userId });
    await buildInbound(db, [
      { from: PERSON, to: NUMBER, text: "Good morning" },
      { from: "2348030000002", to: NUMBER, text: "pizza please" },
      { from: PERSON, to: "32811", text: "pizza, two of them" },
      { from: PERSON, to: "32811", text: "Pizzas" },
      { from: PERSON, to: NUMBER, text: "Hello again" },
    ]);
    expect((await readInbox(fixtures, ada)).data).toMatchObject([
      { from: PERSON, to: NUMBER, text: "Hello again" },
      { from: "2348030000002", text: "pizza please" },
      { from: PERSON, text: "Good morning" },
    ]);
    expect((await readInbox(fixtures, ada, `from=${PERSON}&limit=1`)).data).toMatchObject([{ text: "Hello again" }]);
    expect((await readInbox(fixtures, ada, "from=08030000002")).data).toMatchObject([{ text: "pizza please" }]);
    expect((await readInbox(fixtures, bola)).data).toMatchObject([{ text: "pizza, two of them", keyword: "PIZZA" }]);
    const nobodys = await app.inject({
      url: "/api/view-unassigned-inbound",
      headers: await signInAs(await buildAdmin(db)),
    });
    expect(nobodys.json<{ data: object[] }>().data).toMatchObject([{ text: "Pizzas" }]);
    await buildApprovedAddress(db, { userId: ada.userId, address: "203.0.113.5" });
    const { key } = await createApiKey(deps, ada.userId, { name: "Shop" });
    const toProgram = await app.inject({
      url: `/api/v1/inbox?from=${PERSON}`,
      remoteAddress: "203.0.113.5",
      headers: { authorization: `Bearer ${key}` },
    });
    expect(toProgram.json()).toEqual(await readInbox(fixtures, ada, `from=${PERSON}`));
    const talks = await app.inject({ url: `/api/${ada.userId}/conversations`, headers: await signInAs(ada) });
    expect(inboxRoutes.conversations.schema.response[200].parse(talks.json()).data).toMatchObject([
      { from: PERSON, text: "Hello again", messages: 2 },
      { from: "2348030000002", text: "pizza please", messages: 1 },
    ]);
  });
});

describe("POST reply", () => {
  test("leaves from the number that was written to, is charged, and the next message answers it", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildFundedUser(db);
    await buildCarrier(db);
    const fixtures = { app, db, signInAs };
    await assign(fixtures, { number: NUMBER, userID: user.userId });
    await buildInbound(db, [{ from: PERSON, to: NUMBER, text: "When do you open?" }]);
    const [asked] = (await readInbox(fixtures, user)).data;
    const headers = { ...(await signInAs(user)), "idempotency-key": "reply-1" };
    const reply = async (payload: object) =>
      await app.inject({ method: "POST", url: `/api/${user.userId}/${asked?._id}/reply`, headers, payload });
    const response = await reply({ message: "At eight." });
    expect([response.statusCode, response.json()]).toMatchObject([200, { unitDetails: { recipients: 1, charged: 3 } }]);
    // The same key again sends nothing.
    const again = await reply({ message: "At eight." });
    expect(again.json()).toEqual(response.json());
    const { rows } = await db.query("select sender_name, body from message");
    expect(rows).toEqual([{ sender_name: NUMBER, body: "At eight." }]);
    const id = response.json<{ data: { _id: string } }>().data._id;
    await buildInbound(db, [{ from: PERSON, to: NUMBER, text: "Thanks" }]);
    expect((await readInbox(fixtures, user)).data[0]).toMatchObject({ text: "Thanks", messageId: id });
    const replies = await app.inject({
      url: `/api/${user.userId}/inbox-replies?to=${PERSON}`,
      headers: await signInAs(user),
    });
    expect(inboxRoutes.inboxReplies.schema.response[200].parse(replies.json()).data).toMatchObject([
      { _id: id, inboxId: asked?._id, from: NUMBER, to: PERSON, text: "At eight.", state: "waiting" },
    ]);
  });

  test("is refused without a text, to another's message, to a name, without units, and from a number that was taken back", async ({
    app,
    db,
    signInAs,
  }) => {
    const [user, other, poor] = [await buildFundedUser(db), await buildFundedUser(db), await buildUser(db)];
    await buildCarrier(db);
    const fixtures = { app, db, signInAs };
    await assign(fixtures, { number: NUMBER, userID: user.userId });
    await assign(fixtures, { number: "32811", userID: poor.userId });
    await buildInbound(db, [
      { from: PERSON, to: NUMBER, text: "Hello" },
      { from: "MyBank", to: NUMBER, text: "Credit alert" },
      { from: PERSON, to: "32811", text: "Hello" },
    ]);
    const [fromName, fromPerson] = (await readInbox(fixtures, user)).data;
    const [toPoor] = (await readInbox(fixtures, poor)).data;
    const reply = async (who: BuiltUser, inboxId: string | undefined, payload: object) => {
      const headers = await signInAs(who);
      const url = `/api/${who.userId}/${inboxId}/reply`;
      const response = await app.inject({ method: "POST", url, headers, payload });
      return [response.statusCode, response.json<ErrorBody>().code];
    };
    expect(await reply(user, fromPerson?._id, {})).toEqual([400, "VALIDATION"]);
    expect(await reply(user, fromPerson?._id, { message: "Hi", bogus: 1 })).toEqual([400, "VALIDATION"]);
    expect(await reply(other, fromPerson?._id, { message: "Hi" })).toEqual([404, "NOT_FOUND"]);
    expect(await reply(user, fromName?._id, { message: "Hi" })).toEqual([550, "NOT_SENDABLE"]);
    expect(await reply(poor, toPoor?._id, { message: "Hi" })).toEqual([401, "UNITS_REQUIRED"]);
    await db.query("delete from inbound_number");
    expect(await reply(user, fromPerson?._id, { message: "Hi" })).toEqual([409, "SENDER_NOT_APPROVED"]);
    expect((await db.query("select from message")).rowCount).toBe(0);
    expect((await readBalance(db, user.userId)).heldMilli).toBe(0);
  });
});
