import { listAnswer, whitelistRequestSchema, whitelistRoutes } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import { buildAdmin, buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { eachCase, expect, overlap, test } from "../../../testing/app.ts";
import { buildApprovedAddress, buildSenderName } from "../../../testing/messages-factories.ts";
import { decideWhitelistRequest } from "./decide-whitelist-request.ts";
import { NAMES_PER_REQUEST_MAX, OPEN_REQUESTS_MAX } from "./request-whitelist.ts";
import type { App } from "../../../http/app-type.ts";

type Headers = Record<string, string>;
type Refusal = { code: string; fields?: Record<string, string> };

const requestsOf = (body: unknown) => whitelistRoutes.sourceWhitelist.schema.response[201].parse(body).data;

async function ask(app: App, user: BuiltUser, headers: Headers, payload: unknown) {
  return await app.inject({
    method: "POST",
    url: `/api/${user.userId}/source-whitelist`,
    headers,
    payload: payload as object,
  });
}

describe("POST source-whitelist", () => {
  test("a visitor, another customer and an administrator are refused", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const payload = { senderName: "Acme Shop" };
    expect((await ask(app, user, {}, payload)).json<Refusal>().code).toBe("AUTH_REQUIRED");
    for (const other of [await buildUser(db), await buildAdmin(db)]) {
      const refused = await ask(app, user, await signInAs(other), payload);
      expect([refused.statusCode, refused.json<Refusal>().code]).toEqual([403, "FORBIDDEN"]);
    }
    expect((await db.query("select from whitelist_request")).rowCount).toBe(0);
  });

  test("what is wrong is named, and nothing is asked", async ({ app, db, signInAs }) => {
    await eachCase(
      [
        [{}, "senderName"],
        [{ senderName: "" }, "senderName"],
        [{ senderName: " , ," }, "senderName"],
        [{ senderName: "Acme" }, "senderName"],
        [{ senderName: "TwelveLetter" }, "senderName"],
        [{ senderName: "Good Name,Bäd Name" }, "senderName"],
        [{ senderName: "1234567" }, "senderName"],
        [
          {
            senderName: Array.from({ length: NAMES_PER_REQUEST_MAX + 1 }, (_, index) => `Name ${index + 10}`).join(","),
          },
          "senderName",
        ],
        [{ senderName: ["Acme Shop"] }, "senderName"],
        [{ senderName: 12345 }, "senderName"],
        [{ senderName: "x".repeat(501) }, "senderName"],
        [{ ip: "" }, "ip"],
        [{ ip: "1.2.3.4.5" }, "ip"],
        [{ ip: "192.168.1.10" }, "ip"],
        [{ ip: "0.0.0.0" }, "ip"],
        [{ ip: "0.0.0.0/0" }, "ip"],
        [{ senderName: "Acme Shop", ip: "10.0.0.1" }, "ip"],
      ] as const,
      async ([payload, field]) => {
        const user = await buildUser(db);
        const refused = await ask(app, user, await signInAs(user), payload);
        expect([refused.statusCode, refused.json<Refusal>().code]).toEqual([400, "VALIDATION"]);
        expect(refused.json<Refusal>().fields).toHaveProperty(field);
        expect((await db.query("select from whitelist_request")).rowCount).toBe(0);
      },
    );
  });

  test("what is approved already is refused", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    await buildSenderName(db, { ...user, name: "Acme Shop" });
    await buildApprovedAddress(db, { ...user, address: "203.0.113.7" });
    const refused = await ask(app, user, await signInAs(user), {
      senderName: "Acme Shop,Other Shop",
      ip: "::ffff:203.0.113.7",
    });
    expect(refused.json<Refusal>().fields).toEqual({
      senderName: expect.stringContaining('"Acme Shop"'),
      ip: expect.any(String),
    });
  });

  test("several names make several requests, asking again makes none, and management hears once", async ({
    app,
    db,
    signInAs,
    mailsTo,
    deps,
  }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const first = await ask(app, user, headers, { senderName: "Acme Shop, MTN Promo", ip: "203.0.113.7" });
    expect(first.statusCode).toBe(201);
    const requests = requestsOf(first.json());
    expect(requests.map(({ senderName, ip, state, flagged }) => [senderName ?? ip, state, flagged])).toEqual([
      ["Acme Shop", "pending", false],
      ["MTN Promo", "pending", true],
      ["203.0.113.7", "pending", false],
    ]);
    const again = await ask(app, user, headers, { senderName: "Acme Shop", ip: "203.0.113.7" });
    expect(requestsOf(again.json()).map(({ _id }) => _id)).toEqual([requests[0]?._id, requests[2]?._id]);
    const mails = await mailsTo(deps.config.managementEmail);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain("MTN Promo (Reads like MTN (a network operator))");
  });

  test("more open requests than a person can look after are refused", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const names = (from: number) =>
      Array.from({ length: NAMES_PER_REQUEST_MAX }, (_, index) => `Name ${from + index}`).join(",");
    for (const from of [100, 200])
      expect((await ask(app, user, headers, { senderName: names(from) })).statusCode).toBe(201);
    expect((await ask(app, user, headers, { senderName: names(300) })).statusCode).toBe(429);
    const { rows } = await db.query<{ count: number }>("select count(*)::integer as count from whitelist_request");
    expect(rows[0]?.count).toBeLessThanOrEqual(OPEN_REQUESTS_MAX);
  });
});

