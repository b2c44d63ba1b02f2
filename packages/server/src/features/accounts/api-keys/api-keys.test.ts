import { limits, type MadeKeyAnswer, type OwnedApiKeyAnswer, programKeyScopes } from "@ewebal/contract";
import { describe } from "vitest";
import { eachCase, expect, overlap, test as base } from "../../../testing/app.ts";
import { buildAdmin, buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { createApiKey, findApiKeyOwner, findNamedKey, readKeyToken } from "./api-keys.ts";
import { isAddressAllowed } from "./key-rules.ts";

/** `data` is a list's rows, or a new key. */
type Answer = {
  status: number;
  code: string | undefined;
  fields: Record<string, string> | undefined;
  data: OwnedApiKeyAnswer[] & MadeKeyAnswer & { key: string };
  next: string | null;
};

const test = base.extend<{
  user: BuiltUser;
  ask: (
    method: "GET" | "POST" | "PATCH" | "DELETE",
    url: string,
    headers?: object,
    payload?: object,
  ) => Promise<Answer>;
}>({
  user: async ({ db }, use) => {
    await use(await buildUser(db));
  },
  ask: async ({ app }, use) => {
    await use(async (method, url, headers = {}, payload) => {
      const answer = await app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) });
      return { status: answer.statusCode, ...answer.json<Omit<Answer, "status">>() };
    });
  },
});

describe("refusals", () => {
  test("no session, another customer, an administrator on the customer's side", async ({ db, user, ask, signInAs }) => {
    const { keyId } = await createKeyFor(user);
    async function createKeyFor(owner: BuiltUser): Promise<{ keyId: string }> {
      const { data } = await ask("POST", `/api/${owner.id}/api-keys`, await signInAs(owner), { name: "Shop" });
      return { keyId: data._id };
    }
    for (const headers of [undefined, await signInAs(await buildUser(db)), await signInAs(await buildAdmin(db))]) {
      const code = headers === undefined ? "AUTH_REQUIRED" : "FORBIDDEN";
      expect((await ask("GET", `/api/${user.id}/api-keys`, headers)).code).toBe(code);
      expect((await ask("POST", `/api/${user.id}/api-keys`, headers, { name: "Mine" })).code).toBe(code);
      expect((await ask("DELETE", `/api/${user.id}/${keyId}/revoke-api-key`, headers)).code).toBe(code);
    }
    expect((await db.query("select from api_key")).rowCount).toBe(1);
  });

  test("another customer's key is not found and goes on", async ({ db, deps, user, ask, signInAs }) => {
    const { keyId } = await createApiKey(deps, (await buildUser(db)).id, { name: "Theirs" });
    expect((await ask("DELETE", `/api/${user.id}/${keyId}/revoke-api-key`, await signInAs(user))).code).toBe(
      "NOT_FOUND",
    );
    expect((await db.query("select from api_key")).rowCount).toBe(1);
  });

  test.for([
    [{}],
    [{ name: " " }],
    [{ name: "x".repeat(limits.apiKeyNameCharactersMax + 1) }],
    [{ name: 5 }],
    [{ name: "a\u0000b" }],
  ])("a name that is none: %o", async ([payload], { user, ask, signInAs }) => {
    expect(await ask("POST", `/api/${user.id}/api-keys`, await signInAs(user), payload)).toMatchObject({
      status: 400,
      code: "VALIDATION",
      fields: { name: expect.any(String) as string },
    });
  });

  test("the key after the hundredth, also from two windows at once", async ({ db, deps, user }) => {
    for (let made = 1; made < limits.apiKeysMax; made += 1) await createApiKey(deps, user.id, { name: `Key ${made}` });
    const [, second] = await overlap(
      db,
      async (tx) => {
        await tx.query("select from app_user where user_id = $1 for no key update", [user.id]);
        await tx.query("insert into api_key values (gen_random_uuid(), $1, 'Last', '\\x01', now(), null)", [user.id]);
      },
      () => createApiKey(deps, user.id, { name: "One too many" }),
    );
    expect(second).toMatchObject({ status: "rejected", reason: { code: "LIMIT_REACHED" } });
  });

  test("administrators' calls are not for customers", async ({ db, user, ask, signInAs }) => {
    const headers = await signInAs(user);
    expect((await ask("GET", "/api/view-api-keys")).code).toBe("AUTH_REQUIRED");
    expect((await ask("GET", "/api/view-api-keys", headers)).code).toBe("FORBIDDEN");
    const admin = await buildAdmin(db);
    expect((await ask("DELETE", `/api/${admin.id}/${user.id}/revoke-user-api-key`, headers)).code).toBe("FORBIDDEN");
    expect((await ask("DELETE", `/api/${admin.id}/${user.id}/revoke-user-api-key`, await signInAs(admin))).code).toBe(
      "NOT_FOUND",
    );
  });
});

