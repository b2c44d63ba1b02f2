import * as contract from "@ewebal/contract";
import { describe } from "vitest";
import { z } from "zod";
import { expect, test as base } from "../../../testing/app.ts";
import { buildMessage } from "../../../testing/delivery-factories.ts";
import { buildDeposit } from "../../../testing/deposit-factories.ts";
import { buildAdmin, buildUser, type BuiltAdmin, type BuiltUser } from "../../../testing/factories.ts";
import { buildDraft } from "../../../testing/messages-factories.ts";
import { privateReads } from "./private-reads.ts";

const test = base.extend<{
  admin: BuiltAdmin;
  get: (path: string, headers?: Record<string, string>) => Promise<number>;
  readEntries: () => Promise<{ action: string; subjectId: string | null }[]>;
}>({
  admin: async ({ db }, use) => await use(await buildAdmin(db)),
  get: async ({ app, admin, signInAs }, use) => {
    const asAdmin = await signInAs(admin);
    await use(
      async (path, headers = asAdmin) => (await app.inject({ method: "GET", url: `/api/${path}`, headers })).statusCode,
    );
  },
  readEntries: async ({ db }, use) => {
    await use(
      async () =>
        (
          await db.query<{ action: string; subjectId: string | null }>(
            `select action, subject_id as "subjectId" from audit_entry order by created_at, audit_id`,
          )
        ).rows,
    );
  },
});

/** A text with its sender, or a number with its network: what a customer wrote, and to whom. */
function isPrivate(route: contract.RouteContract): boolean {
  const answer = route.schema.response[200];
  if (route.method !== "GET" || answer === undefined) return false;
  const shape = JSON.stringify(z.toJSONSchema(answer, { unrepresentable: "any", io: "output" }));
  return (
    (shape.includes('"senderName":') && shape.includes('"message":') && shape.includes('"phoneNo":')) ||
    shape.includes('"network":{"type":"string"},"reason"')
  );
}

/** Calls that no administrator may make. */
const customersOnly = [
  "/api/v1/messages",
  "/api/v1/messages/:messageId",
  "/api/v1/messages/:messageId/recipients",
  "/api/:userId/approvals",
];

test("every call that shows texts or numbers to administrators has its row", () => {
  const routes = Object.values(contract).flatMap((part) =>
    typeof part === "object" && part !== null ? Object.values(part as object) : [],
  ) as contract.RouteContract[];
  const shown = routes
    .filter(
      (route) => typeof route === "object" && route !== null && "url" in route && "schema" in route && isPrivate(route),
    )
    .map(({ url }) => url);
  expect(shown).toEqual(
    expect.arrayContaining([
      "/api/:messageId/view-any-sms",
      "/api/:userId/:messageId/recipients",
      "/api/view-all-drafts",
    ]),
  );
  expect(shown.filter((url) => !privateReads.has(url) && !customersOnly.includes(url))).toEqual([]);
});

describe("an entry is left by an administrator who reads", () => {
  test("a message, its recipients, a draft, lists of them", async ({ db, get, admin, readEntries, deps }) => {
    const { userId, messageId } = await buildMessage(db);
    const user = await buildUser(db);
    const draftId = await buildDraft(db, { userId: user.userId });
    for (const [path, action, subjectId] of [
      [`${messageId}/view-any-sms`, "view-any-sms", messageId],
      [`${userId}/${messageId}/view-one-sms`, "view-one-sms", messageId],
      [`${userId}/${messageId}/recipients`, "recipients", messageId],
      [`${userId}/populate-sms-history`, "populate-sms-history", userId],
      ["view-all-sms-messages", "view-all-sms-messages", null],
      [`${draftId}/view-any-draft`, "view-any-draft", draftId],
      ["view-all-drafts", "view-all-drafts", null],
    ] as const) {
      const before = deps.logLines.length;
      expect(await get(path), path).toBe(200);
      expect((await readEntries()).at(-1)).toEqual({ action, subjectId });
      expect(deps.logLines.slice(before)).toMatchObject([
        { security: "private-read", account: admin.id, ...(subjectId !== null && { subject: subjectId }) },
      ]);
    }
  });

  test("a file of recipients", async ({ db, get, readEntries }) => {
    const { userId, messageId } = await buildMessage(db);
    expect(await get(`${userId}/${messageId}/recipients?format=csv`)).toBe(200);
    expect(await readEntries()).toEqual([{ action: "recipients", subjectId: messageId }]);
  });
});

test("no entry is left by customers who read their own, by refusals, and by what is no one's text", async ({
  db,
  get,
  readEntries,
  signInAs,
}) => {
  const { userId, messageId } = await buildMessage(db);
  const { depositId } = await buildDeposit(db, { userId });
  expect(await get(`${userId}/populate-sms-history`, await signInAs({ kind: "user", id: userId } as BuiltUser))).toBe(
    200,
  );
  expect(await get(`${userId}/view-any-sms`)).toBe(404);
  expect(await get(`${depositId}/view-one-transaction`)).toBe(200);
  expect(await get("view-all-users")).toBe(200);
  expect(await readEntries()).toEqual([]);
  expect(await get(`${messageId}/view-any-sms`)).toBe(200);
  expect(await readEntries()).toHaveLength(1);
});

test("a page that reads again and again leaves one entry in ten minutes; another administrator another", async ({
  db,
  get,
  clock,
  readEntries,
  signInAs,
}) => {
  const { messageId } = await buildMessage(db);
  for (let times = 0; times < 3; times += 1) await get(`${messageId}/view-any-sms`);
  expect(await readEntries()).toHaveLength(1);
  await get(`${messageId}/view-any-sms`, await signInAs(await buildAdmin(db)));
  expect(await readEntries()).toHaveLength(2);
  clock.advance(10 * 60_000);
  await get(`${messageId}/view-any-sms`);
  expect(await readEntries()).toHaveLength(3);
});

test("without its entry nothing is shown", async ({ app, db, admin, signInAs }) => {
  const { messageId } = await buildMessage(db, { body: "A private text" });
  await db.query("alter table audit_entry rename to audit_entry_away");
  const answer = await app.inject({
    method: "GET",
    url: `/api/${messageId}/view-any-sms`,
    headers: await signInAs(admin),
  });
  await db.query("alter table audit_entry_away rename to audit_entry");
  expect(answer.statusCode).toBe(500);
  expect(answer.body).not.toContain("A private text");
});