describe("the lists", () => {
  test("a customer sees their own with the state, not why it was flagged; another customer is refused", async ({
    app,
    db,
    signInAs,
  }) => {
    const [user, other] = [await buildUser(db), await buildUser(db)];
    await buildSenderName(db, { ...other, name: "Acme Shop" });
    await buildSenderName(db, { ...user, name: "My Shop" });
    await buildApprovedAddress(db, { ...user, address: "2001:db8::1" });
    const headers = await signInAs(user);
    await ask(app, user, headers, { senderName: "ACME SH0P" });
    const url = `/api/${user.userId}/whitelists`;
    const { data } = whitelistRoutes.whitelists.schema.response[200].parse((await app.inject({ url, headers })).json());
    expect(data).toMatchObject({
      senderNames: ["My Shop"],
      addresses: ["2001:db8::1"],
      requests: [{ senderName: "ACME SH0P", flagged: true }],
    });
    expect(data.requests[0]).not.toHaveProperty("warnings");
    expect((await app.inject({ url, headers: await signInAs(other) })).statusCode).toBe(403);
    expect((await app.inject({ url, headers: await signInAs(await buildAdmin(db)) })).statusCode).toBe(200);
  });

  test("administrators page through everybody's, newest first, by state, with the warnings", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildUser(db);
    await ask(app, user, await signInAs(user), { senderName: "Name One,Name Two,Zenith" });
    const url = "/api/view-whitelist-requests";
    expect((await app.inject({ url })).statusCode).toBe(401);
    expect((await app.inject({ url, headers: await signInAs(user) })).statusCode).toBe(403);
    const headers = await signInAs(await buildAdmin(db));
    const read = async (query: string) =>
      listAnswer(whitelistRequestSchema).parse((await app.inject({ url: `${url}?${query}`, headers })).json());
    const first = await read("limit=2&state=pending");
    expect(first.data.map(({ senderName }) => senderName)).toEqual(["Zenith", "Name Two"]);
    expect(first.data[0]?.warnings).toEqual([expect.stringContaining("Zenith")]);
    const second = await read(`limit=2&state=pending&after=${first.next}`);
    expect([second.data.map(({ email, senderName }) => [email, senderName]), second.next]).toEqual([
      [[user.email, "Name One"]],
      null,
    ]);
    expect((await read("state=declined")).data).toEqual([]);
    for (const query of ["after=x", "limit=0", "limit=101", "limit=1.5", "state=open"]) {
      expect((await app.inject({ url: `${url}?${query}`, headers })).statusCode).toBe(400);
    }
  });
});