test("a key is shown once, stored as a hash, told by mail, and finds its customer until it is revoked", async ({
  db,
  deps,
  user,
  ask,
  signInAs,
  mailsTo,
}) => {
  const headers = await signInAs(user);
  const made = await ask("POST", `/api/${user.id}/api-keys`, headers, { name: " Shop till " });
  expect(made).toMatchObject({ status: 201, data: { key: expect.stringMatching(/^ewb_live_[\w-]{43}$/) as string } });
  const { _id: keyId, key } = made.data;
  expect(JSON.stringify((await db.query("select * from api_key")).rows)).not.toContain(key);
  expect((await mailsTo(user.email))[0]?.subject).toContain("API key");
  expect((await mailsTo(user.email))[0]?.text).not.toContain(key);

  const list = await ask("GET", `/api/${user.id}/api-keys`, headers);
  const { key: _secret, ...shown } = made.data;
  expect(list.data).toEqual([shown]);
  expect(shown).toEqual({
    _id: keyId,
    name: "Shop till",
    kind: "api",
    mode: "live",
    scopes: programKeyScopes,
    addresses: [],
    createdAt: expect.any(String) as string,
    expiresAt: null,
  });

  expect((await findApiKeyOwner(deps, { key, clientAddress: "192.0.2.1" }))?.userId).toBe(user.id);
  expect(await findApiKeyOwner(deps, { key: `${key}x`, clientAddress: "192.0.2.1" })).toBeUndefined();
  expect(await findApiKeyOwner(deps, { key: "ewebal_", clientAddress: "192.0.2.1" })).toBeUndefined();
  expect((await ask("GET", `/api/${user.id}/api-keys`, headers)).data[0]).toMatchObject({
    lastUsedAt: expect.any(String) as string,
    lastUsedFrom: "192.0.2.1",
  });

  expect((await ask("DELETE", `/api/${user.id}/${keyId}/revoke-api-key`, headers)).status).toBe(200);
  expect(await findApiKeyOwner(deps, { key, clientAddress: "192.0.2.1" })).toBeUndefined();
  expect((await ask("DELETE", `/api/${user.id}/${keyId}/revoke-api-key`, headers)).code).toBe("NOT_FOUND");
});

