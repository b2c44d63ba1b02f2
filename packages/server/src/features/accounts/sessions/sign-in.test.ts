import { decodeJwt } from "jose";
import { describe } from "vitest";
import { expect, overlap, test as base } from "../../../testing/app.ts";
import { buildAdmin, buildUser, FACTORY_PASSWORD } from "../../../testing/factories.ts";
import { hashTurns } from "../passwords/passwords.ts";
import { signInUser } from "./sign-in.ts";

type Answer = {
  status: number;
  cookie: string | undefined;
  body: { message: string; code?: string; data?: string; retryAfterSeconds?: number };
};

const test = base.extend<{ signIn: (email: string, password?: string, remoteAddress?: string) => Promise<Answer> }>({
  signIn: async ({ app }, use) => {
    await use(async (email, password = FACTORY_PASSWORD, remoteAddress = "192.0.2.1") => {
      const answer = await app.inject({
        method: "POST",
        url: "/api/sign-in-user",
        payload: { email, password },
        remoteAddress,
      });
      return { status: answer.statusCode, cookie: answer.headers["set-cookie"]?.toString(), body: answer.json() };
    });
  },
});

const limited = test.extend({ environment: { RATE_LIMITS: "on" } });
const secure = test.extend({ environment: { PUBLIC_URL: "https://sms.example.com" } });

test("signing in is remembered; being refused is not", async ({ app, db, clock, signIn }) => {
  const user = await buildUser(db);
  await signIn(user.email, "not the password");
  const look = async (token: string): Promise<{ lastSignInAt?: string }> => {
    const answer = await app.inject({
      method: "GET",
      url: `/api/${user.userId}/view-one-user`,
      headers: { authorization: `Bearer ${token}` },
    });
    return answer.json<{ data: { lastSignInAt?: string } }>().data;
  };
  expect((await db.query("select last_sign_in_at from app_user")).rows).toEqual([{ last_sign_in_at: null }]);
  const { body } = await signIn(user.email);
  expect((await look(body.data ?? "")).lastSignInAt).toBe(clock.now().toISOString());
});

describe("signing in is refused", () => {
  test("with an unknown address: 404", async ({ db, signIn }) => {
    await buildAdmin(db, { email: "boss@ewebal.com" });
    expect(await signIn("nobody@gmail.com")).toMatchObject({
      status: 404,
      body: { code: "EMAIL_UNKNOWN" },
      cookie: undefined,
    });
    // An administrator's account is not a customer's.
    expect(await signIn("boss@ewebal.com")).toMatchObject({ status: 404, body: { code: "EMAIL_UNKNOWN" } });
  });

  test("with a wrong password: 400, whatever else is wrong", async ({ db, signIn }) => {
    for (const facts of [{}, { isVerified: false }, { isBlocked: true }]) {
      const user = await buildUser(db, facts);
      expect(await signIn(user.email, "not the password")).toMatchObject({
        status: 400,
        body: { code: "PASSWORD_WRONG" },
      });
      expect(await signIn(user.email, "")).toMatchObject({ status: 400, body: { code: "PASSWORD_WRONG" } });
    }
  });

  test("before the mailbox is verified, to who knows the password: 401", async ({ db, signIn }) => {
    const user = await buildUser(db, { isVerified: false });
    expect(await signIn(user.email)).toMatchObject({ status: 401, body: { code: "NOT_VERIFIED" } });
  });

  test("while blocked, to who knows the password: 403", async ({ db, signIn }) => {
    const user = await buildUser(db, { isBlocked: true });
    const answer = await signIn(user.email);
    expect(answer).toMatchObject({ status: 403, body: { code: "BLOCKED" }, cookie: undefined });
    expect((await db.query("select from session")).rowCount).toBe(0);
  });

  test("with wrong fields: 400 by name, before anything is looked up", async ({ app }) => {
    for (const payload of [
      {},
      { email: 1, password: 2 },
      { email: ["a@b.com"], password: { $ne: "" } },
      { email: "x", password: "y".repeat(129) },
    ]) {
      const answer = await app.inject({ method: "POST", url: "/api/sign-in-user", payload });
      const { code, fields } = answer.json<{ code: string; fields: object }>();
      expect([answer.statusCode, code, Object.keys(fields).toSorted()]).toEqual([
        400,
        "VALIDATION",
        ["email", "password"],
      ]);
    }
  });

  test("to a block that comes in between: no session is left behind", async ({ db, deps }) => {
    const user = await buildUser(db);
    const [, signedIn] = await overlap(
      db,
      (tx) => tx.query("update app_user set blocked_at = now() where user_id = $1", [user.userId]),
      () =>
        signInUser(deps, {
          email: user.email,
          password: FACTORY_PASSWORD,
          clientAddress: "192.0.2.1",
          userAgent: undefined,
        }),
    );
    expect(signedIn).toMatchObject({ reason: { code: "BLOCKED" } });
    expect((await db.query("select from session")).rowCount).toBe(0);
  });
});

