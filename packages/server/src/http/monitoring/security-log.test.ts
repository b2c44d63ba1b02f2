import { describe } from "vitest";
import { expect, test as base } from "../../testing/app.ts";
import { buildAdmin, buildUser, FACTORY_PASSWORD } from "../../testing/factories.ts";

type Call = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  url: string;
  payload?: object;
  headers?: Record<string, string>;
};

const ADDRESS = "192.0.2.44";

const test = base.extend<{
  /** Makes a call. @returns the lines of the security log that it left. */
  linesOf: (call: Call) => Promise<Record<string, unknown>[]>;
}>({
  linesOf: async ({ app, deps }, use) => {
    await use(async (call) => {
      const before = deps.logLines.length;
      await app.inject({ remoteAddress: ADDRESS, ...call });
      return deps.logLines.slice(before).filter((line) => "security" in line);
    });
  },
});

const limited = test.extend({ environment: { RATE_LIMITS: "on" } });

const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;

describe("a line is left by", () => {
  test("a sign-in of either kind, with whose, from where and in which request", async ({ db, linesOf }) => {
    const [user, admin] = [await buildUser(db), await buildAdmin(db)];
    for (const { kind, id, email } of [user, admin]) {
      const lines = await linesOf({
        method: "POST",
        url: `/api/sign-in-${kind}`,
        payload: { email, password: FACTORY_PASSWORD },
      });
      expect(lines).toMatchObject([{ security: "signed-in", account: id, kind, address: ADDRESS, requestId }]);
    }
  });

  test("a sign-in that is refused", async ({ db, linesOf }) => {
    const admin = await buildAdmin(db);
    const wrong = await linesOf({
      method: "POST",
      url: "/api/sign-in-admin",
      payload: { email: admin.email, password: "not the password" },
    });
    const about = { address: ADDRESS, requestId, call: "POST /api/sign-in-admin" };
    expect(wrong).toMatchObject([
      { security: "sign-in-refused", code: "PASSWORD_WRONG", account: admin.id, kind: "admin", ...about },
    ]);
    const unknown = await linesOf({
      method: "POST",
      url: "/api/sign-in-admin",
      payload: { email: "x@ewebal.com", password: "not the password" },
    });
    expect(unknown).toMatchObject([{ security: "sign-in-refused", code: "EMAIL_UNKNOWN", ...about }]);
  });

  test("a customer's try at an administrator's call, and at another customer's", async ({ db, signInAs, linesOf }) => {
    const [user, other] = [await buildUser(db), await buildUser(db)];
    const headers = await signInAs(user);
    for (const [method, path, pattern] of [
      ["GET", "/api/view-all-users", "/api/view-all-users"],
      ["PATCH", `/api/${user.id}/credit-a-user`, "/api/:adminId/credit-a-user"],
      ["GET", `/api/${other.id}/view-one-user`, "/api/:userId/view-one-user"],
    ] as const) {
      const lines = await linesOf({ method, url: path, headers });
      expect(lines).toMatchObject([
        { security: "refused-by-role", account: user.id, kind: "user", requestId, call: `${method} ${pattern}` },
      ]);
    }
  });

  test("a wrong present password", async ({ db, signInAs, linesOf }) => {
    const user = await buildUser(db);
    const payload = { currentPassword: "not the password", password: "seven brave goats" };
    const lines = await linesOf({
      method: "PATCH",
      url: `/api/${user.id}/change-user-password`,
      payload,
      headers: await signInAs(user),
    });
    expect(lines).toMatchObject([{ security: "wrong-password", account: user.id }]);
  });

  test("a wrong code of a registration, and a link that is none", async ({ db, app, linesOf }) => {
    const registration = {
      adminName: "Bola",
      adminFullName: "Bola Ade",
      email: "bola@ewebal.com",
      contact: "08031234567",
      password: "seven brave goats",
    };
    await app.inject({ method: "POST", url: "/api/create-admin", payload: registration });
    const { rows } = await db.query<{ admin_id: string; text_body: string }>(
      "select admin_id, text_body from admin, mail",
    );
    const code = rows[0]?.text_body.match(/^\d{4}$/m)?.[0];
    const token = rows[0]?.text_body.match(/([\w-]{43})\/verify-otp$/m)?.[1];
    const lines = await linesOf({
      method: "POST",
      url: `/api/${token}/verify-otp`,
      payload: { otp: code === "0000" ? "0001" : "0000" },
    });
    expect(lines).toMatchObject([{ security: "wrong-code", account: rows[0]?.admin_id, kind: "admin" }]);
    const [link] = await linesOf({ method: "GET", url: `/api/${"x".repeat(43)}/verify-user` });
    expect(link).toMatchObject({ security: "wrong-link", call: "GET /api/:token/verify-user" });
  });

  test("a forged signature, a foreign page, and a key that is none", async ({ db, linesOf, signInAs }) => {
    const json = { "content-type": "application/json" };
    const forged = await linesOf({
      method: "POST",
      url: "/api/paystack-webhook",
      payload: {},
      headers: { ...json, "x-paystack-signature": "ab".repeat(64) },
    });
    expect(forged).toMatchObject([{ security: "forged-signature", address: ADDRESS }]);
    const { authorization } = await signInAs(await buildUser(db));
    const cookie = `ewebal_session=${authorization.slice("Bearer ".length)}`;
    const foreign = await linesOf({
      method: "POST",
      url: "/api/sign-in-user",
      payload: {},
      headers: { cookie, origin: "https://evil.example" },
    });
    expect(foreign).toMatchObject([{ security: "refused-by-origin" }]);
    const key = await linesOf({
      method: "POST",
      url: "/api/v1/messages",
      payload: {},
      headers: { authorization: "Bearer ek_none" },
    });
    expect(key).toMatchObject([{ security: "credentials-refused" }]);
  });

  limited("throttling", async ({ linesOf }) => {
    const payload = { email: "nobody@gmail.com", password: "not the password" };
    for (let tries = 0; tries < 10; tries += 1) await linesOf({ method: "POST", url: "/api/sign-in-user", payload });
    expect(await linesOf({ method: "POST", url: "/api/sign-in-user", payload })).toMatchObject([
      { security: "throttled", code: "RATE_LIMITED", address: ADDRESS },
    ]);
  });
});

