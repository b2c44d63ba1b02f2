import { limits, type OwnedApiKeyAnswer } from "@ewebal/contract";
import { describe } from "vitest";
import { expect, overlap, test as base } from "../../../testing/app.ts";
import { buildAdmin, buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { createApiKey, findApiKeyOwner } from "./api-keys.ts";

/** `data` is a list's rows, or a new key. */
type Answer = {
  status: number;
  code: string | undefined;
  data: OwnedApiKeyAnswer[] & { _id: string; key: string };
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
    const { keyId } = await createApiKey(deps, (await buildUser(db)).id, "Theirs");
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

  test("the key after the twentieth, also from two windows at once", async ({ db, deps, user }) => {
    for (let made = 1; made < limits.apiKeysMax; made += 1) await createApiKey(deps, user.id, `Key ${made}`);
    const [, second] = await overlap(
      db,
      async (tx) => {
        await tx.query("select from app_user where user_id = $1 for no key update", [user.id]);
        await tx.query("insert into api_key values (gen_random_uuid(), $1, 'Last', '\\x01', now(), null)", [user.id]);
      },
      () => createApiKey(deps, user.id, "One too many"),
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
  expect(made).toMatchObject({ status: 201, data: { key: expect.stringMatching(/^ewebal_[\w-]{43}$/) as string } });
  const { _id: keyId, key } = made.data;
  expect(JSON.stringify((await db.query("select * from api_key")).rows)).not.toContain(key);
  expect((await mailsTo(user.email))[0]?.subject).toContain("API key");
  expect((await mailsTo(user.email))[0]?.text).not.toContain(key);

  const list = await ask("GET", `/api/${user.id}/api-keys`, headers);
  expect(list.data).toEqual([
    { _id: keyId, name: "Shop till", createdAt: expect.any(String) as string, expiresAt: null },
  ]);

  expect((await findApiKeyOwner(deps, key))?.userId).toBe(user.id);
  expect(await findApiKeyOwner(deps, `${key}x`)).toBeUndefined();
  expect(await findApiKeyOwner(deps, "ewebal_")).toBeUndefined();
  expect((await ask("GET", `/api/${user.id}/api-keys`, headers)).data[0]?.lastUsedAt).toEqual(expect.any(String));

  expect((await ask("DELETE", `/api/${user.id}/${keyId}/revoke-api-key`, headers)).status).toBe(200);
  expect(await findApiKeyOwner(deps, key)).toBeUndefined();
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
  const { key } = await createApiKey(deps, user.id, "Shop");
  const lastUsed = async (): Promise<Date | undefined> =>
    (await db.query<{ last_used_at: Date }>("select last_used_at from api_key")).rows[0]?.last_used_at;
  await findApiKeyOwner(deps, key);
  const first = await lastUsed();
  clock.advance(59_000);
  await findApiKeyOwner(deps, key);
  expect(await lastUsed()).toEqual(first);
  clock.advance(1_000);
  await findApiKeyOwner(deps, key);
  expect(await lastUsed()).toEqual(clock.now());

  await db.query("update app_user set blocked_at = now()");
  await expect(findApiKeyOwner(deps, key)).rejects.toMatchObject({ code: "BLOCKED" });
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
  await createApiKey(deps, user.id, "Till");
  const { keyId } = await createApiKey(deps, other.id, "100%_sure");
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
