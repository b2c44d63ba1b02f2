import { describe } from "vitest";
import type { App } from "../../../http/app-type.ts";
import { customerCalls } from "../../../http/session/customer-calls.ts";
import { expect, overlap, test } from "../../../testing/app.ts";
import { buildAdmin, buildUser, FACTORY_PASSWORD } from "../../../testing/factories.ts";
import { adoptUser, hashPassword, issueToken } from "../../accounts/index.ts";

type Headers = Record<string, string>;

/** Of who signed in as a customer. */
const proof = { password: FACTORY_PASSWORD };

async function post(
  app: App,
  url: string,
  headers: Headers = {},
  payload?: object,
): Promise<{ status: number; token: string; code: string; cookie: string | undefined }> {
  const answer = await app.inject({ method: "POST", url, headers, ...(payload !== undefined && { payload }) });
  const body = answer.json<{ data: string; code: string }>();
  return { status: answer.statusCode, token: body.data, code: body.code, cookie: answer.cookies[0]?.value };
}

async function statusOf(app: App, url: string, headers: Headers): Promise<number> {
  return (await app.inject({ method: "GET", url, headers })).statusCode;
}

describe("refusals", () => {
  test("no session, another id, the wrong side", async ({ app, db, signInAs }) => {
    const [user, admin] = [await buildUser(db), await buildAdmin(db)];
    expect((await post(app, `/api/${user.id}/switch-to-admin`)).code).toBe("AUTH_REQUIRED");
    expect((await post(app, `/api/${admin.id}/switch-to-user`)).code).toBe("AUTH_REQUIRED");
    const [userHeaders, adminHeaders] = [await signInAs(user), await signInAs(admin)];
    expect((await post(app, `/api/${(await buildUser(db)).id}/switch-to-admin`, userHeaders)).code).toBe("FORBIDDEN");
    expect((await post(app, `/api/${(await buildAdmin(db)).id}/switch-to-user`, adminHeaders)).code).toBe("FORBIDDEN");
    expect((await post(app, `/api/${admin.id}/switch-to-admin`, adminHeaders)).code).toBe("FORBIDDEN");
    expect((await post(app, `/api/${user.id}/switch-to-user`, userHeaders)).code).toBe("FORBIDDEN");
  });

  test("a customer who is no administrator, or whose administrator, or who themselves, never proved the mailbox", async ({
    app,
    db,
    signInAs,
  }) => {
    const plain = await buildUser(db);
    expect((await post(app, `/api/${plain.id}/switch-to-admin`, await signInAs(plain))).code).toBe("FORBIDDEN");

    const email = "both@ewebal.com";
    const user = await buildUser(db, { email });
    await buildAdmin(db, { email, isVerified: false });
    expect((await post(app, `/api/${user.id}/switch-to-admin`, await signInAs(user))).code).toBe("FORBIDDEN");

    const second = "second@ewebal.com";
    const unproven = await buildUser(db, { email: second, isVerified: false });
    await buildAdmin(db, { email: second });
    expect((await post(app, `/api/${unproven.id}/switch-to-admin`, await signInAs(unproven))).code).toBe("FORBIDDEN");
    expect((await db.query("select from audit_entry")).rowCount).toBe(0);
  });

  test("a blocked customer account is not opened through the administrator's", async ({ app, db, signInAs }) => {
    const admin = await buildAdmin(db, { email: "both@ewebal.com" });
    await buildUser(db, { email: "both@ewebal.com", isBlocked: true });
    expect(await post(app, `/api/${admin.id}/switch-to-user`, await signInAs(admin))).toMatchObject({
      status: 403,
      code: "BLOCKED",
    });
  });
});

test("who is both goes to and fro; each switch is on record", async ({ app, db, signInAs }) => {
  const user = await buildUser(db, { email: "both@ewebal.com" });
  const admin = await buildAdmin(db, { email: "both@ewebal.com" });
  const toAdmin = await post(app, `/api/${user.id}/switch-to-admin`, await signInAs(user), proof);
  expect(toAdmin.status).toBe(201);
  const asAdmin = { authorization: `Bearer ${toAdmin.token}` };
  expect(await statusOf(app, `/api/${admin.id}/view-one-admin`, asAdmin)).toBe(200);

  const toUser = await post(app, `/api/${admin.id}/switch-to-user`, asAdmin);
  expect(toUser.status).toBe(201);
  expect(await statusOf(app, `/api/${user.id}/populate-drafts`, { authorization: `Bearer ${toUser.token}` })).toBe(200);
  const { rows } = await db.query<{ action: string }>("select action from audit_entry order by audit_id");
  expect(rows.map(({ action }) => action)).toEqual(["switch-to-admin", "switch-to-user"]);
});

