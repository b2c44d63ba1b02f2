import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { describe } from "vitest";
import type { App } from "../../../http/app-type.ts";
import { expect, overlap } from "../../../testing/app.ts";
import {
  type BuiltAdmin,
  buildAdmin,
  type BuiltUser,
  buildUser,
  FACTORY_PASSWORD,
} from "../../../testing/factories.ts";
import { ask, codeOf, type Headers, test as base } from "../second-factor/testing/second-factor-test.ts";
import { PASSKEYS_MAX } from "./manage-passkeys.ts";

type Person = BuiltUser | BuiltAdmin;
type Options = { challenge: string; rp?: { id: string }; rpId?: string; user?: { id: string } };

/** What a device may do wrong. */
type Twist = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  isVerified?: boolean;
  signCount?: number;
  userHandle?: string | null;
  signWith?: KeyObject;
  credentialId?: Buffer;
  attestation?: Buffer;
};

const base64 = (bytes: Buffer): string => bytes.toString("base64url");
const sha256 = (bytes: Buffer | string): Buffer => createHash("sha256").update(bytes).digest();
const bytesOf = (...parts: (Buffer | number[] | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

/** A device with one passkey, as WebAuthn has it: ES256, attestation "none". */
class Device {
  readonly key = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly credentialId = randomBytes(32);
  userHandle = "";
  signCount = 0;
  readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
  }

  make(options: Options, twist: Twist = {}) {
    this.userHandle = options.user?.id ?? "";
    const { x = "", y = "" } = this.key.publicKey.export({ format: "jwk" });
    const cose = bytesOf(
      [0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32],
      Buffer.from(x, "base64url"),
      [0x22, 0x58, 32],
      Buffer.from(y, "base64url"),
    );
    const authData = bytesOf(
      this.authData(options.rp?.id ?? "", twist, 0x40),
      Buffer.alloc(16),
      [0, 32],
      this.credentialId,
      cose,
    );
    const statement = twist.attestation ?? bytesOf([0x63], "fmt", [0x64], "none", [0x67], "attStmt", [0xa0]);
    const attestationObject = bytesOf([0xa3], statement, [0x68], "authData", [0x58, authData.length], authData);
    return this.answer({
      clientDataJSON: this.clientData("webauthn.create", options, twist),
      attestationObject: base64(attestationObject),
      transports: ["internal"],
    });
  }

  show(options: Options, twist: Twist = {}) {
    this.signCount += 1;
    const authData = this.authData(options.rpId ?? "", { signCount: this.signCount, ...twist }, 0);
    const clientDataJSON = this.clientData("webauthn.get", options, twist);
    const signed = bytesOf(authData, sha256(Buffer.from(clientDataJSON, "base64url")));
    const { userHandle = this.userHandle } = twist;
    return this.answer(
      {
        clientDataJSON,
        authenticatorData: base64(authData),
        signature: base64(
          createSign("sha256")
            .update(signed)
            .sign(twist.signWith ?? this.key.privateKey),
        ),
        userHandle,
      },
      twist.credentialId,
    );
  }

  private authData(rpId: string, { isVerified = true, signCount = 0, rpId: other }: Twist, flags: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(signCount);
    return bytesOf(sha256(other ?? rpId), [0x01 | (isVerified ? 0x04 : 0) | flags], count);
  }

  private clientData(type: string, { challenge }: Options, twist: Twist): string {
    const { origin = this.origin } = twist;
    return base64(
      Buffer.from(JSON.stringify({ type, challenge: twist.challenge ?? challenge, origin, crossOrigin: false })),
    );
  }

  private answer<R>(response: R, credentialId: Buffer = this.credentialId) {
    const id = base64(credentialId);
    // As `toJSON()` of a browser has it, with more than is looked at.
    return {
      id,
      rawId: id,
      type: "public-key",
      response,
      clientExtensionResults: {},
      authenticatorAttachment: "platform",
    };
  }
}

const start = async (app: App, { id }: Person, headers: Headers, proof: object = { password: FACTORY_PASSWORD }) =>
  await ask(app, "POST", `/api/${id}/start-passkey`, headers, proof);
const finish = async (app: App, { id }: Person, headers: Headers, credential: object, name?: string) =>
  await ask(app, "POST", `/api/${id}/finish-passkey`, headers, { credential, ...(name !== undefined && { name }) });
const startSignIn = async (app: App, remoteAddress = "192.0.2.1"): Promise<Options> => {
  const answer = await app.inject({ method: "POST", url: "/api/start-passkey-sign-in", remoteAddress });
  return answer.json<{ data: Options }>().data;
};
const wrong = { status: 400, body: { code: "PASSKEY_WRONG" } };

const test = base.extend<{
  device: Device;
  /** Adds the device's passkey. */
  add: (person: Person, device: Device, name?: string) => Promise<{ passkeyId: string; headers: Headers }>;
  signInWith: (
    device: Device,
    twist?: Twist,
    remoteAddress?: string,
  ) => Promise<{ status: number; body: { code?: string; data?: string; role?: string }; headers: Headers }>;
}>({
  device: async ({ deps }, use) => {
    await use(new Device(deps.config.publicUrl));
  },
  add: async ({ app, signInAs }, use) => {
    await use(async (person, device, name = "My phone") => {
      const headers = await signInAs(person);
      const { data } = (await start(app, person, headers)).body;
      const added = await finish(app, person, headers, device.make(data as Options), name);
      expect(added.status).toBe(201);
      return { passkeyId: (added.body.data as { _id: string })._id, headers };
    });
  },
  signInWith: async ({ app }, use) => {
    await use(async (device, twist, remoteAddress = "192.0.2.1") => {
      const credential = device.show(await startSignIn(app, remoteAddress), twist);
      const payload = { credential };
      const answer = await app.inject({ method: "POST", url: "/api/finish-passkey-sign-in", payload, remoteAddress });
      const body = answer.json<{ code?: string; data?: string; role?: string }>();
      return { status: answer.statusCode, body, headers: { authorization: `Bearer ${body.data}` } };
    });
  },
});
const limited = test.extend({ environment: { RATE_LIMITS: "on" } });

describe("adding a passkey", () => {
  test("needs a session, one's own id, the password, and the code where there is one", async ({
    app,
    clock,
    db,
    device,
    signInAs,
    turnOn,
  }) => {
    const [user, admin] = [await buildUser(db), await buildAdmin(db)];
    const stranger = await signInAs(await buildUser(db));
    const any = "01900000-0000-7000-8000-000000000000";
    for (const person of [user, admin]) {
      for (const [method, url] of [
        ["POST", "start-passkey"],
        ["POST", "finish-passkey"],
        ["GET", "passkeys"],
        ["DELETE", `${any}/passkey`],
      ] as const) {
        expect((await ask(app, method, `/api/${person.id}/${url}`, {}, {})).body.code).toBe("AUTH_REQUIRED");
        expect((await ask(app, method, `/api/${person.id}/${url}`, stranger, {})).body.code).toBe("FORBIDDEN");
      }
      const headers = await signInAs(person);
      expect(await start(app, person, headers, {})).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
      const bogus = { password: FACTORY_PASSWORD, bogus: 1 };
      expect(await start(app, person, headers, bogus)).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
      expect(await start(app, person, headers, { password: "not it" })).toMatchObject({
        status: 400,
        body: { code: "PASSWORD_WRONG" },
      });
      const { secret } = await turnOn(person);
      clock.advance(10 * 60_000);
      expect(await start(app, person, headers)).toMatchObject({ status: 401, body: { code: "CODE_REQUIRED" } });
      const proof = { password: FACTORY_PASSWORD, code: codeOf(secret, clock) };
      const options = (await start(app, person, headers, proof)).body.data as Options;
      expect((await finish(app, person, headers, new Device(device.origin).make(options))).status).toBe(201);
    }
  });

  test("is refused for another challenge, session, origin, site, for no verification, for certificates, and twice", async ({
    app,
    clock,
    db,
    device,
    signInAs,
  }) => {
    const user = await buildUser(db);
    const [headers, elsewhere] = [await signInAs(user), await signInAs(user)];
    const begin = async (): Promise<Options> => (await start(app, user, headers)).body.data as Options;
    const certified = bytesOf([0x63], "fmt", [0x66], "packed", [0x67], "attStmt", [0xa1, 0x63], "x5c", [0x80]);
    for (const twist of [
      { challenge: base64(randomBytes(32)) },
      { challenge: "" },
      { origin: "https://ewebal.example" },
      { rpId: "ewebal.example" },
      { isVerified: false },
      { attestation: certified },
      { attestation: Buffer.from("nonsense") },
    ]) {
      expect(await finish(app, user, headers, device.make(await begin(), twist)), JSON.stringify(twist)).toMatchObject(
        wrong,
      );
    }
    // A challenge that failed once is used up.
    const once = await begin();
    expect(await finish(app, user, headers, device.make(once, { isVerified: false }))).toMatchObject(wrong);
    expect(await finish(app, user, headers, device.make(once))).toMatchObject(wrong);
    expect(await finish(app, user, elsewhere, device.make(await begin()))).toMatchObject(wrong);
    expect(await finish(app, user, headers, device.make(await startSignIn(app)))).toMatchObject(wrong);
    const late = await begin();
    clock.advance(5 * 60_000);
    expect(await finish(app, user, headers, device.make(late))).toMatchObject(wrong);
    expect((await db.query("select from passkey")).rowCount).toBe(0);
    const right = device.make(await begin());
    expect((await finish(app, user, headers, right)).status).toBe(201);
    expect(await finish(app, user, headers, right)).toMatchObject(wrong);
    // Another's passkey, and a passkey of the same person again.
    for (const person of [user, await buildUser(db)]) {
      const own = await signInAs(person);
      const options = (await start(app, person, own)).body.data as Options;
      expect(await finish(app, person, own, device.make(options))).toMatchObject({
        status: 409,
        body: { code: "STATE_CONFLICT" },
      });
    }
  });

  test("names it, lists it, tells the person and the audit; removing takes the password and is told, too", async ({
    app,
    db,
    device,
    add,
    mailsTo,
    signInAs,
    signInWith,
  }) => {
    for (const person of [await buildUser(db), await buildAdmin(db)]) {
      const own = new Device(device.origin);
      const { passkeyId, headers } = await add(person, own, "Ada's phone");
      const list = async () => (await ask(app, "GET", `/api/${person.id}/passkeys`, headers)).body;
      const row = { _id: passkeyId, name: "Ada's phone", isBackedUp: false, createdAt: expect.any(String) as string };
      expect(await list()).toEqual({ data: [row], next: null });
      expect((await signInWith(own)).status).toBe(201);
      expect(await list()).toMatchObject({ data: [{ ...row, lastUsedAt: expect.any(String) as string }] });
      const remove = (payload: object, as = headers, id = person.id) =>
        ask(app, "DELETE", `/api/${id}/${passkeyId}/passkey`, as, payload);
      const other = await buildUser(db);
      expect((await remove({ password: FACTORY_PASSWORD }, await signInAs(other), other.id)).status).toBe(404);
      expect((await remove({})).body.code).toBe("VALIDATION");
      expect((await remove({ password: "not it" })).body.code).toBe("PASSWORD_WRONG");
      expect((await signInWith(own)).status).toBe(201);
      expect((await remove({ password: FACTORY_PASSWORD })).status).toBe(200);
      expect((await remove({ password: FACTORY_PASSWORD })).status).toBe(404);
      expect(await signInWith(own)).toMatchObject(wrong);
      expect((await mailsTo(person.email)).map(({ subject }) => subject)).toEqual([
        expect.stringMatching(/^A passkey was added to your Ewebal .*account$/),
        expect.stringMatching(/^A passkey of your Ewebal .*account was removed$/),
      ]);
    }
    const { rows } = await db.query(
      "select action, coalesce(after, before) as facts from audit_entry order by created_at, audit_id",
    );
    expect(rows).toEqual([
      { action: "finish-passkey", facts: { name: "Ada's phone" } },
      { action: "passkey", facts: { name: "Ada's phone" } },
      { action: "finish-passkey", facts: { name: "Ada's phone" } },
      { action: "passkey", facts: { name: "Ada's phone" } },
    ]);
  });

  test("stops at a number", async ({ app, db, device, signInAs }) => {
    const user = await buildUser(db);
    await db.query(
      `insert into passkey (kind, actor_id, passkey_id, credential_id, public_key, sign_count, transports, is_backed_up, name, created_at)
       select 'user', $1, gen_random_uuid(), n::text::bytea, '', 0, '{}', false, 'key', now() from generate_series(1, $2::integer) as n`,
      [user.id, PASSKEYS_MAX],
    );
    const headers = await signInAs(user);
    const options = (await start(app, user, headers)).body.data as Options;
    expect(await finish(app, user, headers, device.make(options))).toMatchObject({ status: 409 });
  });
});

describe("signing in with a passkey", () => {
  test("is refused for another challenge, origin, site, signature, person, for no verification, and when replayed", async ({
    app,
    clock,
    db,
    device,
    add,
    signInWith,
  }) => {
    const [user, other] = [await buildUser(db), await buildUser(db)];
    const others = new Device(device.origin);
    await add(user, device);
    await add(other, others);
    const finishWith = async (credential: object) =>
      await ask(app, "POST", "/api/finish-passkey-sign-in", {}, { credential });
    for (const twist of [
      { challenge: base64(randomBytes(32)) },
      { origin: "https://ewebal.example" },
      { rpId: "ewebal.example" },
      { isVerified: false },
      { signWith: others.key.privateKey },
      { credentialId: others.credentialId },
      { credentialId: randomBytes(32) },
      { userHandle: others.userHandle },
      { userHandle: null },
    ]) {
      expect(await signInWith(device, twist), Object.keys(twist).join()).toMatchObject(wrong);
    }
    const late = await startSignIn(app);
    clock.advance(5 * 60_000);
    expect(await finishWith(device.show(late))).toMatchObject(wrong);
    const shown = device.show(await startSignIn(app));
    expect((await finishWith(shown)).status).toBe(201);
    expect(await finishWith(shown)).toMatchObject(wrong);
    expect(await finishWith({ ...shown, response: {} })).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    // Each challenge was taken, whatever became of it; only what nobody answered, or too late, is left.
    expect((await db.query("select from passkey_challenge")).rowCount).toBe(2);
  });

  test("opens either side, stands for password and code, and counts as a fresh code", async ({
    app,
    clock,
    db,
    device,
    add,
    signIn,
    signInWith,
    turnOn,
  }) => {
    const [user, admin] = [await buildUser(db), await buildAdmin(db)];
    for (const person of [user, admin]) {
      const own = new Device(device.origin);
      await add(person, own);
      const { secret } = await turnOn(person);
      const { status, body, headers } = await signInWith(own);
      expect([status, body.role]).toEqual([201, person.kind]);
      const path = person.kind === "user" ? "view-one-user" : "view-one-admin";
      expect((await ask(app, "GET", `/api/${person.id}/${path}`, headers)).status).toBe(200);
      const change = async () =>
        (await ask(app, "PATCH", `/api/${person.id}/change-user-password`, headers, { password: "x" })).body.code;
      expect(await change()).toBe("VALIDATION");
      clock.advance(10 * 60_000);
      expect(await change()).toBe("CODE_REQUIRED");
      // The password alone is not enough, as before.
      expect((await signIn(person)).body.code).toBe("CODE_REQUIRED");
      expect((await signIn(person, codeOf(secret, clock))).status).toBe(201);
    }
  });

  test("is refused to who may not sign in, and tells it to who has the passkey alone", async ({
    db,
    device,
    add,
    signInWith,
  }) => {
    const [user, admin] = [await buildUser(db), await buildAdmin(db)];
    const admins = new Device(device.origin);
    await add(user, device);
    await add(admin, admins);
    await db.query("update app_user set blocked_at = now() where user_id = $1", [user.id]);
    expect((await signInWith(device, { isVerified: false })).body.code).toBe("PASSKEY_WRONG");
    expect((await signInWith(device)).body.code).toBe("BLOCKED");
    await db.query("update app_user set blocked_at = null, verified_at = null where user_id = $1", [user.id]);
    expect((await signInWith(device)).body.code).toBe("NOT_VERIFIED");
    await db.query("update admin set approved_at = null where admin_id = $1", [admin.id]);
    expect((await signInWith(admins)).body.code).toBe("APPROVAL_REQUIRED");
    await db.query("update admin set removed_at = now() where admin_id = $1", [admin.id]);
    expect(await signInWith(admins)).toMatchObject(wrong);
  });

  test("a count that went back opens nothing and is told by mail; a device that does not count goes on", async ({
    db,
    device,
    add,
    mailsTo,
    signInWith,
  }) => {
    const user = await buildUser(db);
    await add(user, device);
    expect((await signInWith(device, { signCount: 5 })).status).toBe(201);
    for (const signCount of [5, 4, 0]) expect(await signInWith(device, { signCount })).toMatchObject(wrong);
    expect((await signInWith(device, { signCount: 6 })).status).toBe(201);
    expect((await mailsTo(user.email)).map(({ subject }) => subject)).toContain(
      "A passkey of your Ewebal account may have been copied",
    );
    const plain = new Device(device.origin);
    await add(user, plain);
    for (let use = 0; use < 2; use += 1) expect((await signInWith(plain, { signCount: 0 })).status).toBe(201);
  });

  // Goal: a passkey that is being removed opens no session. Method: the sign-in waits for the row that the removal holds.
  test("waits for the passkey's removal, and is refused", async ({ db, device, add, signInWith }) => {
    const user = await buildUser(db);
    await add(user, device);
    const [, late] = await overlap(
      db,
      async (tx) => {
        await tx.query("select from app_user where user_id = $1 for update", [user.id]);
        await tx.query("delete from passkey where actor_id = $1", [user.id]);
      },
      () => signInWith(device),
    );
    expect(late).toMatchObject({ value: wrong });
    expect((await db.query("select from session where factor_at is not null")).rowCount).toBe(0);
  });

  limited("is slowed as wrong passwords are", async ({ app, clock, db, device, add, signIn, signInWith }) => {
    const user = await buildUser(db);
    await add(user, device);
    const forged = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    for (let guess = 0; guess < 10; guess += 1)
      expect(await signInWith(device, { signWith: forged })).toMatchObject(wrong);
    expect((await signInWith(device)).body.code).toBe("RATE_LIMITED");
    expect((await signIn(user)).body.code).toBe("RATE_LIMITED");
    expect((await signInWith(device, {}, "192.0.2.2")).status).toBe(201);
    for (let guess = 0; guess < 10; guess += 1)
      expect(await signInWith(device, { credentialId: randomBytes(32) }, "192.0.2.3")).toMatchObject(wrong);
    expect((await signInWith(device, { credentialId: randomBytes(32) }, "192.0.2.3")).body.code).toBe("RATE_LIMITED");
    clock.advance(15 * 60_000);
    for (let begun = 0; begun < 300; begun += 1) await startSignIn(app, "192.0.2.4");
    expect(await startSignIn(app, "192.0.2.4")).toBeUndefined();
  });
});