test("what was typed, mailed, asked for or written is in no line", async ({ db, deps, app, linesOf, signInAs }) => {
  const user = await buildUser(db, { email: "someone.private@gmail.com" });
  const secrets = [
    "someone.private",
    "hunter2secret",
    "A text of ours",
    "2348031234567",
    (await signInAs(user)).authorization.slice(7),
  ];
  await linesOf({
    method: "POST",
    url: "/api/sign-in-user",
    payload: { email: user.email, password: "hunter2secret" },
  });
  await linesOf({
    method: "GET",
    url: `/api/send-bulk-sms/${user.email}/hunter2secret/A%20text%20of%20ours/Acme/2348031234567/234`,
  });
  await linesOf({
    method: "GET",
    url: "/api/view-all-users?search=2348031234567",
    headers: { authorization: `Bearer ${secrets[4]}` },
  });
  await app.inject({
    method: "POST",
    url: "/api/v1/messages",
    headers: { authorization: "Bearer hunter2secret" },
    payload: { message: "A text of ours" },
  });
  const written = JSON.stringify(deps.logLines);
  expect(deps.logLines.filter((line) => "security" in line).length).toBeGreaterThan(3);
  expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
});

test("a visitor without a token leaves nothing, and a flood from one source twenty lines", async ({ linesOf }) => {
  expect(await linesOf({ method: "GET", url: "/api/view-all-users" })).toEqual([]);
  const written: object[] = [];
  for (let times = 0; times < 30; times += 1) {
    written.push(
      ...(await linesOf({
        method: "GET",
        url: "/api/view-all-users",
        headers: { authorization: "Bearer none", "x-flood": "1" },
      })),
    );
  }
  expect(written).toHaveLength(20);
});
