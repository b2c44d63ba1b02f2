import { Secret, TOTP } from "otpauth";
import { describe } from "vitest";
import type { App } from "../../../http/app-type.ts";
import { expect, overlap, test as base, type FakeClock } from "../../../testing/app.ts";
import {
  type BuiltAdmin,
  buildAdmin,
  type BuiltUser,
  buildUser,
  FACTORY_PASSWORD,
} from "../../../testing/factories.ts";
import { customers } from "../passwords/password-owner.ts";
import { checkSecondFactor } from "./check-second-factor.ts";

type Headers = Record<string, string>;
type Answer = { status: number; body: { message: string; code?: string; data?: unknown; retryAfterSeconds?: number } };
type Person = BuiltUser | BuiltAdmin;
type Factor = { secret: string; recoveryCodes: string[]; headers: Headers };

const STEP_MS = 30_000;

function codeOf(secret: string, clock: FakeClock, steps = 0): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: clock.now().getTime() + steps * STEP_MS });
}

/** A code of the right form that no step near this one has. */
function wrongCode(secret: string, clock: FakeClock): string {
  const near = [-1, 0, 1].map((steps) => codeOf(secret, clock, steps));
  return ["111111", "222222", "333333", "444444"].find((code) => !near.includes(code)) ?? "";
}

async function ask(
  app: App,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  url: string,
  headers: Headers,
  payload?: object,
): Promise<Answer> {
  const answer = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}

const test = base.extend<{
  signIn: (person: Person, code?: string, remoteAddress?: string) => Promise<Answer & { headers: Headers }>;
  /** Turns the second factor on and moves on by a minute, so that a code of now is a new one. */
  turnOn: (person: Person) => Promise<Factor>;
}>({
  signIn: async ({ app }, use) => {
    await use(async ({ kind, email }, code, remoteAddress = "192.0.2.1") => {
      const payload = { email, password: FACTORY_PASSWORD, ...(code !== undefined && { code }) };
      const answer = await app.inject({ method: "POST", url: `/api/sign-in-${kind}`, payload, remoteAddress });
      const body = answer.json<Answer["body"]>();
      return { status: answer.statusCode, body, headers: { authorization: `Bearer ${String(body.data)}` } };
    });
  },
  turnOn: async ({ app, clock, signInAs }, use) => {
    await use(async (person) => {
      const headers = await signInAs(person);
      const started = await ask(app, "POST", `/api/${person.id}/start-two-factor`, headers);
      const { secret } = started.body.data as { secret: string };
      const confirmed = await ask(app, "POST", `/api/${person.id}/confirm-two-factor`, headers, {
        code: codeOf(secret, clock),
      });
      expect(confirmed.status).toBe(200);
      clock.advance(60_000);
      return { secret, headers, ...(confirmed.body.data as { recoveryCodes: string[] }) };
    });
  },
});

const limited = test.extend({ environment: { RATE_LIMITS: "on" } });
const required = test.extend({ environment: { REQUIRE_2FA: "administrators" } });

const calls = (id: string) =>
  [
    ["GET", `/api/${id}/two-factor`],
    ["POST", `/api/${id}/start-two-factor`],
    ["POST", `/api/${id}/confirm-two-factor`],
    ["DELETE", `/api/${id}/two-factor`],
  ] as const;