test("who signed in as a customer needs the administrator's own password; who signed in as an administrator does not", async ({
  app,
  db,
  signInAs,
}) => {
  const email = "both@ewebal.com";
  const [user, admin] = [await buildUser(db, { email }), await buildAdmin(db, { email })];
  const url = `/api/${user.id}/switch-to-admin`;
  const asUser = await signInAs(user);
  expect(await post(app, url, asUser)).toMatchObject({ status: 401, code: "PASSWORD_REQUIRED" });
  expect(await post(app, url, asUser, {})).toMatchObject({ status: 401, code: "PASSWORD_REQUIRED" });
  expect(await post(app, url, asUser, { password: "the customer's" })).toMatchObject({
    status: 400,
    code: "PASSWORD_WRONG",
  });
  expect((await db.query("select from audit_entry")).rowCount).toBe(0);
  // The customer's password is none of the administrator's.
  await db.query("update admin set password_hash = $2 where admin_id = $1", [
    admin.id,
    await hashPassword("another one"),
  ]);
  expect(await post(app, url, asUser, proof)).toMatchObject({ status: 400, code: "PASSWORD_WRONG" });

  const toUser = await post(app, `/api/${admin.id}/switch-to-user`, await signInAs(admin));
  expect((await post(app, url, { authorization: `Bearer ${toUser.token}` })).status).toBe(201);
});

const limited = test.extend({ environment: { RATE_LIMITS: "on" } });

limited(
  "guesses at the administrator's password are counted like those of a sign-in",
  async ({ app, db, signInAs }) => {
    const user = await buildUser(db, { email: "both@ewebal.com" });
    await buildAdmin(db, { email: "both@ewebal.com" });
    const headers = await signInAs(user);
    for (let tries = 0; tries < 10; tries += 1)
      expect((await post(app, `/api/${user.id}/switch-to-admin`, headers, { password: "wrong one" })).status).toBe(400);
    expect((await post(app, `/api/${user.id}/switch-to-admin`, headers, proof)).status).toBe(429);
  },
);

// The way in that one click on our own mail opened: register the mailbox as a customer, let its owner verify it, switch.
test("a company's mailbox is no customer by itself: not registered, not verified, not by a change of e-mail", async ({
  app,
  db,
  deps,
  mailsTo,
  signInAs,
}) => {
  const email = "boss@ewebal.com";
  const admin = await buildAdmin(db, { email });
  const payload = { userName: "Eve", fullName: "Eve", email, password: "seven brave goats", phoneNo: "08031234567" };
  const registered = await app.inject({ method: "POST", url: "/api/create-user", payload });
  expect([registered.statusCode, registered.json<{ code: string }>().code]).toEqual([403, "HOST_NOT_ALLOWED"]);

  const stranger = await buildUser(db, { email, isVerified: false });
  await app.inject({ method: "POST", url: "/api/resend-verification", payload: { email } });
  expect(await mailsTo(email)).toEqual([]);
  const token = await issueToken(deps, db, { purpose: "verify-user", actorId: stranger.userId });
  const verified = await app.inject({ method: "GET", url: `/api/${token}/verify-user` });
  expect([verified.statusCode, verified.json<{ code: string }>().code]).toEqual([403, "HOST_NOT_ALLOWED"]);
  expect((await db.query("select from app_user where verified_at is not null")).rowCount).toBe(0);

  const other = await buildUser(db);
  const changed = await app.inject({
    method: "PATCH",
    url: `/api/${other.userId}/update-user`,
    payload: { email: "chief@ewebal.com" },
    headers: await signInAs(admin),
  });
  expect([changed.statusCode, changed.json<{ code: string }>().code]).toEqual([403, "HOST_NOT_ALLOWED"]);
});

