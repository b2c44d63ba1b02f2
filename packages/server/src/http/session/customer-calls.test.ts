import { Readable } from "node:stream";
import { memberRoles, type MemberRole } from "@ewebal/contract";
import * as groups from "@ewebal/contract/calls";
import { v7 as uuidv7 } from "uuid";
import { buildApp } from "../../main/app.ts";
import { eventRoutes } from "../../events/index.ts";
import { expect, test as base } from "../../testing/app.ts";
import { type BuiltUser, buildMember, buildUser } from "../../testing/factories.ts";
import type { App } from "../app-type.ts";
import { customerCalls } from "./customer-calls.ts";

const test = base.extend<{ app: App; account: BuiltUser; say: (call: string, as?: BuiltUser) => Promise<string> }>({
  app: async ({ deps }, use) => {
    const app = await buildApp(deps);
    eventRoutes(app, { open: () => Readable.from([]), close: async () => undefined });
    await app.ready();
    await use(app);
    await app.close();
  },
  account: async ({ db }, use) => await use(await buildUser(db)),
  /** Makes a call with the account's id, ids of nothing, and no body. @returns the answer's code, empty when it has none. */
  say: async ({ app, account, signInAs }, use) => {
    await use(async (call, as) => {
      const [method, pattern] = call.split(" ") as ["GET", string];
      const url = pattern.replace(/:(\w+)/g, (_, name: string) =>
        name === "userId" || name === "id" ? account.userId : uuidv7(),
      );
      const answer = await app.inject({ method, url, ...(as !== undefined && { headers: await signInAs(as) }) });
      return String(answer.headers["content-type"]).startsWith("application/json")
        ? (answer.json<{ code?: string }>().code ?? "")
        : "";
    });
  },
});

const knownCalls = Object.values(groups as Record<string, Record<string, groups.Call>>)
  .flatMap((group) => Object.values(group))
  .map(({ method, url }) => `${method} ${url}`);

// Goal: no member does what their role may not, in any call. Method: every call that declares a least role, as each role; the call's own
// refusals (a missing body, an unknown id) come after the guard and tell that it let them through. `switch-to-admin` refuses customers
// who are no administrator with the guard's own code, so it is left to its feature's test.
test("each customer's call is refused to exactly the roles below the one that it declares", async ({
  db,
  account,
  say,
}) => {
  const members = new Map<MemberRole, BuiltUser>();
  for (const role of memberRoles) members.set(role, await buildMember(db, { accountId: account.userId, role }));
  const calls = [...customerCalls].filter(([call]) => !/switch-to-admin|switch-account/.test(call));
  expect(calls.length).toBeGreaterThan(90);
  const passed: Record<string, MemberRole[]> = {};
  for (const [call] of calls) {
    passed[call] = [];
    // The caller would be signed out for the calls that come after; whose session it is, is asked in any case.
    for (const [role, member] of members) if ((await say(call, member)) !== "FORBIDDEN") passed[call].push(role);
  }
  const expected = calls.map(([call, least]) => [call, memberRoles.slice(memberRoles.indexOf(least))]);
  expect(passed).toEqual(Object.fromEntries(expected));
});

test("every call that opens to a customer and to no visitor declares a least role", async ({ account, say }) => {
  const undeclared: string[] = [];
  for (const call of new Set(knownCalls)) {
    if (customerCalls.has(call))
      expect(await say(call), call).toMatch(/^(AUTH_REQUIRED|NOT_FOUND|LINK_INVALID|VALIDATION)$/);
    else if (
      (await say(call)) === "AUTH_REQUIRED" &&
      !["FORBIDDEN", "AUTH_REQUIRED"].includes(await say(call, account))
    )
      undeclared.push(call);
  }
  expect(undeclared).toEqual([]);
});

