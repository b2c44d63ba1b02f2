import { Readable } from "node:stream";
import * as contract from "@ewebal/contract";
import { adminRoles, type AdminRole, type RouteContract } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { buildApp } from "../../main/app.ts";
import { eventRoutes } from "../../events/index.ts";
import { expect, test as base } from "../../testing/app.ts";
import { buildAdmin, type BuiltAdmin, buildUser } from "../../testing/factories.ts";
import { buildDraft } from "../../testing/messages-factories.ts";
import { administratorCalls } from "./administrator-calls.ts";
import type { App } from "../app-type.ts";
import { virtualPhoneRoutes } from "../virtual-phone-routes.ts";

type Call = `${RouteContract["method"]} /${string}`;

const test = base.extend<{ app: App; say: (call: string, as?: BuiltAdmin) => Promise<string> }>({
  // Every route of the web role, also those that need it to be listening.
  app: async ({ deps }, use) => {
    const app = await buildApp(deps);
    eventRoutes(app, { open: () => Readable.from([]), close: async () => undefined });
    virtualPhoneRoutes(app, undefined, () => false);
    await app.ready();
    await use(app);
    await app.close();
  },
  /** Makes a call with the administrator's own id, ids of nothing, and no body. @returns the answer's code, empty when it has none. */
  say: async ({ app, signInAs }, use) => {
    await use(async (call, as) => {
      const [method, pattern] = call.split(" ") as [RouteContract["method"], string];
      const url = pattern.replace(/:(\w+)/g, (_, name: string) =>
        as !== undefined && (name === "adminId" || name === "id") ? as.adminId : uuidv7(),
      );
      const answer = await app.inject({ method, url, ...(as !== undefined && { headers: await signInAs(as) }) });
      // What is no JSON is no refusal.
      return String(answer.headers["content-type"]).startsWith("application/json")
        ? (answer.json<{ code?: string }>().code ?? "")
        : "";
    });
  },
});

/** All calls that browser and server know, by method and path. */
const knownCalls = Object.values(contract)
  .flatMap((value): unknown[] =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? Object.values(value) : [],
  )
  .filter(
    (value): value is RouteContract =>
      typeof value === "object" && value !== null && "method" in value && "url" in value,
  )
  .map(({ method, url }): Call => `${method} ${url}`);

test("each call is refused to exactly the roles that the table leaves out", async ({ db, say }) => {
  const admins = new Map<AdminRole, BuiltAdmin>();
  for (const role of adminRoles) admins.set(role, await buildAdmin(db, { role }));
  const passed: Record<string, AdminRole[]> = {};
  for (const call of Object.keys(administratorCalls)) {
    passed[call] = [];
    for (const [role, admin] of admins) if ((await say(call, admin)) !== "FORBIDDEN") passed[call].push(role);
  }
  expect(passed).toEqual(
    Object.fromEntries(Object.entries(administratorCalls).map(([call, { roles }]) => [call, roles])),
  );
});

test("the table has every call that opens to an administrator and to no visitor, and no other", async ({ db, say }) => {
  const owner = await buildAdmin(db, { role: "owner" });
  const open: string[] = [];
  for (const call of new Set(knownCalls)) {
    if (call in administratorCalls)
      expect(await say(call), call).toMatch(/^(AUTH_REQUIRED|NOT_FOUND|LINK_INVALID|VALIDATION)$/);
    else if ((await say(call)) === "AUTH_REQUIRED" && !["FORBIDDEN", "AUTH_REQUIRED"].includes(await say(call, owner)))
      open.push(call);
  }
  expect(open).toEqual([]);
  expect(Object.keys(administratorCalls).filter((call) => !knownCalls.includes(call as Call))).toEqual([]);
});

test("support and viewers read messages without their texts, and cannot search for them", async ({
  app,
  db,
  signInAs,
}) => {
  const { userId } = await buildUser(db);
  const draftId = await buildDraft(db, { userId, message: "A private text" });
  const read = async (role: AdminRole, url: string) => {
    const answer = await app.inject({ url, headers: await signInAs(await buildAdmin(db, { role })) });
    return { status: answer.statusCode, body: answer.body };
  };
  const addresses = [
    "/api/view-all-drafts",
    `/api/${draftId}/view-any-draft`,
    `/api/${userId}/populate-drafts`,
    `/api/${userId}/${draftId}/view-one-draft`,
  ];
  for (const url of addresses) {
    for (const role of ["owner", "admin"] as const) expect((await read(role, url)).body).toContain("A private text");
    for (const role of ["support", "viewer"] as const) {
      const { status, body } = await read(role, url);
      expect([status, body.includes(draftId), body.includes("private")]).toEqual([200, true, false]);
    }
  }
  expect((await read("support", "/api/view-all-drafts?search=private")).status).toBe(403);
  expect((await read("viewer", `/api/${userId}/populate-sms-history?format=csv`)).status).toBe(403);
  expect((await read("admin", "/api/view-all-drafts?search=private")).status).toBe(200);
});

test("a role that is taken away holds from the next call on", async ({ app, db, signInAs }) => {
  const admin = await buildAdmin(db, { role: "admin" });
  const headers = await signInAs(admin);
  const read = async () => (await app.inject({ url: "/api/view-carriers", headers })).statusCode;
  expect(await read()).toBe(200);
  await db.query("update admin set role = 'finance' where admin_id = $1", [admin.adminId]);
  expect(await read()).toBe(403);
});