describe("setting up", () => {
  test("needs a session, and one's own id", async ({ app, db, signInAs }) => {
    const [user, admin] = [await buildUser(db), await buildAdmin(db)];
    const stranger = await signInAs(await buildUser(db));
    for (const person of [user, admin]) {
      for (const [method, url] of calls(person.id)) {
        const payload = { code: "123456", password: FACTORY_PASSWORD };
        expect((await ask(app, method, url, {}, payload)).body).toMatchObject({ code: "AUTH_REQUIRED" });
        expect((await ask(app, method, url, stranger, payload)).body).toMatchObject({ code: "FORBIDDEN" });
      }
    }
    expect((await db.query("select from second_factor")).rowCount).toBe(0);
  });

  test("begins with a start, and a wrong code confirms nothing", async ({ app, clock, db, signInAs, signIn }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const confirm = (code: string) => ask(app, "POST", `/api/${user.id}/confirm-two-factor`, headers, { code });
    expect(await confirm("123456")).toMatchObject({ status: 409, body: { code: "STATE_CONFLICT" } });
    const first = (await ask(app, "POST", `/api/${user.id}/start-two-factor`, headers)).body.data as { secret: string };
    const second = (await ask(app, "POST", `/api/${user.id}/start-two-factor`, headers)).body.data as {
      secret: string;
    };
    expect(await confirm(wrongCode(second.secret, clock))).toMatchObject({ status: 400, body: { code: "CODE_WRONG" } });
    // A secret that was begun before is forgotten.
    expect((await confirm(codeOf(first.secret, clock))).body.code).toBe("CODE_WRONG");
    expect((await ask(app, "GET", `/api/${user.id}/two-factor`, headers)).body.data).toEqual({
      isOn: false,
      recoveryCodesLeft: 0,
    });
    expect((await signIn(user)).status).toBe(201);
  });

  test("gives the secret and its address, then ten codes, and tells the person; it begins once", async ({
    app,
    clock,
    db,
    signInAs,
    mailsTo,
  }) => {
    for (const person of [
      await buildUser(db, { email: "ada@gmail.com" }),
      await buildAdmin(db, { email: "boss@ewebal.com" }),
    ]) {
      const headers = await signInAs(person);
      const started = await ask(app, "POST", `/api/${person.id}/start-two-factor`, headers);
      expect(started.status).toBe(201);
      const { secret, otpauth } = started.body.data as { secret: string; otpauth: string };
      expect(Object.keys(started.body.data as object).toSorted()).toEqual(["otpauth", "secret"]);
      expect(new URL(otpauth).searchParams.get("secret")).toBe(secret);
      const confirmed = await ask(app, "POST", `/api/${person.id}/confirm-two-factor`, headers, {
        code: codeOf(secret, clock),
      });
      expect(confirmed.status).toBe(200);
      const { recoveryCodes } = confirmed.body.data as { recoveryCodes: string[] };
      expect(new Set(recoveryCodes).size).toBe(10);
      for (const code of recoveryCodes) expect(code).toMatch(/^(?:[2-9a-z]{4}-){3}[2-9a-z]{4}$/);
      expect((await ask(app, "GET", `/api/${person.id}/two-factor`, headers)).body.data).toEqual({
        isOn: true,
        recoveryCodesLeft: 10,
      });
      expect((await mailsTo(person.email)).map((mail) => mail.subject)).toEqual([
        expect.stringMatching(/^Two-factor sign-in of your Ewebal .*account is on$/),
      ]);
      for (const again of [`/api/${person.id}/start-two-factor`, `/api/${person.id}/confirm-two-factor`]) {
        expect((await ask(app, "POST", again, headers, { code: codeOf(secret, clock, 1) })).body.code).toBe(
          "STATE_CONFLICT",
        );
      }
      // Neither the secret nor a recovery code can be read in the database.
      const stored = JSON.stringify(
        (await db.query("select s.*, r.* from second_factor s join recovery_code r using (kind, actor_id)")).rows.map(
          (row) => Object.values(row as object).map(String),
        ),
      );
      for (const hidden of [secret, ...recoveryCodes]) expect(stored).not.toContain(hidden);
    }
    expect((await db.query("select action from audit_entry")).rows).toEqual([{ action: "confirm-two-factor" }]);
  });
});