test("a member's token says the account's id, and their own calls stay their own", async ({
  app,
  db,
  account,
  signInAs,
}) => {
  const viewer = await buildMember(db, { accountId: account.userId, role: "viewer", userName: "Vee" });
  const headers = await signInAs(viewer);
  const payload = JSON.parse(Buffer.from(headers.authorization.split(".")[1] ?? "", "base64url").toString()) as {
    id: string;
  };
  expect(payload.id).toBe(account.userId);
  const read = async (url: string) => {
    const answer = await app.inject({ url, headers });
    return {
      status: answer.statusCode,
      ...answer.json<{ code?: string; data?: { _id?: string; member?: object } & unknown[] }>(),
    };
  };
  expect(await read(`/api/${account.userId}/view-one-user`)).toMatchObject({
    status: 200,
    data: { _id: account.userId, member: { _id: viewer.userId, role: "viewer", userName: "Vee" } },
  });
  // Sessions, passwords and second factors are a person's: the account's id stands for whoever acts, and shows nothing of the others.
  await signInAs(account);
  for (const id of [account.userId, viewer.userId]) expect((await read(`/api/${id}/sessions`)).data).toHaveLength(1);
  const stranger = await buildUser(db);
  for (const url of [`/api/${stranger.userId}/sessions`, `/api/${stranger.userId}/statement`])
    expect(await read(url)).toMatchObject({ status: 403, code: "FORBIDDEN" });
});

// Goal: one account is one account to every limit that counts by its id. PostgreSQL takes an id in any case, a key of a map does not.
test("an account's id in capitals is nobody's, and changing over to one leads to the account's id", async ({
  app,
  db,
  account,
  signInAs,
}) => {
  const member = await buildMember(db, { accountId: account.userId, role: "sender", isHome: false });
  const capitals = account.userId.toUpperCase();
  for (const person of [member, account]) {
    const answer = await app.inject({ url: `/api/${capitals}/statement`, headers: await signInAs(person) });
    expect(answer.json()).toMatchObject({ code: "FORBIDDEN" });
  }
  const url = `/api/${member.userId}/switch-account`;
  const payload = { accountId: capitals };
  const switched = await app.inject({ method: "POST", url, headers: await signInAs(member), payload });
  const [, claims = ""] = switched.json<{ data: string }>().data.split(".");
  expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({ id: account.userId });
});

test("who has an account of their own acts for both, each by its id", async ({ app, db, account, signInAs }) => {
  const sender = await buildMember(db, { accountId: account.userId, role: "sender", isHome: false });
  const headers = await signInAs(sender);
  const change = async (id: string, call: string) =>
    (await app.inject({ method: "PATCH", url: `/api/${id}/${call}`, headers, payload: {} })).statusCode;
  const read = async (id: string) =>
    (await app.inject({ url: `/api/${id}/view-one-user`, headers })).json<{ data: object }>().data;
  expect(await read(sender.userId)).toMatchObject({
    _id: sender.userId,
    accounts: [
      { _id: sender.userId, role: "owner" },
      { _id: account.userId, role: "sender" },
    ],
  });
  expect(await read(account.userId)).toMatchObject({ _id: account.userId, member: { role: "sender" } });
  expect(await change(sender.userId, "notifications")).toBe(200);
  expect(await change(account.userId, "notifications")).toBe(403);
});

test("a role that is taken away holds from the next call on; so do a removal and a block of the account", async ({
  app,
  db,
  account,
  signInAs,
}) => {
  const url = `/api/${account.userId}/templates`;
  for (const isHome of [true, false]) {
    const member = await buildMember(db, { accountId: account.userId, role: "sender", isHome });
    const headers = await signInAs(member);
    const add = async () =>
      (await app.inject({ method: "POST", url, headers, payload: { name: "A", message: "B" } })).statusCode;
    expect(await add()).toBe(201);
    await db.query("update account_member set role = 'viewer' where member_id = $1", [member.memberId]);
    expect(await add()).toBe(403);
    await db.query("update account_member set role = 'sender' where member_id = $1", [member.memberId]);
    await db.query("delete from account_member where member_id = $1", [member.memberId]);
    expect(await add()).toBe(isHome ? 401 : 403);
  }
});