describe("a key with an end", () => {
  test.for([["yesterday"], ["2026-01-01"], ["2020-01-01T00:00:00Z"], [5]] as const)(
    "is refused with %o",
    async ([expiresAt], { user, ask, signInAs }) => {
      const answer = await ask("POST", `/api/${user.id}/api-keys`, await signInAs(user), { name: "Shop", expiresAt });
      expect(answer).toMatchObject({
        status: 400,
        code: "VALIDATION",
        fields: { expiresAt: expect.any(String) as string },
      });
    },
  );

  test("works until then, and not a moment longer; its owner may move the end, nobody else", async ({
    app,
    db,
    clock,
    user,
    ask,
    signInAs,
  }) => {
    const headers = await signInAs(user);
    const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString();
    const { data } = await ask("POST", `/api/${user.id}/api-keys`, headers, { name: "Shop", expiresAt });
    expect(data).toMatchObject({ name: "Shop", expiresAt });
    const status = async (): Promise<number> =>
      (await app.inject({ method: "GET", url: "/api/v1/balance", headers: { authorization: `Bearer ${data.key}` } }))
        .statusCode;
    const before = await status();
    expect(before).not.toBe(401);
    clock.advance(60_000);
    expect(await status()).toBe(401);

    const url = `/api/${user.id}/${data._id}/edit-api-key`;
    const other = await buildUser(db);
    expect((await ask("PATCH", url, await signInAs(other), { name: "Mine" })).code).toBe("FORBIDDEN");
    expect(
      (await ask("PATCH", `/api/${other.id}/${data._id}/edit-api-key`, await signInAs(other), { name: "Mine" })).code,
    ).toBe("NOT_FOUND");
    expect(await ask("PATCH", url, headers, { expiresAt })).toMatchObject({ code: "VALIDATION" });
    expect(await ask("PATCH", url, headers, { bogus: 1 })).toMatchObject({ code: "VALIDATION" });
    expect(await ask("PATCH", url, headers, { name: "Till" })).toMatchObject({
      status: 200,
      data: { name: "Till", expiresAt },
    });
    expect(await status()).toBe(401);
    expect(await ask("PATCH", url, headers, { expiresAt: null })).toMatchObject({
      status: 200,
      data: { name: "Till", expiresAt: null },
    });
    expect(await status()).toBe(before);
  });
});

test("a blocked customer's key opens nothing, and a busy key is noted once a minute", async ({
  db,
  deps,
  clock,
  user,
}) => {
  const { key } = await createApiKey(deps, user.id, { name: "Shop" });
  const lastUsed = async (): Promise<Date | undefined> =>
    (await db.query<{ last_used_at: Date }>("select last_used_at from api_key")).rows[0]?.last_used_at;
  await findApiKeyOwner(deps, { key, clientAddress: "192.0.2.1" });
  const first = await lastUsed();
  clock.advance(59_000);
  await findApiKeyOwner(deps, { key, clientAddress: "192.0.2.1" });
  expect(await lastUsed()).toEqual(first);
  clock.advance(1_000);
  await findApiKeyOwner(deps, { key, clientAddress: "192.0.2.1" });
  expect(await lastUsed()).toEqual(clock.now());

  await db.query("update app_user set blocked_at = now()");
  await expect(findApiKeyOwner(deps, { key, clientAddress: "192.0.2.1" })).rejects.toMatchObject({ code: "BLOCKED" });
});

test("administrators see all keys, search them, and end one with a mail and an entry", async ({
  db,
  deps,
  user,
  ask,
  signInAs,
  mailsTo,
}) => {
  const other = await buildUser(db, { userName: "Bola", email: "bola@gmail.com" });
  await createApiKey(deps, user.id, { name: "Till" });
  const { keyId } = await createApiKey(deps, other.id, { name: "100%_sure" });
  const admin = await buildAdmin(db);
  const headers = await signInAs(admin);
  const list = async (query: string): Promise<string[]> =>
    (await ask("GET", `/api/view-api-keys${query}`, headers)).data.map(({ name }) => name);
  expect(await list("")).toEqual(["100%_sure", "Till"]);
  expect(await list("?search=bola")).toEqual(["100%_sure"]);
  expect(await list("?search=100%25_")).toEqual(["100%_sure"]);
  expect(await list("?search=%25")).toEqual(["100%_sure"]);
  const first = await ask("GET", "/api/view-api-keys?limit=1", headers);
  expect(await list(`?limit=1&after=${first.next}`)).toEqual(["Till"]);

  expect((await ask("DELETE", `/api/${admin.id}/${keyId}/revoke-user-api-key`, headers)).status).toBe(200);
  expect((await ask("DELETE", `/api/${admin.id}/${keyId}/revoke-user-api-key`, headers)).code).toBe("NOT_FOUND");
  expect((await mailsTo("bola@gmail.com")).at(-1)?.subject).toContain("was revoked");
  expect((await db.query("select action, subject_id as subject, before from audit_entry")).rows).toEqual([
    { action: "revoke-user-api-key", subject: other.id, before: { name: "100%_sure" } },
  ]);
});

