import { describe } from "vitest";
import { expect, linkToken, overlap, test as base } from "../../../testing/app.ts";
import { buildUser } from "../../../testing/factories.ts";
import { registerUser } from "./register-user.ts";

const registration = {
  userName: "Ada",
  fullName: "Ada Obi",
  email: "ada@gmail.com",
  password: "seven brave goats",
  phoneNo: "08031234567",
};

type Answer = {
  status: number;
  body: { message: string; code?: string; fields?: Record<string, string>; data?: { _id: string } };
};

const test = base.extend<{
  register: (change?: Record<string, unknown>) => Promise<Answer>;
  verify: (token: string | undefined, method?: "GET" | "HEAD") => Promise<Answer>;
  resend: (email: string) => Promise<Answer>;
}>({
  register: async ({ app }, use) => {
    await use(async (change) => {
      const answer = await app.inject({
        method: "POST",
        url: "/api/create-user",
        payload: { ...registration, ...change },
      });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  verify: async ({ app }, use) => {
    await use(async (token, method = "GET") => {
      const answer = await app.inject({ method, url: `/api/${token ?? "missing"}/verify-user` });
      return { status: answer.statusCode, body: method === "HEAD" ? { message: "" } : answer.json() };
    });
  },
  resend: async ({ app }, use) => {
    await use(async (email) => {
      const answer = await app.inject({ method: "POST", url: "/api/resend-verification", payload: { email } });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
});

const limited = test.extend({ environment: { RATE_LIMITS: "on" } });

describe("registering is refused", () => {
  const wrong: [field: string, values: unknown[]][] = [
    ["userName", [undefined, "", "   ", 7, ["Ada"], "x".repeat(101), "Ada\u0000", "Ada\nBcc: x"]],
    ["fullName", [undefined, "", null, "x".repeat(101)]],
    [
      "email",
      [
        undefined,
        "",
        "ada",
        "ada@",
        "@gmail.com",
        "ada@gmail",
        1,
        ["ada@gmail.com"],
        "a@b.com\r\nBcc: c@d.com",
        `${"a".repeat(250)}@b.com`,
      ],
    ],
    ["password", [undefined, "", "short", 123456, "x".repeat(129), { a: 1 }]],
    [
      "phoneNo",
      [
        undefined,
        "",
        "0803123456a",
        "０８０３１２３４５６７",
        "0000000",
        "123456789012345",
        8031234567,
        "+2348031234567",
      ],
    ],
  ];

  for (const [field, values] of wrong) {
    test(`with the field ${field} wrong, by its name`, async ({ db, register }) => {
      for (const value of values) {
        const { status, body } = await register({ [field]: value });
        expect([status, body.code, Object.keys(body.fields ?? {})], String(value)).toEqual([
          400,
          "VALIDATION",
          [field],
        ]);
      }
      expect((await db.query("select from app_user")).rowCount).toBe(0);
    });
  }

  test("with every wrong field named at once", async ({ app }) => {
    const answer = await app.inject({ method: "POST", url: "/api/create-user", payload: { email: "ada" } });
    expect(Object.keys(answer.json<{ fields: object }>().fields).toSorted()).toEqual([
      "email",
      "fullName",
      "password",
      "phoneNo",
      "userName",
    ]);
  });

  test("with one of the common passwords", async ({ register }) => {
    for (const password of [
      "123456",
      "password",
      "PassWord1",
      "qwerty",
      "aaaaaaaa",
      "987654321",
      "1234567890",
      "abcdefg",
    ]) {
      expect((await register({ password })).body, password).toMatchObject({
        code: "VALIDATION",
        fields: { password: expect.any(String) as string },
      });
    }
  });

  test("with an address that has an account, however it is written", async ({ db, register }) => {
    await buildUser(db, { email: "ada@gmail.com" });
    expect(await register({ email: "  ADA@Gmail.com " })).toMatchObject({ status: 409, body: { code: "EMAIL_TAKEN" } });
    expect((await db.query("select from mail")).rowCount).toBe(0);
  });

  test("without JSON, and without a stack, SQL or path in the answer", async ({ app }) => {
    const url = "/api/create-user";
    const asForm = await app.inject({
      method: "POST",
      url,
      payload: "userName=Ada",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([asForm.statusCode, asForm.json<{ code: string }>().code]).toEqual([415, "MEDIA_TYPE_REFUSED"]);
    for (const payload of ["{", "[]", "null", `"x"`, `{"__proto__":{"role":"admin"}}`]) {
      const answer = await app.inject({
        method: "POST",
        url,
        payload,
        headers: { "content-type": "application/json" },
      });
      expect([answer.statusCode, answer.json<{ code: string }>().code], payload).toEqual([400, "VALIDATION"]);
      expect(answer.body).not.toMatch(/\bat .*\.[tj]s|select |node_modules/i);
    }
  });
});

test("registering takes five fields and no others, and mails one link", async ({ db, register, mailsTo }) => {
  const extra = {
    role: "admin",
    units: 9_999,
    verified: true,
    isApproved: true,
    _id: "018f0000-0000-7000-8000-000000000000",
    blocked: true,
  };
  const { status, body } = await register({ email: " Ada@GMAIL.com", ...extra });
  expect([status, typeof body.message]).toEqual([201, "string"]);
  expect(JSON.stringify(body)).not.toContain("goats");

  const { rows } = await db.query(
    "select user_id, user_name, full_name, email, phone_no, verified_at, blocked_at, is_approved, password_hash from app_user",
  );
  expect(rows).toEqual([
    {
      user_id: body.data?._id,
      user_name: "Ada",
      full_name: "Ada Obi",
      email: "ada@gmail.com",
      phone_no: "8031234567",
      verified_at: null,
      blocked_at: null,
      is_approved: false,
      password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) as string,
    },
  ]);
  expect(extra._id).not.toBe(body.data?._id);
  const mails = await mailsTo("ada@gmail.com");
  expect(mails).toHaveLength(1);
  // Whose mailbox it is can tell that somebody else registered it.
  expect(mails[0]?.text).toMatch(/Ada Obi[^]*\(Lagos time\)[^]*If it was not you/);
  expect(mails[0]?.text).toContain(`http://localhost:8080/${linkToken(mails[0], "verify-user")}/verify-user`);
});

test("a typed prefix is not stored twice", async ({ db, register }) => {
  await register({ phoneNo: "2348031234567" });
  expect((await db.query("select phone_no from app_user")).rows).toEqual([{ phone_no: "8031234567" }]);
});

test("20 registrations of one address at once: one 201, nineteen 409, one customer, one mail", async ({
  db,
  register,
}) => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => register()));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status, body }) => status === 409 && body.code === "EMAIL_TAKEN")).toHaveLength(19);
  expect((await db.query("select from app_user")).rowCount).toBe(1);
  expect((await db.query("select from mail")).rowCount).toBe(1);
});

