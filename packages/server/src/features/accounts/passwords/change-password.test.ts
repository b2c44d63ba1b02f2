import { describe } from "vitest";
import { expect, linkToken, overlap, test as base, type SentMail } from "../../../testing/app.ts";
import { buildAdmin, buildUser, FACTORY_PASSWORD } from "../../../testing/factories.ts";
import { createApiKey, findApiKeyOwner } from "../api-keys/api-keys.ts";
import { requestReset } from "./change-password.ts";
import { customers } from "./password-owner.ts";

const NEW_PASSWORD = "eight calm rivers";

type Answer = { status: number; body: { message: string; code?: string; fields?: Record<string, string> } };

const test = base.extend<{
  askReset: (email: string, remoteAddress?: string) => Promise<Answer>;
  change: (id: string, body: Record<string, unknown>, headers?: Record<string, string>) => Promise<Answer>;
  signInStatus: (email: string, password: string) => Promise<number>;
}>({
  askReset: async ({ app }, use) => {
    await use(async (email, remoteAddress = "192.0.2.1") => {
      const answer = await app.inject({
        method: "PATCH",
        url: "/api/reset-user-password",
        payload: { email },
        remoteAddress,
      });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  change: async ({ app }, use) => {
    await use(async (id, payload, headers = {}) => {
      const answer = await app.inject({ method: "PATCH", url: `/api/${id}/change-user-password`, payload, headers });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  signInStatus: async ({ app }, use) => {
    await use(
      async (email, password) =>
        (await app.inject({ method: "POST", url: "/api/sign-in-user", payload: { email, password } })).statusCode,
    );
  },
});

const limited = test.extend({ environment: { RATE_LIMITS: "on" } });

function resetToken(mail: SentMail | undefined): string {
  return linkToken(mail, "reset-user-password") ?? "missing";
}

describe("asking for a reset", () => {
  test("an unknown address is 404 and gets no mail", async ({ askReset, mailsTo }) => {
    expect(await askReset("nobody@gmail.com")).toMatchObject({ status: 404, body: { code: "EMAIL_UNKNOWN" } });
    expect(await mailsTo("nobody@gmail.com")).toEqual([]);
  });

  test("a wrong body is 400", async ({ app }) => {
    const answer = await app.inject({ method: "PATCH", url: "/api/reset-user-password", payload: { email: "ada" } });
    expect(answer.json()).toMatchObject({ code: "VALIDATION", fields: { email: expect.any(String) as string } });
  });

  test("a known address is 401 VISIT_MAIL, and the mail is written", async ({ db, askReset, mailsTo }) => {
    const user = await buildUser(db);
    expect(await askReset(user.email.toUpperCase())).toMatchObject({ status: 401, body: { code: "VISIT_MAIL" } });
    const mails = await mailsTo(user.email);
    expect(mails).toHaveLength(1);
    expect(resetToken(mails[0])).toHaveLength(43);
  });

  limited(
    "three mails an hour from one address to one mailbox, then 429; its owner elsewhere still gets one",
    async ({ db, askReset, mailsTo }) => {
      const user = await buildUser(db);
      for (let request = 0; request < 3; request += 1)
        expect((await askReset(user.email, "192.0.2.1")).status).toBe(401);
      for (let request = 0; request < 20; request += 1) {
        expect(await askReset(user.email, "192.0.2.1")).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
      }
      expect((await askReset(user.email, "192.0.2.2")).status).toBe(401);
      expect(await mailsTo(user.email)).toHaveLength(4);
    },
  );

  limited("twelve mails an hour to one mailbox from everywhere", async ({ db, askReset, mailsTo }) => {
    const user = await buildUser(db);
    for (let request = 0; request < 12; request += 1)
      expect((await askReset(user.email, `192.0.2.${request}`)).status).toBe(401);
    expect((await askReset(user.email, "192.0.2.99")).status).toBe(429);
    expect(await mailsTo(user.email)).toHaveLength(12);
  });

  limited(
    "ten unknown addresses, then the asker is told nothing about known ones either",
    async ({ db, askReset, mailsTo }) => {
      const user = await buildUser(db);
      for (let guess = 0; guess < 10; guess += 1) expect((await askReset(`nobody${guess}@gmail.com`)).status).toBe(404);
      expect((await askReset("nobody@gmail.com")).status).toBe(429);
      expect((await askReset(user.email)).status).toBe(429);
      expect(await mailsTo(user.email)).toEqual([]);
    },
  );
});

describe("a new password by a mailed link", () => {
  test("is refused with a link that never was, another purpose's, an old, or a replaced one", async ({
    db,
    clock,
    askReset,
    change,
    mailsTo,
  }) => {
    const user = await buildUser(db);
    const invalid = { status: 400, body: { code: "LINK_INVALID" } };
    expect(await change("a".repeat(43), { password: NEW_PASSWORD })).toMatchObject(invalid);

    await askReset(user.email);
    clock.advance(30 * 60_000);
    expect(await change(resetToken((await mailsTo(user.email))[0]), { password: NEW_PASSWORD })).toMatchObject(invalid);

    await askReset(user.email);
    await askReset(user.email);
    const [, second, third] = await mailsTo(user.email);
    expect(await change(resetToken(second), { password: NEW_PASSWORD })).toMatchObject(invalid);
    expect((await change(resetToken(third), { password: NEW_PASSWORD })).status).toBe(200);
  });

  test("is refused when short or common, and the link stays alive", async ({ db, askReset, change, mailsTo }) => {
    const user = await buildUser(db);
    await askReset(user.email);
    const token = resetToken((await mailsTo(user.email))[0]);
    for (const password of ["short", "123456", 1234567, undefined]) {
      expect(await change(token, { password })).toMatchObject({
        status: 400,
        body: { code: "VALIDATION", fields: { password: expect.any(String) as string } },
      });
    }
    expect((await change(token, { password: NEW_PASSWORD })).status).toBe(200);
  });

  test("replaces the old one, ends every session, kills the link and is told by mail", async ({
    app,
    db,
    askReset,
    change,
    mailsTo,
    signInAs,
    signInStatus,
  }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    await askReset(user.email);
    const token = resetToken((await mailsTo(user.email))[0]);
    expect((await change(token, { password: NEW_PASSWORD })).status).toBe(200);

    expect((await app.inject({ method: "GET", url: `/api/${user.userId}/view-one-user`, headers })).statusCode).toBe(
      401,
    );
    expect(await signInStatus(user.email, FACTORY_PASSWORD)).toBe(400);
    expect(await signInStatus(user.email, NEW_PASSWORD)).toBe(201);
    expect(await change(token, { password: "another one" })).toMatchObject({ body: { code: "LINK_INVALID" } });
    expect((await mailsTo(user.email))[1]?.subject).toContain("password was changed");
  });

  test.for([[false], [true]])(
    "ends the API keys of the customer when that is asked for: %s",
    async ([endApiKeys], { db, deps, askReset, change, mailsTo }) => {
      const [user, other] = [await buildUser(db), await buildUser(db)];
      const { key } = await createApiKey(deps, user.userId, { name: "Shop" });
      const theirs = await createApiKey(deps, other.userId, { name: "Theirs" });
      await askReset(user.email);
      const token = resetToken((await mailsTo(user.email)).at(-1));
      expect((await change(token, { password: NEW_PASSWORD, endApiKeys })).status).toBe(200);
      expect((await findApiKeyOwner(deps, { key, clientAddress: "192.0.2.1" })) === undefined).toBe(endApiKeys);
      expect(await findApiKeyOwner(deps, { key: theirs.key, clientAddress: "192.0.2.1" })).toBeDefined();
      expect((await mailsTo(user.email)).at(-1)?.text).toContain(
        endApiKeys ? "Your API key was revoked." : "Your API key still works.",
      );
    },
  );

  test("used 20 times at once works once", async ({ db, askReset, change, mailsTo, signInStatus }) => {
    const user = await buildUser(db);
    await askReset(user.email);
    const token = resetToken((await mailsTo(user.email))[0]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => change(token, { password: `calm river ${index}` })),
    );
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === "LINK_INVALID")).toHaveLength(19);
    expect(await signInStatus(user.email, `calm river ${winner}`)).toBe(201);
  });

  test("two requests at once leave one living link", async ({ db, deps }) => {
    const user = await buildUser(db);
    const ask = (): Promise<void> => requestReset(deps, [customers], user.email, "192.0.2.1");
    const [first, second] = await overlap(
      db,
      async (tx) => {
        await tx.query("select from app_user where user_id = $1 for no key update", [user.userId]);
        await tx.query(
          "insert into one_time_token values (sha256('x'), 'reset-password', $1, now(), now() + interval '1 hour', null)",
          [user.userId],
        );
      },
      ask,
    );
    expect([first.status, second.status]).toEqual(["fulfilled", "fulfilled"]);
    expect((await db.query("select from one_time_token")).rowCount).toBe(1);
  });
});

describe("a new password by who is signed in", () => {
  const body = { password: NEW_PASSWORD, currentPassword: FACTORY_PASSWORD };

  test("needs a session of one's own", async ({ db, change, signInAs }) => {
    const [user, other, admin] = [await buildUser(db), await buildUser(db), await buildAdmin(db)];
    expect(await change(user.userId, body)).toMatchObject({ status: 401, body: { code: "AUTH_REQUIRED" } });
    expect(await change(user.userId, body, await signInAs(other))).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN" },
    });
    expect(await change(user.userId, body, await signInAs(admin))).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN" },
    });
    expect(await change(admin.adminId, body, await signInAs(other))).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN" },
    });
  });

  test("needs the present password", async ({ db, change, signInAs, signInStatus }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    expect(await change(user.userId, { password: NEW_PASSWORD }, headers)).toMatchObject({
      body: { code: "VALIDATION", fields: { currentPassword: "is required" } },
    });
    expect(await change(user.userId, { ...body, currentPassword: "wrong one" }, headers)).toMatchObject({
      status: 400,
      body: { code: "PASSWORD_WRONG" },
    });
    expect(await change(user.userId, { ...body, password: "qwerty123" }, headers)).toMatchObject({
      body: { code: "VALIDATION" },
    });
    expect(await signInStatus(user.email, FACTORY_PASSWORD)).toBe(201);
  });

  limited("guesses at the present password are counted like those of a sign-in", async ({ db, change, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const guess = (): Promise<Answer> => change(user.userId, { ...body, currentPassword: "wrong one" }, headers);
    for (let tries = 0; tries < 10; tries += 1) expect((await guess()).status).toBe(400);
    expect((await guess()).status).toBe(429);
  });

  test("keeps this session, ends the others and kills links that were mailed before", async ({
    app,
    db,
    askReset,
    change,
    mailsTo,
    signInAs,
    signInStatus,
  }) => {
    const user = await buildUser(db);
    const [mine, other] = [await signInAs(user), await signInAs(user)];
    await askReset(user.email);
    expect((await change(user.userId, body, mine)).status).toBe(200);
    const url = `/api/${user.userId}/view-one-user`;
    expect((await app.inject({ method: "GET", url, headers: mine })).statusCode).toBe(200);
    expect((await app.inject({ method: "GET", url, headers: other })).statusCode).toBe(401);
    expect(await signInStatus(user.email, NEW_PASSWORD)).toBe(201);
    expect(await change(resetToken((await mailsTo(user.email))[0]), { password: "another one" })).toMatchObject({
      body: { code: "LINK_INVALID" },
    });
  });

  test("is an administrator's own as well, and on record", async ({ app, db, change, signInAs }) => {
    const admin = await buildAdmin(db);
    const headers = await signInAs(admin);
    expect(await change(admin.adminId, { ...body, currentPassword: "wrong one" }, headers)).toMatchObject({
      status: 400,
      body: { code: "PASSWORD_WRONG" },
    });
    expect(await change(admin.adminId, body, headers)).toMatchObject({
      status: 200,
      body: { data: { role: "admin" } },
    });
    const signIn = (password: string) =>
      app.inject({ method: "POST", url: "/api/sign-in-admin", payload: { email: admin.email, password } });
    expect([(await signIn(FACTORY_PASSWORD)).statusCode, (await signIn(NEW_PASSWORD)).statusCode]).toEqual([400, 201]);
    expect((await db.query("select admin_id, action from audit_entry")).rows).toEqual([
      { admin_id: admin.adminId, action: "change-user-password" },
    ]);
  });
});