describe("kinds, modes, scopes and addresses", () => {
  test("what is wrong is named, and no key is made", async ({ db, user, ask, signInAs }) => {
    await eachCase(
      [
        ["kind", { kind: "soap" }],
        ["mode", { mode: "sandbox" }],
        ["scopes.1", { scopes: ["inbox", "messages:delete"] }],
        ["scopes", { scopes: [] }],
        ["scopes", { scopes: "inbox" }],
        ["addresses.0", { addresses: ["300.1.1.1"] }],
        ["addresses.0", { addresses: ["10.0.0.0/33"] }],
        ["addresses.1", { addresses: ["10.0.0.1", "example.com"] }],
        ["addresses.0", { addresses: ["2001:db8::/129"] }],
        ["addresses.0", { addresses: ["010.0.0.1"] }],
        ["addresses", { addresses: Array.from({ length: 51 }, () => "10.0.0.1") }],
        ["binds", { binds: 2 }],
        ["perSecond", { kind: "twilio", perSecond: 100 }],
        ["binds", { kind: "smpp", binds: 0 }],
        ["binds", { kind: "smpp", binds: 21 }],
        ["perSecond", { kind: "smpp", perSecond: 10_001 }],
        ["bogus", { bogus: 1 }],
      ] as const,
      async ([field, wrong]) => {
        const answer = await ask("POST", `/api/${user.id}/api-keys`, await signInAs(user), { name: "Shop", ...wrong });
        expect([answer.status, answer.code, Object.keys(answer.fields ?? {})]).toEqual([400, "VALIDATION", [field]]);
        expect((await db.query("select from api_key")).rowCount).toBe(0);
      },
    );
  });

  test("a test key says so, and keeps the scopes and addresses that it was given until they are changed", async ({
    deps,
    user,
    ask,
    signInAs,
  }) => {
    const headers = await signInAs(user);
    const wish = { name: "CI", mode: "test", scopes: ["inbox", "messages:send"], addresses: ["10.0.0.0/8", "::1"] };
    const { data } = await ask("POST", `/api/${user.id}/api-keys`, headers, wish);
    expect(data).toMatchObject({
      ...wish,
      scopes: ["messages:send", "inbox"],
      key: expect.stringMatching(/^ewb_test_[\w-]{43}$/) as string,
    });
    expect(await findApiKeyOwner(deps, { key: data.key, clientAddress: "192.0.2.1" })).toMatchObject({
      mode: "test",
      kind: "api",
      scopes: ["messages:send", "inbox"],
      addresses: ["10.0.0.0/8", "::1"],
    });
    const url = `/api/${user.id}/${data._id}/edit-api-key`;
    for (const wrong of [{ scopes: ["x"] }, { scopes: [] }, { addresses: ["x"] }, { mode: "live" }, { kind: "smpp" }])
      expect(await ask("PATCH", url, headers, wrong)).toMatchObject({ status: 400, code: "VALIDATION" });
    expect(await ask("PATCH", url, headers, { addresses: [], scopes: ["contacts"] })).toMatchObject({
      status: 200,
      data: { name: "CI", mode: "test", scopes: ["contacts"], addresses: [] },
    });
  });

  test("a key for Twilio's clients is a sid and a token, which can be read again and opens nothing else", async ({
    db,
    deps,
    user,
    ask,
    signInAs,
  }) => {
    const headers = await signInAs(user);
    const { data } = await ask("POST", `/api/${user.id}/api-keys`, headers, { name: "CRM", kind: "twilio" });
    expect(data).toMatchObject({
      kind: "twilio",
      sid: expect.stringMatching(/^AC[0-9a-f]{32}$/) as string,
      token: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    });
    const { sid: name = "", token: secret = "" } = data;
    expect(data).not.toHaveProperty("key");
    expect(JSON.stringify((await db.query("select * from api_key")).rows)).not.toContain(secret);
    const from = { name, clientAddress: "192.0.2.1" };
    expect(await findNamedKey(deps, "twilio", { ...from, secret })).toMatchObject({
      userId: user.id,
      publicName: name,
    });
    for (const wrong of ["", `${secret}0`, name]) {
      expect(await findNamedKey(deps, "twilio", { ...from, secret: wrong })).toBeUndefined();
    }
    expect(await findNamedKey(deps, "smpp", { ...from, secret })).toBeUndefined();
    expect(await findApiKeyOwner(deps, { key: secret, clientAddress: "192.0.2.1" })).toBeUndefined();
    expect(await readKeyToken(deps, data._id)).toBe(secret);
    const listed = (await ask("GET", `/api/${user.id}/api-keys`, headers)).data[0];
    expect(listed).toMatchObject({ sid: name, lastUsedFrom: "192.0.2.1" });
    expect(listed).not.toHaveProperty("token");
    await ask("DELETE", `/api/${user.id}/${data._id}/revoke-api-key`, headers);
    expect(await findNamedKey(deps, "twilio", { ...from, secret })).toBeUndefined();
    expect(await readKeyToken(deps, data._id)).toBeUndefined();
  });

  test("a key for SMPP is a system id and a password; a copy of the database without the secrets' key opens none", async ({
    db,
    deps,
    user,
    ask,
    signInAs,
  }) => {
    const headers = await signInAs(user);
    const wish = { name: "Kannel", kind: "smpp", perSecond: 500 };
    const { data } = await ask("POST", `/api/${user.id}/api-keys`, headers, wish);
    const { systemId: name = "", password: secret = "" } = data;
    expect([name.length <= 15, secret.length, data.binds, data.perSecond]).toEqual([true, 8, 2, 500]);
    const shown = { name, secret, clientAddress: "192.0.2.1" };
    expect(await findNamedKey(deps, "smpp", shown)).toMatchObject({ userId: user.id, binds: 2, perSecond: 500 });
    const moved = { ...deps, config: { ...deps.config, secretsKey: Buffer.alloc(32), oldSecretsKeys: [] } };
    expect(await findNamedKey(moved, "smpp", shown)).toBeUndefined();
    expect(await findNamedKey(moved, "smpp", { ...shown, secret: "" })).toBeUndefined();
    await db.query("update api_key set expires_at = $1", [deps.clock.now()]);
    expect(await findNamedKey(deps, "smpp", shown)).toBeUndefined();
  });

  test("an address list takes addresses and networks of both versions, however a socket shows the caller", () => {
    const addresses = ["192.0.2.7", "10.1.2.3/8", "2001:db8::/32", "::ffff:198.51.100.0/120"];
    for (const [address, isAllowed] of [
      ["192.0.2.7", true],
      ["::ffff:192.0.2.7", true],
      ["192.0.2.8", false],
      ["10.255.0.1", true],
      ["11.0.0.1", false],
      ["2001:db8:ffff::1", true],
      ["2001:db9::1", false],
      ["198.51.100.200", true],
      ["198.51.101.1", false],
      ["fe80::1%eth0", false],
      ["", false],
      ["localhost", false],
    ] as const) {
      expect(isAddressAllowed({ addresses }, address), address).toBe(isAllowed);
    }
    expect(isAddressAllowed({ addresses: [] }, "localhost")).toBe(true);
  });
});

test.extend({ environment: { RATE_LIMITS: "on" } })(
  "the eleventh wrong SMPP password of a minute from one address waits, and the owner elsewhere does not",
  async ({ deps, clock, user }) => {
    const { publicName, key } = await createApiKey(deps, user.id, { name: "Kannel", kind: "smpp" });
    const bind = async (secret: string, clientAddress: string) =>
      await findNamedKey(deps, "smpp", { name: publicName ?? "", secret, clientAddress });
    expect(await bind(key, "192.0.2.1")).toBeDefined();
    for (let guess = 1; guess <= 10; guess += 1) expect(await bind(`guess${guess}`, "192.0.2.1")).toBeUndefined();
    await expect(bind(key, "192.0.2.1")).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(await bind(key, "192.0.2.2")).toBeDefined();
    clock.advance(60_000);
    expect(await bind(key, "192.0.2.1")).toBeDefined();
  },
);
