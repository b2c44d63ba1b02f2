import { describe } from "vitest";
import type { WhitelistRequestAnswer } from "@ewebal/contract";
import { expect, overlap, test as base } from "../../../testing/app.ts";
import { type BuiltAdmin, type BuiltUser, buildAdmin, buildUser } from "../../../testing/factories.ts";
import { buildSenderName } from "../../../testing/messages-factories.ts";

type Answer = { status: number; body: { message: string; code?: string; data?: { _id: string } } };

const test = base.extend<{
  user: BuiltUser;
  admin: BuiltAdmin;
  second: BuiltAdmin;
  /** A call of an administrator, by default the first. */
  patch: (url: string, payload?: object, as?: BuiltAdmin) => Promise<Answer>;
  /** Decides as the second administrator, by default. */
  judge: (call: "approve" | "decline", approvalId: string | undefined, as?: BuiltAdmin) => Promise<Answer>;
  names: () => Promise<string[]>;
}>({
  user: async ({ db }, use) => await use(await buildUser(db, { userName: "Ada", email: "ada@gmail.com" })),
  admin: async ({ db }, use) => await use(await buildAdmin(db, { adminName: "Bola" })),
  second: async ({ db }, use) => await use(await buildAdmin(db, { adminName: "Chidi" })),
  patch: async ({ app, admin, signInAs }, use) => {
    await use(async (url, payload, as = admin) => {
      const headers = await signInAs(as);
      const answer = await app.inject({ method: "PATCH", url: `/api/${url}`, headers, ...(payload && { payload }) });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  judge: async ({ patch, second }, use) => {
    await use(
      async (call, approvalId, as = second) => await patch(`${as.adminId}/${approvalId}/${call}`, undefined, as),
    );
  },
  names: async ({ db, user }, use) => {
    await use(async () =>
      (
        await db.query<{ name: string }>("select name from sender_name where user_id = $1 order by name", [user.userId])
      ).rows.map(({ name }) => name),
    );
  },
});

const waits = { status: 202, body: { data: { _id: expect.any(String) as string } } };

describe("a reserved name, or what reads like one, waits for a second administrator", () => {
  test.for(["GTBANK", "6TBANK", "GTBANIK", "M7N NG", "Ewebal"])(
    "%s given by an administrator",
    async (name, { user, admin, second, patch, judge, names, mailsTo }) => {
      const asked = await patch(`${admin.adminId}/whitelist-user-senderID`, { email: user.email, senderName: name });
      expect(asked).toMatchObject(waits);
      expect([await names(), await mailsTo(user.email)]).toEqual([[], []]);
      expect((await mailsTo(second.email))[0]?.text).toContain(
        `Let Ada, ada@gmail.com, send as ${name}. "${name}": Reads like `,
      );
      expect(await judge("approve", asked.body.data?._id, admin)).toMatchObject({
        status: 409,
        body: { code: "SAME_PERSON" },
      });
      expect(await judge("approve", asked.body.data?._id)).toMatchObject({
        status: 200,
        body: { message: `Approved: ${name}` },
      });
      expect([await names(), (await mailsTo(user.email)).length]).toEqual([[name], 1]);
    },
  );

  test("among others: the others are given at once", async ({ db, user, admin, second, patch, judge, names }) => {
    const asked = await patch(`${admin.adminId}/whitelist-user-senderID`, {
      email: user.email,
      senderName: "AdaStores,ZENITH,C8N INFO",
    });
    expect(asked).toMatchObject({
      ...waits,
      body: { message: "Approved: AdaStores. Waiting for a second administrator: C8N INFO, ZENITH" },
    });
    expect(await names()).toEqual(["AdaStores"]);
    await judge("approve", asked.body.data?._id);
    expect(await names()).toEqual(["AdaStores", "C8N INFO", "ZENITH"]);
    const { rows } = await db.query(
      "select admin_id, action, after -> 'senderNames' as names, after ->> 'askedBy' as asked_by from audit_entry order by audit_id",
    );
    expect(rows).toEqual([
      { admin_id: admin.adminId, action: "propose-whitelist-user-senderID", names: null, asked_by: null },
      { admin_id: admin.adminId, action: "whitelist-user-senderID", names: ["AdaStores"], asked_by: null },
      { admin_id: second.adminId, action: "approve", names: null, asked_by: null },
      {
        admin_id: second.adminId,
        action: "whitelist-user-senderID",
        names: ["C8N INFO", "ZENITH"],
        asked_by: admin.adminId,
      },
    ]);
  });

  test("by update-user: the rest is changed at once, and names that the customer has stay", async ({
    db,
    user,
    patch,
    judge,
    names,
  }) => {
    await buildSenderName(db, { ...user, name: "UBA" });
    const asked = await patch(`${user.userId}/update-user`, { fullName: "Ada Obi", senderID: "UBA,AdaStores,GTB4NK" });
    expect(asked).toMatchObject({
      ...waits,
      body: { message: "Ada is updated. Waiting for a second administrator: GTB4NK" },
    });
    expect(await names()).toEqual(["AdaStores", "UBA"]);
    expect((await db.query("select full_name from app_user where user_id = $1", [user.userId])).rows).toEqual([
      { full_name: "Ada Obi" },
    ]);
    expect((await patch(`${user.userId}/update-user`, { senderID: "UBA" })).status).toBe(200);
    await judge("approve", asked.body.data?._id);
    expect(await names()).toEqual(["GTB4NK", "UBA"]);
  });

  test("by a request: it is flagged, stays pending, and is approved by the second", async ({
    app,
    db,
    user,
    admin,
    second,
    signInAs,
    patch,
    judge,
    names,
    mailsTo,
  }) => {
    const payload = { senderName: "GT8ANK" };
    const made = await app.inject({
      method: "POST",
      url: `/api/${user.userId}/source-whitelist`,
      headers: await signInAs(user),
      payload,
    });
    const [request] = made.json<{ data: WhitelistRequestAnswer[] }>().data;
    expect(request).toMatchObject({ flagged: true, state: "pending" });
    const asked = await patch(`${request?._id}/approve-whitelist-request`);
    expect(asked).toMatchObject(waits);
    expect(await patch(`${request?._id}/approve-whitelist-request`)).toMatchObject({
      status: 202,
      body: { data: asked.body.data },
    });
    expect([await names(), (await db.query("select state from whitelist_request")).rows]).toEqual([
      [],
      [{ state: "pending" }],
    ]);
    const list = await app.inject({
      method: "GET",
      url: "/api/view-whitelist-requests",
      headers: await signInAs(second),
    });
    expect(list.json<{ data: WhitelistRequestAnswer[] }>().data[0]?.warnings).toContain(
      "Approved by Bola; waits for a second administrator",
    );
    expect((await judge("approve", asked.body.data?._id)).status).toBe(200);
    expect([await names(), (await db.query("select state from whitelist_request")).rows]).toEqual([
      ["GT8ANK"],
      [{ state: "approved" }],
    ]);
    expect((await mailsTo(user.email)).map(({ subject }) => subject)).toEqual(["Approved: sender name GT8ANK"]);
    const { rows } = await db.query("select admin_id, action from audit_entry order by audit_id");
    expect(rows).toEqual([
      { admin_id: admin.adminId, action: "propose-approve-whitelist-request" },
      { admin_id: second.adminId, action: "approve" },
      { admin_id: second.adminId, action: "approve-whitelist-request" },
    ]);
  });

  test("a second administrator who makes the same call agrees; whom it is for does not", async ({
    db,
    admin,
    second,
    patch,
  }) => {
    const hat = await buildUser(db, { email: second.email });
    const give = async (as: BuiltAdmin) =>
      await patch(`${as.adminId}/whitelist-user-senderID`, { email: hat.email, senderName: "NNPC" }, as);
    expect((await give(admin)).status).toBe(202);
    expect((await give(second)).status).toBe(202);
    expect((await db.query("select from sender_name")).rowCount).toBe(0);
    expect((await give(await buildAdmin(db))).status).toBe(200);
    expect((await db.query("select from sender_name")).rowCount).toBe(1);
  });
});

test("what is declined, or decided another way meanwhile, is not given", async ({
  app,
  user,
  admin,
  signInAs,
  patch,
  judge,
  names,
}) => {
  const headers = await signInAs(user);
  const made = await app.inject({
    method: "POST",
    url: `/api/${user.userId}/source-whitelist`,
    headers,
    payload: { senderName: "Zenith Bank" },
  });
  const requestId = made.json<{ data: WhitelistRequestAnswer[] }>().data[0]?._id;
  const asked = await patch(`${requestId}/approve-whitelist-request`);
  expect((await judge("decline", asked.body.data?._id)).status).toBe(200);
  const again = await patch(`${requestId}/approve-whitelist-request`);
  expect(again.status).toBe(202);
  expect((await patch(`${requestId}/decline-whitelist-request`, { reason: "No papers" })).status).toBe(200);
  expect(await judge("approve", again.body.data?._id)).toMatchObject({
    status: 409,
    body: { code: "ALREADY_DECIDED" },
  });
  const gift = await patch(`${admin.adminId}/whitelist-user-senderID`, { email: user.email, senderName: "UBA" });
  expect((await judge("decline", gift.body.data?._id)).status).toBe(200);
  expect(await names()).toEqual([]);
});

// Goal: one outcome for one request. Method: the request is declined and uncommitted while the second administrator approves.
test("a request that is declined while its approval is approved: the approval finds it decided", async ({
  app,
  db,
  user,
  admin,
  signInAs,
  patch,
  judge,
  names,
}) => {
  const headers = await signInAs(user);
  const made = await app.inject({
    method: "POST",
    url: `/api/${user.userId}/source-whitelist`,
    headers,
    payload: { senderName: "Zenith Bank" },
  });
  const asked = await patch(
    `${made.json<{ data: WhitelistRequestAnswer[] }>().data[0]?._id}/approve-whitelist-request`,
  );
  const [, late] = await overlap(
    db,
    async (tx) => {
      await tx.query("update whitelist_request set state = 'declined', decided_by = $1, decided_at = now()", [
        admin.adminId,
      ]);
      await tx.query("update approval set state = 'lapsed', decided_at = now()");
    },
    async () => await judge("approve", asked.body.data?._id),
  );
  expect(late).toMatchObject({ value: { status: 409, body: { code: "ALREADY_DECIDED" } } });
  expect(await names()).toEqual([]);
});
