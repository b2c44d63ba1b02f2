/** Tests and what is live know nothing of each other, whichever call of the contract is asked. */
import * as contract from "@ewebal/contract";
import { expect, test } from "../../../testing/app.ts";
import { buildAdmin } from "../../../testing/factories.ts";
import { buildSendBody, buildSender } from "../../../testing/messages-factories.ts";
import { createApiKey } from "../../accounts/index.ts";

type Route = { method: "DELETE" | "GET" | "PATCH" | "POST"; url: string };

const routes = Object.entries(contract)
  .filter(([name]) => name.endsWith("Routes"))
  .flatMap(([, table]) => Object.values(table as object) as unknown[])
  .filter(
    (value): value is Route => typeof value === "object" && value !== null && "url" in value && "method" in value,
  );

/** Their answers change by being asked, name the keys of both modes, or are no JSON. */
const OTHERS = new Set([
  "/api/:userId/api-keys",
  "/api/:userId/request-log",
  "/api/:userId/usage",
  "/api/events",
  "/api/view-api-keys",
  "/api/view-audit-entries",
  "/api/view-audit-state",
  "/api/virtual-phones",
]);

/** What is read without naming one thing: lists, counts, statement, balance, statistics, of the customer and of all. */
const reads = routes.filter(
  ({ method, url }) =>
    method === "GET" && !OTHERS.has(url) && !/:(?!userId\b|adminId\b|id\b)/.test(url) && !url.includes("/verify"),
);
/** What names a message or a code, which are of one mode. Catalogs, texts, opt-outs and webhooks are the account's. */
const ofOne = routes.filter(({ url }) => url.startsWith("/api/v1/") && /:(messageId|verificationId)/.test(url));

test("no call of a test changes what is read of live, or finds its ids, and the other way round", async ({
  app,
  db,
  deps,
  signInAs,
}) => {
  const sender = await buildSender(db, { balanceMilli: 1_000_000 });
  const admin = await buildAdmin(db);
  const keys = {
    live: (await createApiKey(deps, sender.userId, { name: "Shop" })).key,
    test: (await createApiKey(deps, sender.userId, { name: "CI", mode: "test" })).key,
  };
  type Mode = keyof typeof keys;
  const sessions = { customer: await signInAs(sender), admin: await signInAs(admin) };
  const call = async (mode: Mode, { method, url }: Route, payload?: object) => {
    const answer = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${keys[mode]}` },
      ...(payload !== undefined && { payload }),
    });
    return { status: answer.statusCode, body: answer.body };
  };
  const use = async (mode: Mode): Promise<{ messageId: string; scheduledId: string; verificationId: string }> => {
    const idOf = async (url: string, payload: object): Promise<string> => {
      const { body } = await call(mode, { method: "POST", url: `/api/v1/${url}` }, payload);
      return (JSON.parse(body) as { data: { _id: string } }).data._id;
    };
    const body = { ...buildSendBody(), code: "234", optOutLink: true, reference: "order-1" };
    return {
      messageId: await idOf("messages", body),
      scheduledId: await idOf("messages", { ...body, sendAt: new Date(Date.now() + 3_600_000).toISOString() }),
      verificationId: await idOf("verifications", { to: "2348030000009", senderName: body.senderName }),
    };
  };
  /** Every read, as text by its address. */
  const readAll = async (mode: Mode): Promise<Map<string, string>> => {
    const answers = new Map<string, string>();
    for (const { url } of reads) {
      const isProgram = url.startsWith("/api/v1/");
      if (mode === "test" && !isProgram) continue;
      const isOfAdmins = url.includes("/view-") || url.includes(":adminId");
      const session = isOfAdmins ? sessions.admin : sessions.customer;
      const id = isOfAdmins ? admin.adminId : sender.userId;
      const answer = await app.inject({
        url: url.replaceAll(/:\w+/g, id),
        headers: isProgram ? { authorization: `Bearer ${keys[mode]}` } : session,
      });
      // A refusal names its request.
      answers.set(url, answer.statusCode === 200 ? `200 ${answer.body}` : String(answer.statusCode));
    }
    return answers;
  };

  const live = await use("live");
  const liveBefore = await readAll("live");
  const read = [...liveBefore.values()].filter((answer) => answer.startsWith("200"));
  expect(read.length).toBeGreaterThan(30);
  const tried = await use("test");
  // All that a test key may do to the live ones, which is nothing.
  const refuse = async (mode: Mode, ids: typeof live): Promise<void> => {
    for (const route of ofOne)
      for (const messageId of [ids.messageId, ids.scheduledId]) {
        const url = route.url.replace(":messageId", messageId).replace(":verificationId", ids.verificationId);
        const payload =
          route.method === "GET"
            ? undefined
            : url.endsWith("/check")
              ? { code: "000000" }
              : route.method === "PATCH"
                ? { message: "Other" }
                : {};
        expect([
          mode,
          route.method,
          route.url,
          (await call(mode, { method: route.method, url }, payload)).status,
        ]).toEqual([mode, route.method, route.url, 404]);
      }
  };
  expect(ofOne.length).toBeGreaterThan(7);
  await refuse("test", live);
  const changed = (before: Map<string, string>, after: Map<string, string>): string[] =>
    [...before].flatMap(([url, answer]) => (after.get(url) === answer ? [] : [`${url}\n${answer}\n${after.get(url)}`]));
  expect(changed(liveBefore, await readAll("live"))).toEqual([]);

  const triedBefore = await readAll("test");
  expect(triedBefore.get("/api/v1/messages")).toContain(tried.messageId);
  expect(triedBefore.get("/api/v1/messages")).not.toContain(live.messageId);
  await refuse("live", tried);
  await use("live");
  // The balance and the statement are the account's own, in either mode.
  const shared = ["/api/v1/balance", "/api/v1/statement"];
  const afterwards = await readAll("test");
  for (const url of shared) triedBefore.delete(url);
  expect(changed(triedBefore, afterwards)).toEqual([]);
});