describe("PATCH restrict-dashboard", () => {
  test("is the customer's own switch, and shows in the lists", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const url = `/api/${user.userId}/restrict-dashboard`;
    const press = async (headers: Headers, payload: object) =>
      (await app.inject({ method: "PATCH", url, headers, payload })).statusCode;
    expect(await press({}, { isRestricted: true })).toBe(401);
    for (const other of [await buildUser(db), await buildAdmin(db)])
      expect(await press(await signInAs(other), { isRestricted: true })).toBe(403);
    const headers = await signInAs(user);
    for (const wrong of [{}, { isRestricted: "true" }, { isRestricted: 1 }])
      expect(await press(headers, wrong)).toBe(400);
    const read = async () => {
      const { data } = whitelistRoutes.whitelists.schema.response[200].parse(
        (await app.inject({ url: `/api/${user.userId}/whitelists`, headers })).json(),
      );
      return data.isDashboardRestricted;
    };
    expect(await read()).toBe(false);
    expect([await press(headers, { isRestricted: true }), await read()]).toEqual([200, true]);
    expect([await press(headers, { isRestricted: false }), await read()]).toEqual([200, false]);
  });
});

describe("deciding", () => {
  test("only administrators decide, and an unknown request is 404", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const [request] = requestsOf((await ask(app, user, headers, { senderName: "Acme Shop" })).json());
    for (const verb of ["approve", "decline"]) {
      const url = `/api/${request?._id}/${verb}-whitelist-request`;
      expect((await app.inject({ method: "PATCH", url })).statusCode).toBe(401);
      expect((await app.inject({ method: "PATCH", url, headers })).statusCode).toBe(403);
      const unknown = await app.inject({
        method: "PATCH",
        url: `/api/${uuidv7()}/${verb}-whitelist-request`,
        headers: await signInAs(await buildAdmin(db)),
      });
      expect(unknown.statusCode).toBe(404);
    }
    expect((await db.query("select from sender_name")).rowCount).toBe(0);
  });

  test("approving gives the name and the address, tells the customer, and is written down", async ({
    app,
    db,
    signInAs,
    mailsTo,
  }) => {
    const [user, admin] = [await buildUser(db), await buildAdmin(db)];
    const requests = requestsOf(
      (await ask(app, user, await signInAs(user), { senderName: "Acme Shop", ip: "203.0.113.7" })).json(),
    );
    const headers = await signInAs(admin);
    for (const { _id } of requests) {
      expect(
        (await app.inject({ method: "PATCH", url: `/api/${_id}/approve-whitelist-request`, headers })).statusCode,
      ).toBe(200);
    }
    const lists = await app.inject({ url: `/api/${user.userId}/whitelists`, headers });
    expect(lists.json<{ data: object }>().data).toMatchObject({
      senderNames: ["Acme Shop"],
      addresses: ["203.0.113.7"],
    });
    const mails = await mailsTo(user.email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      "Approved: sender name Acme Shop",
      "Approved: IP address 203.0.113.7",
    ]);
    const { rows } = await db.query("select admin_id, action, subject_id, after from audit_entry order by audit_id");
    expect(rows).toMatchObject([
      {
        admin_id: admin.adminId,
        action: "approve-whitelist-request",
        subject_id: user.userId,
        after: { senderName: "Acme Shop" },
      },
      {
        admin_id: admin.adminId,
        action: "approve-whitelist-request",
        subject_id: user.userId,
        after: { ip: "203.0.113.7" },
      },
    ]);
  });

  test("declining gives nothing, and the customer reads the reason", async ({ app, db, signInAs, mailsTo }) => {
    const user = await buildUser(db);
    const [request] = requestsOf((await ask(app, user, await signInAs(user), { senderName: "Zenith Bank" })).json());
    const headers = await signInAs(await buildAdmin(db));
    const url = `/api/${request?._id}/decline-whitelist-request`;
    const declined = await app.inject({
      method: "PATCH",
      url,
      headers,
      payload: { reason: "Please send your papers" },
    });
    expect(declined.statusCode).toBe(200);
    expect((await mailsTo(user.email))[0]?.text).toContain("Please send your papers");
    const lists = await app.inject({ url: `/api/${user.userId}/whitelists`, headers });
    expect(lists.json<{ data: object }>().data).toMatchObject({
      senderNames: [],
      requests: [{ state: "declined", reason: "Please send your papers" }],
    });
    const tooLong = await app.inject({ method: "PATCH", url, headers, payload: { reason: "x".repeat(301) } });
    expect(tooLong.statusCode).toBe(400);
  });

  test("a decision is final: the second answers 409 and changes nothing", async ({ app, db, signInAs, mailsTo }) => {
    const user = await buildUser(db);
    const [request] = requestsOf((await ask(app, user, await signInAs(user), { senderName: "Acme Shop" })).json());
    const headers = await signInAs(await buildAdmin(db));
    await app.inject({ method: "PATCH", url: `/api/${request?._id}/decline-whitelist-request`, headers });
    const second = await app.inject({
      method: "PATCH",
      url: `/api/${request?._id}/approve-whitelist-request`,
      headers,
    });
    expect([second.statusCode, second.json<Refusal>().code]).toEqual([409, "ALREADY_DECIDED"]);
    expect((await db.query("select from sender_name")).rowCount).toBe(0);
    expect(await mailsTo(user.email)).toHaveLength(1);
  });

  // Goal: no overlap of two decisions lets both count. Method: the second starts while the first is uncommitted.
  test("two administrators press at the same moment: one decides, the other is told", async ({
    app,
    db,
    deps,
    signInAs,
  }) => {
    const [user, admin] = [await buildUser(db), await buildAdmin(db)];
    const [request] = requestsOf((await ask(app, user, await signInAs(user), { senderName: "Acme Shop" })).json());
    const decide = (state: "approved" | "declined") =>
      decideWhitelistRequest(
        { ...deps, recordAudit: () => Promise.resolve() },
        { requestId: request?._id ?? "", state, reason: "", adminId: admin.adminId, clientAddress: "203.0.113.1" },
      );
    const [, second] = await overlap(
      db,
      async (tx) => {
        await tx.query("update whitelist_request set state = 'approved', decided_by = $1, decided_at = now()", [
          admin.adminId,
        ]);
      },
      () => decide("declined"),
    );
    expect(second).toMatchObject({ status: "rejected", reason: { code: "ALREADY_DECIDED" } });
    expect((await db.query("select from whitelist_request where state = 'approved'")).rowCount).toBe(1);
  });
});