test("signing in answers 201 with a token, and the browser gets the same session out of reach of scripts", async ({
  app,
  db,
  signIn,
}) => {
  const user = await buildUser(db, { email: "ada@gmail.com" });
  const { status, body, cookie } = await signIn("  ADA@gmail.com ");
  expect(status).toBe(201);
  const token = body.data ?? "";
  expect(decodeJwt(token)["id"]).toBe(user.userId);
  expect(cookie).toMatch(new RegExp(`^ewebal_session=${token}; Path=/; Expires=[^;]+; HttpOnly; SameSite=Lax$`));

  const url = `/api/${user.userId}/view-one-user`;
  for (const headers of [{ authorization: `Bearer ${token}` }, { cookie: `ewebal_session=${token}` }]) {
    const answer = await app.inject({ method: "GET", url, headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ data: { _id: user.userId, loginStatus: true } });
    expect(answer.headers["cache-control"]).toBe("no-store");
  }
});

secure("behind https the cookie is bound to the host and to encrypted connections", async ({ db, signIn }) => {
  const { cookie } = await signIn((await buildUser(db)).email);
  expect(cookie).toMatch(/^__Host-ewebal_session=[\w.-]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/);
});

describe("guessing", () => {
  limited(
    "ten wrong passwords from one address stop that address for 15 minutes, and nobody else",
    async ({ db, clock, signIn }) => {
      const [user, other] = [await buildUser(db), await buildUser(db)];
      for (let guess = 0; guess < 10; guess += 1) expect((await signIn(user.email, `guess ${guess}`)).status).toBe(400);
      expect(await signIn(user.email, "guess 10")).toMatchObject({
        status: 429,
        body: { code: "RATE_LIMITED", retryAfterSeconds: 900 },
      });
      expect((await signIn(user.email)).status).toBe(429);
      expect((await signIn(user.email, FACTORY_PASSWORD, "192.0.2.2")).status).toBe(201);
      expect((await signIn(other.email)).status).toBe(201);
      clock.advance(15 * 60_000);
      expect((await signIn(user.email)).status).toBe(201);
    },
  );

  limited("wrong passwords sent at once count as well", async ({ db, signIn }) => {
    const user = await buildUser(db);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, guess) => signIn(user.email, `guess ${guess}`)));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  limited("the right password forgives the wrong ones before it", async ({ db, signIn }) => {
    const user = await buildUser(db);
    for (let round = 0; round < 3; round += 1) {
      for (let guess = 0; guess < 9; guess += 1) expect((await signIn(user.email, "wrong one")).status).toBe(400);
      expect((await signIn(user.email)).status).toBe(201);
    }
  });

  limited(
    "ten unknown addresses: the asker learns no more, and the right password still opens",
    async ({ db, signIn }) => {
      const user = await buildUser(db);
      for (let guess = 0; guess < 10; guess += 1) expect((await signIn(`nobody${guess}@gmail.com`)).status).toBe(404);
      expect((await signIn("nobody10@gmail.com")).status).toBe(429);
      expect((await signIn(user.email, "wrong one")).status).toBe(429);
      expect((await signIn(user.email)).status).toBe(201);
      expect((await signIn("nobody11@gmail.com", "x", "192.0.2.2")).status).toBe(404);
    },
  );

  limited("is refused before a hash is made, for e-mails that nobody has, too", async ({ db, signIn }) => {
    const user = await buildUser(db);
    const spend = async (email: string): Promise<void> => {
      for (let guess = 0; guess < 10; guess += 1) await signIn(email, `guess ${guess}`);
    };
    await Promise.all([spend(user.email), spend("nobody@gmail.com")]);
    const free = holdHashTurns();
    for (const email of [user.email, "nobody@gmail.com"]) expect((await signIn(email)).status).toBe(429);
    await free();
  });

  limited("while no hash can be made counts for nobody", async ({ db, signIn }) => {
    const user = await buildUser(db);
    const free = holdHashTurns();
    for (const email of [user.email, "nobody@gmail.com"]) {
      const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(email)));
      expect(answers.map(({ status }) => status)).toContain(503);
      // Ten tries are let through to the hash at a time; whoever finds no turn gives the try back.
      expect((await signIn(email)).status).toBe(503);
    }
    await free();
    expect((await signIn(user.email)).status).toBe(201);
    expect((await signIn("nobody@gmail.com")).status).toBe(404);
  });
});

