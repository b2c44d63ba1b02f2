import { describe } from "vitest";
import { expect, overlap } from "../../../testing/app.ts";
import { buildAdmin, buildUser, FACTORY_PASSWORD } from "../../../testing/factories.ts";
import { customers } from "../passwords/password-owner.ts";
import { checkSecondFactor } from "./check-second-factor.ts";
import { ask, codeOf, STEP_MS, test, wrongCode } from "./testing/second-factor-test.ts";

const limited = test.extend({ environment: { RATE_LIMITS: "on" } });

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
      for (const [again, body] of [
        ["start-two-factor", {}],
        ["confirm-two-factor", { code: codeOf(secret, clock, 1) }],
      ] as const)
        expect((await ask(app, "POST", `/api/${person.id}/${again}`, headers, body)).body.code).toBe("STATE_CONFLICT");
      // Neither the secret nor a recovery code can be read in the database.
      const stored = JSON.stringify(
        (await db.query("select s.*, r.* from second_factor s join recovery_code r using (kind, actor_id)")).rows.map(
          (row) => Object.values(row as object).map(String),
        ),
      );
      for (const hidden of [secret, ...recoveryCodes]) expect(stored).not.toContain(hidden);
    }
    const { rows } = await db.query(
      "select action, person_id is not null as of_customer from audit_entry order by created_at, audit_id",
    );
    expect(rows).toEqual(
      [true, false].map((isCustomer) => ({ action: "confirm-two-factor", of_customer: isCustomer })),
    );
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