describe("PATCH whitelist-user-senderID", () => {
  const give = async (app: App, adminId: string, headers: Headers, payload: object) =>
    await app.inject({ method: "PATCH", url: `/api/${adminId}/whitelist-user-senderID`, headers, payload });

  test("refuses everyone but the administrator of the path, unknown e-mails and names that cannot be sent as", async ({
    app,
    db,
    signInAs,
  }) => {
    const [user, admin] = [await buildUser(db), await buildAdmin(db)];
    const payload = { email: user.email, senderName: "Acme Shop" };
    expect((await give(app, admin.adminId, {}, payload)).statusCode).toBe(401);
    expect((await give(app, admin.adminId, await signInAs(user), payload)).statusCode).toBe(403);
    expect((await give(app, admin.adminId, await signInAs(await buildAdmin(db)), payload)).statusCode).toBe(403);
    const headers = await signInAs(admin);
    expect((await give(app, admin.adminId, headers, { ...payload, email: "nobody@gmail.com" })).statusCode).toBe(404);
    for (const senderName of ["", " , ", "Ab", "TwelveLetter", "Bäd Name"]) {
      expect((await give(app, admin.adminId, headers, { ...payload, senderName })).json<Refusal>()).toMatchObject({
        code: "VALIDATION",
        fields: { senderName: expect.any(String) },
      });
    }
    expect((await db.query("select from sender_name")).rowCount).toBe(0);
  });

  test("gives the names, closes the request for one, and mails the customer about what is new", async ({
    app,
    db,
    signInAs,
    mailsTo,
  }) => {
    const [user, admin] = [await buildUser(db), await buildAdmin(db)];
    await ask(app, user, await signInAs(user), { senderName: "Acme Shop" });
    const headers = await signInAs(admin);
    const payload = { email: user.email.toUpperCase(), senderName: "Acme Shop, VIP" };
    expect((await give(app, admin.adminId, headers, payload)).statusCode).toBe(200);
    expect((await give(app, admin.adminId, headers, payload)).json<{ message: string }>().message).toContain("already");
    const lists = await app.inject({ url: `/api/${user.userId}/whitelists`, headers });
    expect(lists.json<{ data: object }>().data).toMatchObject({
      senderNames: ["Acme Shop", "VIP"],
      requests: [{ state: "approved" }],
    });
    expect((await mailsTo(user.email)).map(({ subject }) => subject)).toEqual(["Approved: Acme Shop, VIP"]);
  });
});