describe("guessing at many accounts, or from many addresses", () => {
  limited(
    "one address has thirty wrong passwords in a quarter of an hour over all accounts",
    async ({ db, clock, signIn }) => {
      const users = await Promise.all([1, 2, 3, 4].map(() => buildUser(db)));
      const statuses: number[] = [];
      for (const { email } of users)
        for (let guess = 0; guess < 9; guess += 1) statuses.push((await signIn(email, `guess ${guess}`)).status);
      expect(statuses).toEqual([...Array<number>(30).fill(400), ...Array<number>(6).fill(429)]);
      const [first] = users;
      expect((await signIn(first?.email ?? "", FACTORY_PASSWORD, "192.0.2.2")).status).toBe(201);
      clock.advance(15 * 60_000);
      expect((await signIn(first?.email ?? "")).status).toBe(201);
    },
  );

  limited("a /48 of IPv6 has a hundred; the next one has its own", async ({ db, signIn }) => {
    const users = await Promise.all(Array.from({ length: 12 }, () => buildUser(db)));
    const statuses = await Promise.all(
      users.flatMap(({ email }, user) =>
        Array.from({ length: 9 }, (_, guess) => signIn(email, "a wrong guess", `2001:db8:1:${user}0${guess}::1`)),
      ),
    );
    expect(statuses.filter(({ status }) => status === 400)).toHaveLength(100);
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(8);
    expect((await signIn(users[0]?.email ?? "", FACTORY_PASSWORD, "2001:db8:2::1")).status).toBe(201);
  });

  limited(
    "after fifty guesses at one account from everywhere each address has two; its owner is never locked out",
    async ({ app, db, signIn }) => {
      const user = await buildUser(db);
      const headers = { "sec-fetch-site": "same-origin" };
      const payload = { email: user.email, password: FACTORY_PASSWORD };
      const signInByBrowser = async (cookie: string) =>
        await app.inject({
          method: "POST",
          url: "/api/sign-in-user",
          payload,
          headers: { ...headers, cookie },
          remoteAddress: "198.51.100.1",
        });
      const device =
        /ewebal_device=[^;]+/.exec((await signInByBrowser("")).headers["set-cookie"]?.toString() ?? "")?.[0] ?? "";
      for (let address = 1; address <= 10; address += 1) {
        for (let guess = 0; guess < 5; guess += 1)
          expect((await signIn(user.email, "a wrong guess", `192.0.2.${address}`)).status).toBe(400);
      }
      const guesses = [1, 2, 3].map(async () => (await signIn(user.email, "a wrong guess", "203.0.113.1")).status);
      expect((await Promise.all(guesses)).toSorted((one, other) => one - other)).toEqual([400, 400, 429]);
      // From somewhere new the owner has two tries like everybody; the device they used before has all of its own, even there.
      expect((await signIn(user.email, FACTORY_PASSWORD, "203.0.113.2")).status).toBe(201);
      for (let guess = 0; guess < 10; guess += 1) await signIn(user.email, "a wrong guess", "198.51.100.1");
      expect((await signIn(user.email, FACTORY_PASSWORD, "198.51.100.1")).status).toBe(429);
      expect((await signInByBrowser(device)).statusCode).toBe(201);
    },
  );
});