describe("signing in with it on", () => {
  test("asks for the code only after the right password, and takes each code once", async ({
    app,
    clock,
    db,
    turnOn,
    signIn,
  }) => {
    for (const person of [await buildUser(db), await buildAdmin(db)]) {
      const { secret } = await turnOn(person);
      const wrong = await ask(
        app,
        "POST",
        `/api/sign-in-${person.kind}`,
        {},
        { email: person.email, password: "not the password", code: codeOf(secret, clock) },
      );
      expect(wrong.body.code).toBe("PASSWORD_WRONG");
      expect(await signIn(person)).toMatchObject({ status: 401, body: { code: "CODE_REQUIRED" } });
      expect(await signIn(person, "")).toMatchObject({ status: 401, body: { code: "CODE_REQUIRED" } });
      expect(await signIn(person, wrongCode(secret, clock))).toMatchObject({
        status: 400,
        body: { code: "CODE_WRONG" },
      });
      expect((await signIn(person, codeOf(secret, clock, 2))).body.code).toBe("CODE_WRONG");
      const code = codeOf(secret, clock);
      expect((await signIn(person, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(201);
      expect(await signIn(person, code)).toMatchObject({ status: 400, body: { code: "CODE_WRONG" } });
      expect((await signIn(person, codeOf(secret, clock, 1))).status).toBe(201);
      expect((await signIn(person, codeOf(secret, clock, -1))).status).toBe(201);
      for (const steps of [-1, 0, 1])
        expect((await signIn(person, codeOf(secret, clock, steps))).body.code).toBe("CODE_WRONG");
    }
  });

  test("the code that turned it on is used up by that", async ({ app, clock, db, signInAs, signIn }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const { secret } = (await ask(app, "POST", `/api/${user.id}/start-two-factor`, headers)).body.data as {
      secret: string;
    };
    const code = codeOf(secret, clock);
    await ask(app, "POST", `/api/${user.id}/confirm-two-factor`, headers, { code });
    expect((await signIn(user, code)).body.code).toBe("CODE_WRONG");
  });

  test("a code that two calls bring at once opens one session", async ({ clock, db, deps, turnOn }) => {
    const user = await buildUser(db);
    const { secret, recoveryCodes } = await turnOn(user);
    const taken = "update second_factor set used_steps = used_steps || $2::bigint where actor_id = $1";
    const step = Math.floor(clock.now().getTime() / STEP_MS);
    const [, late] = await overlap(
      db,
      (tx) => tx.query(taken, [user.id, step]),
      () => checkSecondFactor(deps, customers, user.id, { code: codeOf(secret, clock), clientAddress: "192.0.2.1" }),
    );
    expect(late).toMatchObject({ reason: { code: "CODE_WRONG" } });
    for (const code of [codeOf(secret, clock, 1), recoveryCodes[0] ?? ""]) {
      const proofs = Array.from({ length: 8 }, () =>
        checkSecondFactor(deps, customers, user.id, { code, clientAddress: "192.0.2.1" }),
      );
      const outcomes = await Promise.allSettled(proofs);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    }
  });

  test("a recovery code opens once, however it is typed, and the person hears of it", async ({
    app,
    db,
    turnOn,
    signIn,
    mailsTo,
  }) => {
    const [user, other] = [await buildUser(db), await buildUser(db)];
    const { recoveryCodes, headers } = await turnOn(user);
    const theirs = await turnOn(other);
    const [first = "", second = ""] = recoveryCodes;
    expect((await signIn(user, theirs.recoveryCodes[0])).body.code).toBe("CODE_WRONG");
    expect((await signIn(user, ` ${first.toUpperCase().replaceAll("-", " ")} `)).status).toBe(201);
    expect((await signIn(user, first)).body.code).toBe("CODE_WRONG");
    expect((await signIn(user, second)).status).toBe(201);
    expect((await ask(app, "GET", `/api/${user.id}/two-factor`, headers)).body.data).toEqual({
      isOn: true,
      recoveryCodesLeft: 8,
    });
    const mails = (await mailsTo(user.email)).filter(({ subject }) => subject.startsWith("A recovery code"));
    expect(mails.map(({ text }) => /\d+ (?:is|are) left/.exec(text)?.[0])).toEqual(["9 are left", "8 are left"]);
  });

  limited(
    "five wrong codes slow the account from there, not from elsewhere; a right one forgets them, and the owner is warned once",
    async ({ clock, db, turnOn, signIn, mailsTo }) => {
      const warnings = async (): Promise<number> =>
        (await mailsTo(user.email)).filter(({ subject }) => subject.startsWith("Wrong codes were entered")).length;
      const user = await buildUser(db);
      const { secret } = await turnOn(user);
      for (let guess = 0; guess < 4; guess += 1)
        expect((await signIn(user, wrongCode(secret, clock))).body.code).toBe("CODE_WRONG");
      expect((await signIn(user, codeOf(secret, clock))).status).toBe(201);
      expect(await warnings()).toBe(0);
      for (let guess = 0; guess < 5; guess += 1)
        expect((await signIn(user, wrongCode(secret, clock))).body.code).toBe("CODE_WRONG");
      expect(await signIn(user, codeOf(secret, clock, 1))).toMatchObject({
        status: 429,
        body: { code: "RATE_LIMITED", retryAfterSeconds: 900 },
      });
      expect((await signIn(user, codeOf(secret, clock, 1), "192.0.2.2")).status).toBe(201);
      for (let guess = 0; guess < 5; guess += 1) await signIn(user, wrongCode(secret, clock), "192.0.2.3");
      expect(await warnings()).toBe(1);
      clock.advance(15 * 60_000);
      expect((await signIn(user, codeOf(secret, clock))).status).toBe(201);
    },
  );

  limited(
    "codes tried from everywhere stop the app's codes for an hour; a recovery code still opens",
    async ({ clock, db, deps, turnOn }) => {
      const user = await buildUser(db);
      const { secret, recoveryCodes } = await turnOn(user);
      const show = (code: string, clientAddress: string) =>
        checkSecondFactor(deps, customers, user.id, { code, clientAddress });
      for (let guess = 0; guess < 50; guess += 1)
        await expect(show(wrongCode(secret, clock), `198.51.100.${guess}`)).rejects.toMatchObject({
          code: "CODE_WRONG",
        });
      await expect(show(codeOf(secret, clock), "192.0.2.1")).rejects.toMatchObject({ code: "RATE_LIMITED" });
      expect(await show(recoveryCodes[0] ?? "", "192.0.2.1")).toBe(true);
    },
  );

  test("a lost SECRETS_KEY leaves the recovery codes", async ({ clock, db, turnOn, signIn }) => {
    const user = await buildUser(db);
    const { secret, recoveryCodes } = await turnOn(user);
    await db.query(
      "update second_factor set sealed_secret = set_byte(sealed_secret, 20, get_byte(sealed_secret, 20) # 1)",
    );
    expect((await signIn(user, codeOf(secret, clock))).body.code).toBe("CODE_WRONG");
    expect((await signIn(user, recoveryCodes[0])).status).toBe(201);
  });
});

describe("turning it off", () => {
  test("takes password and code, in this order", async ({ app, clock, db, turnOn, signIn, mailsTo }) => {
    for (const person of [await buildUser(db), await buildAdmin(db)]) {
      const { secret, headers } = await turnOn(person);
      const remove = (payload: object) => ask(app, "DELETE", `/api/${person.id}/two-factor`, headers, payload);
      expect(await remove({ password: "not the password", code: codeOf(secret, clock) })).toMatchObject({
        status: 400,
        body: { code: "PASSWORD_WRONG" },
      });
      expect(await remove({ password: FACTORY_PASSWORD })).toMatchObject({
        status: 401,
        body: { code: "CODE_REQUIRED" },
      });
      expect(await remove({ password: FACTORY_PASSWORD, code: wrongCode(secret, clock) })).toMatchObject({
        status: 400,
        body: { code: "CODE_WRONG" },
      });
      expect((await signIn(person)).body.code).toBe("CODE_REQUIRED");
      expect((await remove({ password: FACTORY_PASSWORD, code: codeOf(secret, clock) })).status).toBe(200);
      expect((await signIn(person)).status).toBe(201);
      expect((await ask(app, "GET", `/api/${person.id}/two-factor`, headers)).body.data).toEqual({
        isOn: false,
        recoveryCodesLeft: 0,
      });
      expect(await remove({ password: FACTORY_PASSWORD, code: codeOf(secret, clock, 1) })).toMatchObject({
        status: 409,
        body: { code: "STATE_CONFLICT" },
      });
      expect((await mailsTo(person.email)).at(-1)?.subject).toMatch(
        /^Two-factor sign-in of your Ewebal .*account is off$/,
      );
    }
    expect((await db.query("select from recovery_code")).rowCount).toBe(0);
  });
});

describe("turning it off for somebody else", () => {
  test("is an administrator's call, audited, told by mail, and ends the person's sessions", async ({
    app,
    db,
    turnOn,
    signInAs,
    signIn,
    mailsTo,
  }) => {
    const [user, admin, owner] = [await buildUser(db), await buildAdmin(db), await buildAdmin(db, { role: "owner" })];
    const asOwner = await signInAs(owner);
    for (const [person, url] of [
      [user, `/api/${user.id}/turn-off-two-factor`],
      [admin, `/api/${owner.id}/${admin.id}/turn-off-two-factor`],
    ] as const) {
      expect((await ask(app, "PATCH", url, {})).body.code).toBe("AUTH_REQUIRED");
      expect((await ask(app, "PATCH", url, await signInAs(user))).body.code).toBe("FORBIDDEN");
      expect((await ask(app, "PATCH", url, asOwner)).body.code).toBe("STATE_CONFLICT");
      const { headers } = await turnOn(person);
      expect((await ask(app, "PATCH", url, asOwner)).status).toBe(200);
      expect((await ask(app, "GET", `/api/${person.id}/two-factor`, headers)).body.code).toBe("AUTH_REQUIRED");
      expect((await signIn(person)).status).toBe(201);
      expect((await mailsTo(person.email)).at(-1)).toMatchObject({
        subject: expect.stringMatching(/account is off$/) as string,
        text: expect.stringContaining("signed out all devices") as string,
      });
    }
    expect((await ask(app, "PATCH", `/api/${owner.id}/${owner.id}/turn-off-two-factor`, asOwner)).body.code).toBe(
      "STATE_CONFLICT",
    );
    const { rows } = await db.query(
      "select admin_id, subject_id from audit_entry where action = 'turn-off-two-factor' order by created_at",
    );
    expect(rows).toEqual([user, admin].map(({ id }) => ({ admin_id: owner.id, subject_id: id })));
  });

  test("is not found for nobody, and asks an administrator who has a second factor for it", async ({
    app,
    db,
    turnOn,
    signInAs,
  }) => {
    const [user, owner] = [await buildUser(db), await buildAdmin(db, { role: "owner" })];
    const nobody = "01900000-0000-7000-8000-000000000000";
    const asOwner = await signInAs(owner);
    for (const url of [`/api/${nobody}/turn-off-two-factor`, `/api/${owner.id}/${nobody}/turn-off-two-factor`]) {
      expect((await ask(app, "PATCH", url, asOwner)).body.code).toBe("NOT_FOUND");
    }
    await turnOn(owner);
    await turnOn(user);
    expect((await ask(app, "PATCH", `/api/${user.id}/turn-off-two-factor`, asOwner)).body.code).toBe("CODE_REQUIRED");
    expect((await db.query("select from second_factor")).rowCount).toBe(2);
  });
});

describe("what needs a fresh second factor", () => {
  test("asks who has one and did not show it lately, and nobody else", async ({
    app,
    clock,
    db,
    turnOn,
    signInAs,
    signIn,
  }) => {
    const user = await buildUser(db);
    const makeKey = (headers: Headers) => ask(app, "POST", `/api/${user.id}/api-keys`, headers, { name: "till" });
    expect((await makeKey(await signInAs(user))).status).toBe(201);
    const { secret } = await turnOn(user);
    const { headers } = await signIn(user, codeOf(secret, clock));
    clock.advance(10 * 60_000 - 1);
    expect((await makeKey(headers)).status).toBe(201);
    clock.advance(1);
    expect(await makeKey(headers)).toMatchObject({ status: 401, body: { code: "CODE_REQUIRED" } });
    expect(await makeKey({ ...headers, "x-second-factor": wrongCode(secret, clock) })).toMatchObject({
      status: 400,
      body: { code: "CODE_WRONG" },
    });
    expect((await makeKey({ ...headers, "x-second-factor": codeOf(secret, clock) })).status).toBe(201);
    clock.advance(9 * 60_000);
    expect((await makeKey(headers)).status).toBe(201);
    // Another session of the same person has shown nothing.
    expect((await makeKey(await signInAs(user))).body.code).toBe("CODE_REQUIRED");
    expect((await db.query("select from api_key")).rowCount).toBe(4);
  });

  test("is every call for credit, carriers, keys, e-mail and passwords", async ({ app, db, turnOn, signInAs }) => {
    const [user, admin] = [await buildUser(db), await buildAdmin(db)];
    await turnOn(user);
    await turnOn(admin);
    const any = "01900000-0000-7000-8000-000000000000";
    const [asUser, asAdmin] = [await signInAs(user), await signInAs(admin)];
    for (const [headers, method, url] of [
      [asUser, "POST", `/api/${user.id}/api-keys`],
      [asUser, "PATCH", `/api/${user.id}/${any}/edit-api-key`],
      [asUser, "DELETE", `/api/${user.id}/${any}/revoke-api-key`],
      [asUser, "PATCH", `/api/${user.id}/change-user-password`],
      [asAdmin, "PATCH", `/api/${admin.id}/credit-a-user`],
      [asAdmin, "PATCH", `/api/${admin.id}/update-admin-profile`],
      [asAdmin, "PATCH", `/api/${user.id}/update-user`],
      [asAdmin, "DELETE", `/api/${admin.id}/${any}/revoke-user-api-key`],
      [asAdmin, "POST", `/api/${admin.id}/add-carrier`],
      [asAdmin, "PATCH", `/api/${admin.id}/${any}/edit-carrier`],
      [asAdmin, "PATCH", `/api/${admin.id}/${any}/switch-carrier`],
      [asAdmin, "DELETE", `/api/${admin.id}/${any}/remove-carrier`],
      [asAdmin, "POST", `/api/${admin.id}/test-carrier`],
      [asAdmin, "PATCH", `/api/${user.id}/${any}/${admin.id}/credit-user`],
      [asAdmin, "PATCH", `/api/${admin.id}/${any}/approve`],
    ] as const) {
      expect([url, (await ask(app, method, url, headers, {})).body.code]).toEqual([url, "CODE_REQUIRED"]);
    }
  });

  test("the GET form takes no password any more, and a key as before", async ({ app, clock, db, turnOn, signIn }) => {
    const user = await buildUser(db);
    const { secret } = await turnOn(user);
    const call = (password: string) =>
      ask(app, "GET", `/api/send-bulk-sms/${user.email}/${encodeURIComponent(password)}/Hi/ACME/08030000001/234`, {});
    expect(await call(FACTORY_PASSWORD)).toMatchObject({ status: 401, body: { code: "CODE_REQUIRED" } });
    const { headers } = await signIn(user, codeOf(secret, clock));
    const { key } = (await ask(app, "POST", `/api/${user.id}/api-keys`, headers, { name: "till" })).body.data as {
      key: string;
    };
    // The key opens; what is missing now is an approved address.
    expect((await call(key)).body.code).toBe("ADDRESS_NOT_APPROVED");
  });
});

describe("REQUIRE_2FA=administrators", () => {
  required(
    "an administrator without it can set it up, sign out, and nothing else; a customer is asked for nothing",
    async ({ app, clock, db, signIn }) => {
      const [admin, user] = [await buildAdmin(db), await buildUser(db)];
      const { headers } = await signIn(admin);
      for (const [method, url] of [
        ["GET", "/api/view-all-users"],
        ["GET", `/api/${admin.id}/view-one-admin`],
        ["PATCH", `/api/${user.id}/block-user`],
        ["POST", `/api/${admin.id}/switch-to-user`],
        ["GET", `/api/${admin.id}/sessions`],
        ["GET", `/api/${user.id}/view-one-user`],
      ] as const) {
        expect([url, await ask(app, method, url, headers)]).toMatchObject([
          url,
          { status: 403, body: { code: "TWO_FACTOR_REQUIRED" } },
        ]);
      }
      expect((await ask(app, "GET", "/readyz", headers)).body).not.toHaveProperty("details");
      expect((await ask(app, "GET", "/api/brand", headers)).status).toBe(200);
      expect((await ask(app, "GET", `/api/${user.id}/view-one-user`, (await signIn(user)).headers)).status).toBe(200);

      const { secret } = (await ask(app, "POST", `/api/${admin.id}/start-two-factor`, headers)).body.data as {
        secret: string;
      };
      expect((await ask(app, "GET", "/api/view-all-users", headers)).body.code).toBe("TWO_FACTOR_REQUIRED");
      await ask(app, "POST", `/api/${admin.id}/confirm-two-factor`, headers, { code: codeOf(secret, clock) });
      expect((await ask(app, "GET", "/api/view-all-users", headers)).status).toBe(200);
      expect((await ask(app, "POST", `/api/${admin.id}/sign-out`, headers)).status).toBe(200);
    },
  );

  required("signing out needs no set-up", async ({ app, db, signIn }) => {
    const admin = await buildAdmin(db);
    const { headers } = await signIn(admin);
    expect((await ask(app, "POST", `/api/${admin.id}/sign-out`, headers)).status).toBe(200);
    expect((await ask(app, "GET", `/api/${admin.id}/two-factor`, headers)).body.code).toBe("AUTH_REQUIRED");
  });
});