test("a browser's session is replaced once what is under way is answered, a program keeps its token", async ({
  app,
  db,
  clock,
  signInAs,
}) => {
  const user = await buildUser(db, { email: "both@ewebal.com" });
  const admin = await buildAdmin(db, { email: "both@ewebal.com" });
  const bearer = await signInAs(user);
  expect((await post(app, `/api/${user.id}/switch-to-admin`, bearer, proof)).cookie).toBeUndefined();
  expect(await statusOf(app, `/api/${user.id}/view-one-user`, bearer)).toBe(200);

  const token = bearer.authorization.slice("Bearer ".length);
  const browser = { cookie: `ewebal_session=${token}`, origin: "http://localhost:8080", host: "localhost:8080" };
  const switched = await post(app, `/api/${user.id}/switch-to-admin`, browser, proof);
  expect(switched.cookie).toBe(switched.token);
  expect(await statusOf(app, `/api/${user.id}/view-one-user`, bearer)).toBe(200);
  expect(await post(app, `/api/${user.id}/switch-to-admin`, browser, proof)).toMatchObject({
    status: 401,
    code: "AUTH_REQUIRED",
  });
  clock.advance(5_000);
  expect(await statusOf(app, `/api/${user.id}/view-one-user`, bearer)).toBe(401);
  expect(await statusOf(app, `/api/${admin.id}/view-one-admin`, { cookie: `ewebal_session=${switched.cookie}` })).toBe(
    200,
  );
});

test("switching prolongs nothing: 12 hours after signing in it is over", async ({ app, db, clock, signInAs }) => {
  const user = await buildUser(db, { email: "both@ewebal.com" });
  const admin = await buildAdmin(db, { email: "both@ewebal.com" });
  let headers: Headers = await signInAs(user);
  for (let minute = 0; minute < 720; minute += 15) {
    const isUser = minute % 30 === 0;
    const { token } = await post(
      app,
      isUser ? `/api/${user.id}/switch-to-admin` : `/api/${admin.id}/switch-to-user`,
      headers,
      isUser ? proof : undefined,
    );
    headers = { authorization: `Bearer ${token}` };
    clock.advance(15 * 60_000);
  }
  expect((await post(app, `/api/${user.id}/switch-to-admin`, headers)).code).toBe("AUTH_REQUIRED");
});