// A stolen password of one side may have opened the other.
test("a new password of either side ends the sessions of both, but for the one that asked", async ({
  app,
  db,
  askReset,
  change,
  mailsTo,
  signInAs,
}) => {
  const email = "both@ewebal.com";
  const [user, admin] = [await buildUser(db, { email }), await buildAdmin(db, { email })];
  const statuses = async (asUser: Record<string, string>, asAdmin: Record<string, string>) => [
    (await app.inject({ url: `/api/${user.userId}/view-one-user`, headers: asUser })).statusCode,
    (await app.inject({ url: `/api/${admin.adminId}/view-one-admin`, headers: asAdmin })).statusCode,
  ];
  let [asUser, asAdmin] = [await signInAs(user), await signInAs(admin)];
  expect(await statuses(asUser, asAdmin)).toEqual([200, 200]);
  await askReset(email);
  const [forAdmin, forUser] = (await mailsTo(email)).map(resetToken);
  expect((await change(forUser ?? "", { password: NEW_PASSWORD })).status).toBe(200);
  expect(await statuses(asUser, asAdmin)).toEqual([401, 401]);

  [asUser, asAdmin] = [await signInAs(user), await signInAs(admin)];
  expect((await change(forAdmin ?? "", { password: NEW_PASSWORD })).status).toBe(200);
  expect(await statuses(asUser, asAdmin)).toEqual([401, 401]);

  [asUser, asAdmin] = [await signInAs(user), await signInAs(admin)];
  expect(
    (await change(admin.adminId, { password: "another one", currentPassword: NEW_PASSWORD }, asAdmin)).status,
  ).toBe(200);
  expect(await statuses(asUser, asAdmin)).toEqual([401, 200]);
});