test("the second of two registrations waits for the first to commit, and is refused", async ({ db, deps }) => {
  const { password: _password, ...facts } = registration;
  const [, second] = await overlap(
    db,
    (tx) =>
      tx.query(
        "insert into app_user (user_id, user_name, full_name, email, phone_no, password_hash, created_at) values (gen_random_uuid(), 'a', 'a', $1, '1', 'x', now())",
        [facts.email],
      ),
    () => registerUser(deps, registration, "192.0.2.1"),
  );
  expect(second).toMatchObject({ reason: { code: "EMAIL_TAKEN" } });
});

describe("a verification link", () => {
  test("that never was, of another purpose, or too long to be one is refused", async ({ app, db, verify, mailsTo }) => {
    const user = await buildUser(db);
    await app.inject({ method: "PATCH", url: "/api/reset-user-password", payload: { email: user.email } });
    const resetToken = linkToken((await mailsTo(user.email))[0], "reset-user-password");
    expect(resetToken).toBeDefined();
    for (const token of ["x", "a".repeat(43), user.userId, resetToken]) {
      expect(await verify(token)).toMatchObject({ status: 400, body: { code: "LINK_INVALID" } });
    }
    expect(await verify("a".repeat(201))).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
  });

  test("works once within 24 hours; HEAD uses nothing up", async ({ db, clock, register, verify, mailsTo }) => {
    await register();
    const token = linkToken((await mailsTo("ada@gmail.com"))[0], "verify-user");
    expect((await verify(token, "HEAD")).status).toBe(404);
    clock.advance(24 * 3_600_000 - 1);
    expect((await verify(token)).status).toBe(200);
    expect((await db.query("select from app_user where verified_at is not null")).rowCount).toBe(1);
    expect(await verify(token)).toMatchObject({ status: 400, body: { code: "LINK_INVALID" } });
  });

  test("is over after 24 hours", async ({ db, clock, register, verify, mailsTo }) => {
    await register();
    const token = linkToken((await mailsTo("ada@gmail.com"))[0], "verify-user");
    clock.advance(24 * 3_600_000);
    expect(await verify(token)).toMatchObject({ status: 400, body: { code: "LINK_INVALID" } });
    expect((await db.query("select from app_user where verified_at is not null")).rowCount).toBe(0);
  });

  test("is stored as a hash only", async ({ db, register, mailsTo }) => {
    await register();
    const token = linkToken((await mailsTo("ada@gmail.com"))[0], "verify-user") ?? "";
    const { rows } = await db.query<{ text: string }>("select one_time_token::text as text from one_time_token");
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toContain(token);
    expect(rows[0]?.text).not.toContain(Buffer.from(token).toString("hex"));
  });

  test("never unblocks", async ({ db, register, verify, mailsTo }) => {
    await register();
    await db.query("update app_user set blocked_at = now()");
    expect((await verify(linkToken((await mailsTo("ada@gmail.com"))[0], "verify-user"))).status).toBe(200);
    expect((await db.query("select from app_user where blocked_at is not null")).rowCount).toBe(1);
  });

  test("used 20 times at once works once", async ({ register, verify, mailsTo }) => {
    await register();
    const token = linkToken((await mailsTo("ada@gmail.com"))[0], "verify-user");
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe("sending the link again", () => {
  test("answers the same for known, verified and unknown addresses, and mails only who waits", async ({
    db,
    register,
    resend,
    verify,
    mailsTo,
  }) => {
    await register();
    await buildUser(db, { email: "verified@gmail.com" });
    const answers = [
      await resend("ada@gmail.com"),
      await resend("verified@gmail.com"),
      await resend("nobody@gmail.com"),
    ];
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await mailsTo("verified@gmail.com")).toEqual([]);
    expect(await mailsTo("nobody@gmail.com")).toEqual([]);
    const mails = await mailsTo("ada@gmail.com");
    expect(mails).toHaveLength(2);
    expect((await verify(linkToken(mails[1], "verify-user"))).status).toBe(200);
  });

  limited(
    "stops after three mails an hour to one mailbox, without saying so",
    async ({ clock, register, resend, mailsTo }) => {
      await register();
      for (let request = 0; request < 5; request += 1) expect((await resend("ada@gmail.com")).status).toBe(200);
      expect(await mailsTo("ada@gmail.com")).toHaveLength(4); // The registration's own, and three.
      clock.advance(3_600_000);
      await resend("ada@gmail.com");
      expect(await mailsTo("ada@gmail.com")).toHaveLength(5);
    },
  );

  limited(
    "is refused to an address that makes us send more than 20 mails an hour",
    async ({ db, register, resend }) => {
      for (let request = 0; request < 20; request += 1)
        expect((await resend(`nobody${request}@gmail.com`)).status).toBe(200);
      expect(await resend("nobody@gmail.com")).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
      expect(await register()).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
      expect((await db.query("select from app_user")).rowCount).toBe(0);
    },
  );
});