test("an administrator without a customer account gets one, once, also from two windows", async ({
  app,
  db,
  deps,
  signInAs,
}) => {
  const owner = { userName: "Boss", fullName: "The Boss", email: "boss@ewebal.com", phoneNo: "8030000001" };
  const [first, second] = await overlap(
    db,
    async (tx) => await adoptUser(deps, tx, owner),
    async (tx) => await adoptUser(deps, tx, owner),
  );
  if (first.status !== "fulfilled" || second.status !== "fulfilled") throw new Error("both windows get in");
  expect([first.value.isNew, second.value.isNew]).toEqual([true, false]);
  expect(second.value.userId).toBe(first.value.userId);

  const admin = await buildAdmin(db, { email: "chief@ewebal.com" });
  const { token } = await post(app, `/api/${admin.id}/switch-to-user`, await signInAs(admin));
  const { rows } = await db.query<{ user_id: string }>(
    "select user_id from app_user where email = 'chief@ewebal.com' and verified_at is not null",
  );
  const seen = await app.inject({
    method: "GET",
    url: `/api/${rows[0]?.user_id}/view-one-user`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(seen.json()).toMatchObject({ data: { email: "chief@ewebal.com", role: "admin", units: 0 } });
});

test("a stranger who registered the administrator's mailbox loses the password they set", async ({
  app,
  db,
  signInAs,
}) => {
  const admin = await buildAdmin(db, { email: "boss@ewebal.com" });
  await buildUser(db, { email: "boss@ewebal.com", isVerified: false });
  expect((await post(app, `/api/${admin.id}/switch-to-user`, await signInAs(admin))).status).toBe(201);
  const payload = { email: "boss@ewebal.com", password: FACTORY_PASSWORD };
  expect((await app.inject({ method: "POST", url: "/api/sign-in-user", payload })).json()).toMatchObject({
    code: "PASSWORD_WRONG",
  });
});

describe("POST act-for", () => {
  const look = (userId: string) => ({ userId, reason: "Asked us why a message failed" });

  test("is for owners and admins, names a customer and a reason, and takes nothing else", async ({
    app,
    db,
    signInAs,
  }) => {
    const [user, admin] = [await buildUser(db), await buildAdmin(db)];
    const url = `/api/${admin.id}/act-for`;
    expect((await post(app, url, {}, look(user.id))).code).toBe("AUTH_REQUIRED");
    expect((await post(app, url, await signInAs(user), look(user.id))).code).toBe("FORBIDDEN");
    for (const role of ["finance", "support", "viewer"] as const) {
      const other = await buildAdmin(db, { role });
      expect((await post(app, `/api/${other.id}/act-for`, await signInAs(other), look(user.id))).code).toBe(
        "FORBIDDEN",
      );
    }
    const headers = await signInAs(admin);
    expect((await post(app, `/api/${(await buildAdmin(db)).id}/act-for`, headers, look(user.id))).code).toBe(
      "FORBIDDEN",
    );
    for (const body of [{}, { userId: user.id }, { ...look(user.id), reason: "  " }, { ...look(user.id), bogus: 1 }])
      expect((await post(app, url, headers, body)).code).toBe("VALIDATION");
    expect((await post(app, url, headers, look(admin.id))).code).toBe("NOT_FOUND");
    expect((await db.query("select from account_access")).rowCount).toBe(0);
  });

  test("shows what the customer sees for 30 minutes, changes nothing, and stands in the audit and the customer's list", async ({
    app,
    db,
    clock,
    signInAs,
  }) => {
    const [user, admin] = [await buildUser(db), await buildAdmin(db)];
    const own = await signInAs(user);
    const opened = await post(app, `/api/${admin.id}/act-for`, await signInAs(admin), look(user.id));
    expect(opened.status).toBe(201);
    const acting = { authorization: `Bearer ${opened.token}` };
    const record = await app.inject({ url: `/api/${user.id}/view-one-user`, headers: acting });
    expect(record.json()).toMatchObject({ data: { _id: user.id, acting: { reason: look(user.id).reason } } });
    expect(await statusOf(app, `/api/${user.id}/populate-drafts`, acting)).toBe(200);
    // Of no other account, also where the customer is a member, and on no side of administrators.
    const shop = await buildUser(db);
    await db.query(
      `insert into account_member (user_id, member_id, email, role, person_id, invited_by, created_at, joined_at, expires_at)
       values ($1, gen_random_uuid(), 'x@ewebal.com', 'owner', $2, $1, now(), now(), now())`,
      [shop.id, user.id],
    );
    expect(await statusOf(app, `/api/${shop.id}/populate-drafts`, own)).toBe(200);
    expect(await statusOf(app, `/api/${shop.id}/populate-drafts`, acting)).toBe(403);
    expect(await statusOf(app, "/api/view-all-users", acting)).toBe(403);
    // Every call of customers that is no reading.
    for (const name of customerCalls.keys()) {
      const [method = "", path = ""] = name.split(" ");
      if (method === "GET" || /\/(?:sign-out|login-status-false|switch-to-admin)$/.test(path)) continue;
      const url = path.replace(/:userId|:id\b/, user.id).replaceAll(/:\w+/g, user.id);
      const { statusCode } = await app.inject({ method: method as "POST", url, headers: acting });
      expect([name, statusCode]).toEqual([name, 403]);
    }
    const { rows } = await db.query("select action, subject_id, after from audit_entry where admin_id = $1", [
      admin.id,
    ]);
    expect(rows).toEqual([{ action: "act-for", subject_id: user.id, after: { reason: look(user.id).reason } }]);
    const list = await app.inject({ url: `/api/${user.id}/account-access`, headers: own });
    expect(list.json()).toMatchObject({
      data: [{ adminName: expect.any(String), reason: look(user.id).reason }],
      next: null,
    });
    expect(
      (await app.inject({ url: `/api/${user.id}/sessions`, headers: own })).json<{ data: [] }>().data,
    ).toHaveLength(1);
    clock.advance(30 * 60_000);
    expect(await statusOf(app, `/api/${user.id}/populate-drafts`, acting)).toBe(401);
  });

  test("leads back until the administrator's own session would have ended, and is over when they are no administrator any more", async ({
    app,
    db,
    signInAs,
  }) => {
    const [user, admin] = [await buildUser(db), await buildAdmin(db)];
    const first = await post(app, `/api/${admin.id}/act-for`, await signInAs(admin), look(user.id));
    const back = await post(app, `/api/${user.id}/switch-to-admin`, { authorization: `Bearer ${first.token}` });
    expect(back.status).toBe(201);
    const asAdmin = { authorization: `Bearer ${back.token}` };
    expect(await statusOf(app, "/api/view-all-users", asAdmin)).toBe(200);
    const ends = await db.query<{ count: number }>(
      "select count(distinct expires_at)::integer as count from session where kind = 'admin'",
    );
    expect(ends.rows).toEqual([{ count: 1 }]);
    const second = await post(app, `/api/${admin.id}/act-for`, asAdmin, look(user.id));
    const acting = { authorization: `Bearer ${second.token}` };
    expect(await statusOf(app, `/api/${user.id}/populate-drafts`, acting)).toBe(200);
    await db.query("update admin set blocked_at = now() where admin_id = $1", [admin.id]);
    expect(await statusOf(app, `/api/${user.id}/populate-drafts`, acting)).toBe(401);
    expect((await post(app, `/api/${user.id}/switch-to-admin`, acting)).code).toBe("AUTH_REQUIRED");
  });
});