test("a sign-in from a new device is told by mail; the first one, and one that is known, are not", async ({
  app,
  db,
  deps,
  mailsTo,
  signInAs,
}) => {
  const user = await buildUser(db);
  const payload = { email: user.email, password: FACTORY_PASSWORD };
  const signInBy = async (remoteAddress: string, headers: Record<string, string>): Promise<string> => {
    const answer = await app.inject({ method: "POST", url: "/api/sign-in-user", payload, headers, remoteAddress });
    expect(answer.statusCode).toBe(201);
    return /ewebal_device=[^;]+/.exec(answer.headers["set-cookie"]?.toString() ?? "")?.[0] ?? "";
  };
  const phone = { "sec-fetch-site": "same-origin", "user-agent": "Mozilla/5.0 (Linux; Android 14) Chrome/130.0" };
  const mark = await signInBy("192.0.2.1", phone);
  expect(mark).toMatch(/^ewebal_device=[\w-]{43}$/);
  // The same browser on another network, and a browser that lost its cookies on the same one.
  expect(await signInBy("198.51.100.1", { ...phone, cookie: mark })).toBe(mark);
  await signInBy("192.0.2.77", phone);
  expect(await mailsTo(user.email)).toEqual([]);

  expect(await signInBy("203.0.113.5", { "user-agent": "curl/8" })).toBe("");
  await signInBy("203.0.113.5", { "user-agent": "curl/8" });
  const [mail, ...more] = await mailsTo(user.email);
  expect(more).toEqual([]);
  expect(mail).toMatchObject({
    subject: "A new device signed in to your Ewebal account",
    text: expect.stringContaining("A program, address 203.0.113.5") as string,
  });
  expect(deps.logLines.filter(({ security }) => security === "new-device")).toMatchObject([
    { account: user.userId, address: "203.0.113.5" },
  ]);

  const url = `/api/${user.userId}/notifications`;
  const headers = await signInAs(user);
  const off = await app.inject({ method: "PATCH", url, headers, payload: { newDeviceMail: false } });
  expect(off.json()).toMatchObject({ data: { newDeviceMail: false, weeklyMail: true } });
  await signInBy("203.0.114.9", { "user-agent": "Wget/1" });
  expect(await mailsTo(user.email), "turned off").toHaveLength(1);
});

/** Takes every place and every turn to wait for one, as a flood of sign-ins does. @returns gives them back. */
function holdHashTurns(): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = Array.from({ length: 203 }, () => hashTurns.run(() => promise));
  return async () => {
    resolve();
    await Promise.all(held);
  };
}

describe("signing out", () => {
  const routes = [
    { method: "POST", path: "sign-out" },
    { method: "PATCH", path: "login-status-false" },
  ] as const;

  for (const { method, path } of routes) {
    test(`by ${path} needs a session of one's own`, async ({ app, db, signInAs }) => {
      const [user, other] = [await buildUser(db), await buildUser(db)];
      const url = `/api/${user.userId}/${path}`;
      expect((await app.inject({ method, url })).json()).toMatchObject({ code: "AUTH_REQUIRED" });
      expect((await app.inject({ method, url, headers: await signInAs(other) })).json()).toMatchObject({
        code: "FORBIDDEN",
      });
      expect((await db.query("select from session")).rowCount).toBe(1);
    });

    test(`by ${path} ends this session, clears the cookie and leaves other devices signed in`, async ({
      app,
      db,
      signIn,
      signInAs,
    }) => {
      const user = await buildUser(db);
      const other = await signInAs(user);
      const cookie = `ewebal_session=${(await signIn(user.email)).body.data}`;
      const answer = await app.inject({ method, url: `/api/${user.userId}/${path}`, headers: { cookie } });
      expect([answer.statusCode, answer.json<{ message: string }>().message]).toEqual([200, "Logged Out Successfully"]);
      expect(answer.headers["set-cookie"]).toMatch(/^ewebal_session=; .*Expires=Thu, 01 Jan 1970/);
      const url = `/api/${user.userId}/view-one-user`;
      expect((await app.inject({ method: "GET", url, headers: { cookie } })).statusCode).toBe(401);
      expect((await app.inject({ method: "GET", url, headers: other })).statusCode).toBe(200);
    });
  }

  test("from another site is refused, although the browser sends the cookie", async ({ app, db, signIn }) => {
    const user = await buildUser(db);
    const cookie = `ewebal_session=${(await signIn(user.email)).body.data}`;
    const headers = { cookie, origin: "https://evil.example.com" };
    const answer = await app.inject({ method: "POST", url: `/api/${user.userId}/sign-out`, headers });
    expect(answer.json()).toMatchObject({ code: "ORIGIN_REFUSED" });
    expect((await db.query("select from session")).rowCount).toBe(1);
  });

  secure(
    "from our own address without TLS is refused: anybody on the line can write that page",
    async ({ app, db, signIn }) => {
      const user = await buildUser(db);
      const cookie = `__Host-ewebal_session=${(await signIn(user.email)).body.data}`;
      const ask = async (origin: string): Promise<number> => {
        const headers = { cookie, origin, host: "sms.example.com" };
        return (await app.inject({ method: "POST", url: `/api/${user.userId}/sign-out`, headers })).statusCode;
      };
      expect(await ask("http://sms.example.com")).toBe(403);
      expect(await ask("https://sms.example.com")).toBe(200);
    },
  );
});
