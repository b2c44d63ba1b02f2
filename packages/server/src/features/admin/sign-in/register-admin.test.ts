import { describe } from "vitest";
import { expect, linkToken, test as base, type SentMail } from "../../../testing/app.ts";
import { buildAdmin, buildUser, FACTORY_PASSWORD } from "../../../testing/factories.ts";

const EMAIL = "bola@ewebal.com";
const registration = {
  adminName: "Bola",
  adminFullName: "Bola Ade",
  email: EMAIL,
  contact: "08031234567",
  password: "seven brave goats",
};
const MINUTE_MS = 60_000;

type Answer = {
  status: number;
  body: { message: string; code?: string; triesLeft?: number; fields?: Record<string, string>; data?: unknown };
};

const test = base.extend<{
  register: (change?: Record<string, unknown>) => Promise<Answer>;
  /** The token and the code of a registration that begins now. */
  begin: () => Promise<{ token: string; code: string }>;
  tryOtp: (token: string, otp: unknown) => Promise<Answer>;
  verify: (token: string | undefined, method?: "GET" | "HEAD") => Promise<number>;
  signInStatus: (password?: string) => Promise<string>;
}>({
  register: async ({ app }, use) => {
    await use(async (change) => {
      const answer = await app.inject({
        method: "POST",
        url: "/api/create-admin",
        payload: { ...registration, ...change },
      });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  begin: async ({ register, mailsTo }, use) => {
    await use(async () => {
      await register();
      const mail = (await mailsTo(EMAIL)).at(-1);
      return { token: linkToken(mail, "verify-otp") ?? "", code: codeIn(mail) };
    });
  },
  tryOtp: async ({ app }, use) => {
    await use(async (token, otp) => {
      const answer = await app.inject({ method: "POST", url: `/api/${token}/verify-otp`, payload: { otp } });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  verify: async ({ app }, use) => {
    await use(
      async (token, method = "GET") =>
        (await app.inject({ method, url: `/api/${token ?? "missing"}/verify-admin` })).statusCode,
    );
  },
  signInStatus: async ({ app }, use) => {
    await use(async (password = registration.password) => {
      const answer = await app.inject({
        method: "POST",
        url: "/api/sign-in-admin",
        payload: { email: EMAIL, password },
      });
      return `${answer.statusCode} ${answer.json<{ code?: string }>().code ?? "OK"}`;
    });
  },
});

const limited = test.extend({ environment: { RATE_LIMITS: "on" } });

/** The code stands alone on its line of the text. */
function codeIn(mail: SentMail | undefined): string {
  return /^\d{4}$/m.exec(mail?.text ?? "")?.[0] ?? "none";
}

function wrongCodes(code: string): string[] {
  return Array.from({ length: 20 }, (_, index) => String(index).padStart(4, "0")).filter((guess) => guess !== code);
}

describe("registering as an administrator is refused", () => {
  test("to mailboxes of other companies, however close their names", async ({ db, register }) => {
    const addresses = [
      "a@gmail.com",
      "a@evilewebal.com",
      "a@ewebal.com.ng",
      "a@ewebal.co",
      "ewebal.com@gmail.com",
      "a@-ewebal.com",
    ];
    for (const email of addresses) {
      const { status, body } = await register({ email });
      expect([status, body.code], email).toEqual(
        email.includes("@-") ? [400, "VALIDATION"] : [403, "HOST_NOT_ALLOWED"],
      );
    }
    expect((await db.query("select from admin")).rowCount).toBe(0);
  });

  test("with every wrong field named at once, and with a common password", async ({ register }) => {
    const wrong = { adminName: " ", adminFullName: 1, email: "x", contact: "abc", password: "short" };
    expect(Object.keys((await register(wrong)).body.fields ?? {}).toSorted()).toEqual(Object.keys(wrong).toSorted());
    expect(await register({ password: "admin123" })).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
  });

  test("for an administrator's address, and while an earlier registration can still be finished", async ({
    db,
    register,
    mailsTo,
  }) => {
    await buildAdmin(db, { email: "boss@ewebal.com" });
    expect(await register({ email: "Boss@Ewebal.com" })).toMatchObject({ status: 409, body: { code: "EMAIL_TAKEN" } });
    await register();
    expect(await register()).toMatchObject({ status: 409, body: { code: "EMAIL_TAKEN" } });
    expect(await mailsTo(EMAIL)).toHaveLength(1);
  });

  limited("when a mailbox got three codes within the hour", async ({ clock, register, mailsTo }) => {
    for (let round = 0; round < 3; round += 1) {
      expect((await register()).status).toBe(201);
      clock.advance(11 * MINUTE_MS);
    }
    expect(await register()).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    expect(await mailsTo(EMAIL)).toHaveLength(3);
  });
});

test("20 registrations of one mailbox at once: one 201, one administrator, one mail", async ({
  db,
  register,
  mailsTo,
}) => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => register()));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === "EMAIL_TAKEN")).toHaveLength(19);
  expect((await db.query("select from admin")).rowCount).toBe(1);
  expect(await mailsTo(EMAIL)).toHaveLength(1);
});

test("the answer holds no secret: without the mailbox there is nothing to try codes on", async ({ register }) => {
  expect(await register()).toEqual({
    status: 201,
    body: { message: "Registration successful. Please check your mail for the code" },
  });
});

test("a subdomain is not the company's", async ({ register }) => {
  expect(await register({ email: "ada@mail.ewebal.com" })).toMatchObject({
    status: 403,
    body: { code: "HOST_NOT_ALLOWED" },
  });
});

const withSubdomains = test.extend({ environment: { ADMIN_EMAIL_SUBDOMAINS: "on" } });

withSubdomains(
  "but where the setting says so, and a customer of the same address is no hindrance",
  async ({ db, register }) => {
    await buildUser(db, { email: "ada@mail.ewebal.com" });
    expect((await register({ email: "ada@mail.ewebal.com" })).status).toBe(201);
  },
);

test("from registration to sign-in: code, link, and not before", async ({
  db,
  begin,
  tryOtp,
  verify,
  signInStatus,
  mailsTo,
}) => {
  const { token, code } = await begin();
  const [otpMail] = await mailsTo(EMAIL);
  expect(otpMail?.text.split("\n")).toContain(code);
  expect(token).toHaveLength(43);
  const { rows } = await db.query<{ text: string }>(
    "select admin_otp::text || one_time_token::text as text from admin_otp, one_time_token",
  );
  expect(rows[0]?.text).not.toContain(token);
  expect(await signInStatus()).toBe("401 NOT_VERIFIED");
  expect(await signInStatus("wrong one")).toBe("400 PASSWORD_WRONG");

  expect((await tryOtp(token, code)).status).toBe(200);
  expect(await signInStatus()).toBe("401 NOT_VERIFIED");
  const verifyMail = (await mailsTo(EMAIL))[1];
  // Whose mailbox it is can tell that somebody else registered it.
  for (const mail of [otpMail, verifyMail])
    expect(mail?.text).toMatch(/Bola Ade[^]*\(Lagos time\)[^]*If it was somebody else/);
  const verifyToken = linkToken(verifyMail, "verify-admin");
  expect(await verify(verifyToken, "HEAD")).toBe(404);
  expect(await verify(verifyToken)).toBe(200);
  expect(await verify(verifyToken)).toBe(400);
  expect(await signInStatus()).toBe("201 OK");
});

describe("the code", () => {
  test("must be four digits", async ({ begin, tryOtp }) => {
    const { token } = await begin();
    for (const otp of [undefined, "", "123", "12345", "12a4", 1234, ["1234"], "１２３４", "1234\n"]) {
      expect(await tryOtp(token, otp), String(otp)).toMatchObject({
        status: 400,
        body: { code: "VALIDATION", fields: { otp: expect.any(String) as string } },
      });
    }
  });

  test("is refused with a link that never was or of another purpose", async ({ app, db, tryOtp, mailsTo }) => {
    const user = await buildUser(db, { isVerified: false });
    await app.inject({ method: "POST", url: "/api/resend-verification", payload: { email: user.email } });
    const userToken = linkToken((await mailsTo(user.email))[0], "verify-user");
    for (const token of ["a".repeat(43), userToken ?? ""])
      expect(await tryOtp(token, "1234")).toMatchObject({ body: { code: "LINK_INVALID" } });
  });

  test("dies after five wrong tries, also to the right one", async ({ begin, tryOtp, mailsTo }) => {
    const { token, code } = await begin();
    for (const [index, guess] of wrongCodes(code).slice(0, 5).entries()) {
      expect(await tryOtp(token, guess)).toMatchObject({
        status: 400,
        body: { code: "OTP_WRONG", triesLeft: 4 - index },
      });
    }
    expect(await tryOtp(token, code)).toMatchObject({ status: 400, body: { code: "OTP_INVALID" } });
    expect(await mailsTo(EMAIL)).toHaveLength(1);
  });

  test("guessed at 30 times at once counts five", async ({ db, begin, tryOtp }) => {
    const { token, code } = await begin();
    const guesses = [...wrongCodes(code), ...wrongCodes(code)].slice(0, 30);
    const answers = await Promise.all(guesses.map((guess) => tryOtp(token, guess)));
    expect(answers.filter(({ body }) => body.code === "OTP_WRONG")).toHaveLength(5);
    expect(answers.filter(({ body }) => body.code === "OTP_INVALID")).toHaveLength(25);
    expect((await db.query("select wrong_tries from admin_otp")).rows).toEqual([{ wrong_tries: 5 }]);
  });

  test("lives 10 minutes and works once", async ({ clock, begin, tryOtp }) => {
    const first = await begin();
    clock.advance(10 * MINUTE_MS);
    expect(await tryOtp(first.token, first.code)).toMatchObject({ body: { code: "OTP_INVALID" } });
    const second = await begin();
    expect(await tryOtp(first.token, second.code)).toMatchObject({ body: { code: "LINK_INVALID" } });
    clock.advance(10 * MINUTE_MS - 1);
    expect((await tryOtp(second.token, second.code)).status).toBe(200);
    expect(await tryOtp(second.token, second.code)).toMatchObject({ body: { code: "OTP_INVALID" } });
  });

  test("takes ten wrong tries in all of a registration; a day later it begins anew", async ({
    clock,
    begin,
    register,
    tryOtp,
  }) => {
    for (let round = 0; round < 2; round += 1) {
      const { token, code } = await begin();
      for (const guess of wrongCodes(code).slice(0, 5)) await tryOtp(token, guess);
    }
    expect(await register()).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    clock.advance(24 * 60 * MINUTE_MS);
    const { token, code } = await begin();
    expect((await tryOtp(token, code)).status).toBe(200);
  });
});

test("a registration that died is replaced by the next: its password and links open nothing", async ({
  clock,
  register,
  begin,
  tryOtp,
  verify,
  signInStatus,
  mailsTo,
}) => {
  await register({ password: "the first password" });
  clock.advance(11 * MINUTE_MS);
  const { token, code } = await begin();
  await tryOtp(token, code);
  // The link is alive now, so nobody can take the registration over.
  expect(await register({ password: "a stranger's password" })).toMatchObject({ status: 409 });
  await verify(linkToken((await mailsTo(EMAIL)).at(-1), "verify-admin"));
  expect(await signInStatus("the first password")).toBe("400 PASSWORD_WRONG");
  expect(await signInStatus()).toBe("201 OK");
});

describe("signing in as an administrator", () => {
  test("is 404 for unknown addresses, customers' ones included, and 400 by field for wrong bodies", async ({
    app,
    db,
  }) => {
    const user = await buildUser(db);
    const signIn = async (payload: object): Promise<{ code: string }> =>
      (await app.inject({ method: "POST", url: "/api/sign-in-admin", payload })).json();
    expect(await signIn({ email: "nobody@ewebal.com", password: "x" })).toMatchObject({ code: "EMAIL_UNKNOWN" });
    expect(await signIn({ email: user.email, password: FACTORY_PASSWORD })).toMatchObject({ code: "EMAIL_UNKNOWN" });
    expect(await signIn({ email: 1 })).toMatchObject({
      code: "VALIDATION",
      fields: { email: expect.any(String) as string, password: expect.any(String) as string },
    });
  });

  test("gives a session that is no customer's, and the reverse", async ({ app, db, signInAs }) => {
    const [admin, user] = [await buildAdmin(db), await buildUser(db)];
    const answer = await app.inject({
      method: "POST",
      url: "/api/sign-in-admin",
      payload: { email: admin.email, password: FACTORY_PASSWORD },
    });
    const headers = { authorization: `Bearer ${answer.json<{ data: string }>().data}` };
    expect(answer.headers["set-cookie"]).toContain("HttpOnly");

    const view = await app.inject({ method: "GET", url: `/api/${admin.adminId}/view-one-admin`, headers });
    expect(view.json()).toMatchObject({
      data: { _id: admin.adminId, adminName: "Admin", email: admin.email, role: "admin" },
    });
    expect(view.body).not.toMatch(/argon2|password/i);
    const forCustomers = await app.inject({
      method: "PATCH",
      url: `/api/${admin.adminId}/update-personal-info`,
      headers,
      payload: { userName: "a", fullName: "a", phoneNo: "8031234567" },
    });
    expect(forCustomers.json()).toMatchObject({ code: "FORBIDDEN" });
    const forAdmins = await app.inject({
      method: "GET",
      url: `/api/${user.userId}/view-one-admin`,
      headers: await signInAs(user),
    });
    expect(forAdmins.json()).toMatchObject({ code: "FORBIDDEN" });
  });

  test("shows nobody another administrator's record", async ({ app, db, signInAs }) => {
    const [one, other] = [await buildAdmin(db), await buildAdmin(db)];
    const url = `/api/${other.adminId}/view-one-admin`;
    expect((await app.inject({ method: "GET", url })).json()).toMatchObject({ code: "AUTH_REQUIRED" });
    expect((await app.inject({ method: "GET", url, headers: await signInAs(one) })).json()).toMatchObject({
      code: "FORBIDDEN",
    });
  });
});

test("a customer with the same proved mailbox shows the role admin; nobody else does", async ({
  app,
  db,
  signInAs,
}) => {
  const admin = await buildAdmin(db);
  await buildAdmin(db, { email: "waiting@ewebal.com", isVerified: false });
  const facts = [{ email: admin.email }, { email: "waiting@ewebal.com" }, {}];
  const roles = [];
  for (const fact of facts) {
    const user = await buildUser(db, fact);
    const answer = await app.inject({
      method: "GET",
      url: `/api/${user.userId}/view-one-user`,
      headers: await signInAs(user),
    });
    roles.push(answer.json<{ data: { role: string } }>().data.role);
  }
  expect(roles).toEqual(["admin", "user", "user"]);
});
