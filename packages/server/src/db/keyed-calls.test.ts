import * as contract from "@ewebal/contract";
import type { InjectOptions } from "fastify";
import { v7 as uuidv7 } from "uuid";
import type { App } from "../http/app-type.ts";
import { createApiKey } from "../features/accounts/index.ts";
import { ensurePartitions } from "../features/delivery/index.ts";
import { buildInbound } from "../features/delivery/testing/build-inbound.ts";
import { releaseHolds } from "../ledger/index.ts";
import { expect, test, type AppFixtures } from "../testing/app.ts";
import { buildCatalog } from "../testing/contacts-factories.ts";
import { buildMessage } from "../testing/delivery-factories.ts";
import { buildAdmin, buildUser, type BuiltUser } from "../testing/factories.ts";
import {
  buildApprovedAddress,
  buildDraft,
  buildSendBody,
  buildSender,
  FACTORY_SENDER_NAME,
} from "../testing/messages-factories.ts";
import type { Db } from "./pool.ts";
import { withTransaction } from "./transaction.ts";

type Given = Pick<AppFixtures, "deps" | "signInAs"> & { db: Db; sender: BuiltUser };

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** One request that each call with an `Idempotency-Key` accepts. */
const requests: Record<string, (given: Given) => Promise<InjectOptions>> = {
  creditAUser: async ({ db, sender, signInAs }) => {
    const admin = await buildAdmin(db);
    const payload = { email: sender.email, units: 5 };
    return { method: "PATCH", url: `/api/${admin.adminId}/credit-a-user`, headers: await signInAs(admin), payload };
  },
  createCatalog: byCustomer(() => ({ path: "create-catalog", payload: { catalogName: "Friends", code: "234" } })),
  insertToNewTel: byCustomer(() => ({
    path: "insert-to-new-tel",
    payload: { catalogName: "Family", code: "234", phoneNo: "08030000001,08030000001" },
  })),
  insertToExistingTel: byCustomer(async (given) => ({
    path: `${await buildCatalog(given.db, given.sender)}/insert-to-existing-tel`,
    payload: { phoneNo: "08030000002" },
  })),
  addContacts: byCustomer(async (given) => ({
    path: `${await buildCatalog(given.db, given.sender)}/add-contacts`,
    payload: { phoneNo: "8030000003" },
  })),
  uploadToNewTel: byCustomer(() => ({
    path: "upload-to-new-tel",
    payload: formOf({ catalogName: "Work", code: "234", csv: fileOf("08030000004\n", "numbers.csv") }),
  })),
  uploadToExistingTel: byCustomer(async (given) => ({
    path: `${await buildCatalog(given.db, given.sender)}/upload-to-existing-tel`,
    payload: formOf({ csv: fileOf("08030000005\n", "numbers.csv") }),
  })),
  submitTransferDetails: byCustomer(() => ({
    path: "submit-transfer-details",
    payload: formOf({
      depositorName: "Ada Obi",
      amountDeposited: "10000",
      phoneNo: "08031234567",
      tellerId: "TRF-0001",
      transactionDate: "2026-03-05",
      bankDeposited: "Ewebal Microfinance Bank",
      image: fileOf(PNG, "receipt.png"),
    }),
  })),
  draftMessage: byCustomer(() => ({ path: "draft-message", payload: buildSendBody() })),
  sendDraftSms: byCustomer(async ({ db, sender }) => ({
    path: `${await buildDraft(db, sender)}/send-draft-sms`,
    payload: {},
  })),
  needHelp: () =>
    Promise.resolve({
      method: "POST",
      url: "/api/need-help",
      payload: { userName: "Ada", email: "ada@gmail.com", subject: "Rates", message: "What does a message cost?" },
    }),
  sendBulkSms: byCustomer(() => ({ path: "send-bulk-sms", payload: buildSendBody() })),
  resendFailed: byCustomer(async ({ db, sender }) => ({
    path: `${await buildFailedMessage(db, sender)}/resend-failed`,
    payload: {},
  })),
  moveUnits: byCustomer(async ({ db, sender }) => {
    const { userId } = await buildUser(db);
    await db.query("update app_user set parent_id = $2 where user_id = $1", [userId, sender.userId]);
    return { path: `${userId}/move-units`, payload: { units: 1 } };
  }),
  sendMessage: async ({ deps, sender }) => {
    const { key } = await createApiKey(deps, sender.userId, { name: "Shop" });
    return { method: "POST", url: "/api/v1/messages", headers: { "x-api-key": key }, payload: buildSendBody() };
  },
  replyToInbox: async ({ db, deps, sender }) => {
    const { key } = await createApiKey(deps, sender.userId, { name: "Shop" });
    const url = `/api/v1/inbox/${await buildInboxMessage(db, sender)}/reply`;
    return { method: "POST", url, headers: { "x-api-key": key }, payload: { message: "At eight." } };
  },
  startVerification: async ({ deps, sender }) => {
    const { key } = await createApiKey(deps, sender.userId, { name: "Shop" });
    const payload = { to: "2348030000001", senderName: FACTORY_SENDER_NAME };
    return { method: "POST", url: "/api/v1/verifications", headers: { "x-api-key": key }, payload };
  },
  scheduleSms: byCustomer(({ deps: { clock } }) => {
    const sendAt = new Date(clock.now().getTime() + 3_600_000).toISOString();
    return { path: "schedule-sms", payload: { ...buildSendBody(), sendAt } };
  }),
  scheduleDraftSms: byCustomer(async ({ db, sender, deps: { clock } }) => {
    const sendAt = new Date(clock.now().getTime() + 3_600_000).toISOString();
    return {
      path: `${await buildDraft(db, sender)}/schedule-draft-sms`,
      payload: { ...buildSendBody(), sendAt },
    };
  }),
  sendTest: byCustomer(() => ({
    path: "send-test",
    payload: { senderName: FACTORY_SENDER_NAME, message: "Dear {{name}}", fields: { name: "Ada" } },
  })),
  reply: byCustomer(async ({ db, sender }) => ({
    path: `${await buildInboxMessage(db, sender)}/reply`,
    payload: { message: "At eight." },
  })),
};

type Path = { path: string; payload: object };

function byCustomer(request: (given: Given) => Path | Promise<Path>): (given: Given) => Promise<InjectOptions> {
  return async (given) => {
    const { path, payload } = await request(given);
    const { sender, signInAs } = given;
    return { method: "POST", url: `/api/${sender.userId}/${path}`, headers: await signInAs(sender), payload };
  };
}

function formOf(fields: Record<string, string | File>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

function fileOf(content: string | Buffer, name: string): File {
  return new File([new Uint8Array(Buffer.from(content))], name);
}

async function buildInboxMessage(db: Db, { userId }: BuiltUser): Promise<string> {
  await db.query(
    "insert into inbound_number (number_id, number, user_id, created_at) values ($2, '2347000000001', $1, now())",
    [userId, uuidv7()],
  );
  await buildInbound(db, [{ from: "2348030000001", to: "2347000000001", text: "When do you open?" }]);
  const { rows } = await db.query<{ id: string }>("select inbound_id as id from inbox_message where user_id = $1", [
    userId,
  ]);
  return rows[0]?.id ?? "";
}

async function buildFailedMessage(db: Db, { userId }: BuiltUser): Promise<string> {
  await ensurePartitions(db, new Date());
  const { messageId } = await buildMessage(db, { userId, recipientCount: 1, senderName: FACTORY_SENDER_NAME });
  await db.query(
    `insert into delivery (user_id, message_id, position, phone_no, state, submitted_at, updated_at, error_code)
     values ($1, $2, 0, 2348030000000, 3, now(), now(), 'report:expired')`,
    [userId, messageId],
  );
  await withTransaction(db, async (tx) => {
    await tx.query("update message_count set waiting = 0, failed = 1 where message_id = $1", [messageId]);
    await tx.query("update message_batch set state = 3, intent_count = 1 where message_id = $1", [messageId]);
    await releaseHolds(tx, [{ userId, holdId: messageId, amountMilli: 3_000 }]);
  });
  return messageId;
}

const keyedCalls = Object.entries(contract)
  .filter(([name]) => name.endsWith("Routes"))
  .flatMap(([, routes]) => Object.entries(routes as Record<string, contract.RouteContract>))
  .filter(([, { schema }]) => (schema as { headers?: unknown }).headers === contract.idempotencyHeaders)
  .map(([name]) => name);

async function buildGiven(fixtures: Omit<Given, "sender">): Promise<Given> {
  const sender = await buildSender(fixtures.db);
  await buildApprovedAddress(fixtures.db, { userId: sender.userId, address: "127.0.0.1" });
  return { ...fixtures, sender };
}

/** As the release before reads the row of a repeated request; it sends what it finds. */
async function readAsReleaseBefore(db: Db): Promise<{ status: number; body: unknown }[]> {
  const { rows } = await db.query<{ status: number; body: string }>(
    "select fingerprint, status, body from idempotent_answer where key is not null",
  );
  return rows.map(({ status, body }) => ({ status, body: JSON.parse(body) as unknown }));
}

async function ask(app: App, request: InjectOptions): Promise<{ status: number; body: Record<string, unknown> }> {
  const { statusCode, json } = await app.inject(request);
  return { status: statusCode, body: json() };
}

// Goal: during an upgrade, a request and its repeat may reach web servers of two releases. Method: the row of every keyed call is
// read with the statement of the release before, and is the answer that was sent; its repeat here reads the same row.
test.for(keyedCalls)(
  "%s keeps the answer that it sends, and sends it again",
  async (name, { app, db, deps, signInAs }) => {
    const request = await requests[name]?.(await buildGiven({ db, deps, signInAs }));
    const headers = { ...request?.headers, "idempotency-key": "key-1" };
    const first = await ask(app, { ...request, headers });
    expect([200, 201, 202]).toContain(first.status);
    if (!NEW_CALLS.has(name))
      expect(await readAsReleaseBefore(db)).toEqual([{ status: first.status, body: keptOf(name, first.body) }]);
    expect(await ask(app, { ...request, headers })).toEqual(first);
  },
);

/** The release before cannot be asked to repeat them. */
const NEW_CALLS = new Set(["startVerification", "replyToInbox"]);

/** What differs between a row and its answer, in the release before as well. */
function keptOf(name: string, body: Record<string, unknown>): unknown {
  // Its answer never depended on the row.
  if (name === "needHelp") return null;
  // The route adds the message to the data.
  if (name === "addContacts") {
    const { message: _, ...data } = body["data"] as Record<string, unknown>;
    return { ...body, data };
  }
  return body;
}

test("a send by address keeps the answer that it sends, and sends it again", async ({ app, db, deps, signInAs }) => {
  const { sender } = await buildGiven({ db, deps, signInAs });
  const { key } = await createApiKey(deps, sender.userId, { name: "Shop" });
  const { senderName, message, phoneNo, code } = buildSendBody();
  const parts = [sender.email, key, message, senderName, phoneNo, code].map(encodeURIComponent);
  const request = { url: `/api/send-bulk-sms/${parts.join("/")}` };
  const first = await ask(app, request);
  expect(first.status).toBe(200);
  expect(await readAsReleaseBefore(db)).toEqual([first]);
  expect(await ask(app, request)).toEqual(first);
});

// Other outcomes of the calls above, whose status differs.
test("a credit that waits, a send that skips DND numbers and a program's scheduled send are kept as they are sent", async ({
  app,
  db,
  deps,
  signInAs,
}) => {
  const given = await buildGiven({ db, deps, signInAs });
  await db.query("insert into dnd_number (phone_no, source) values (2348030000001, 'test')");
  const sendAt = new Date(deps.clock.now().getTime() + 3_600_000).toISOString();
  const changed = [
    { name: "creditAUser", payload: { email: given.sender.email, units: 100_001 }, status: 202 },
    { name: "sendBulkSms", payload: buildSendBody(), status: 503 },
    { name: "sendMessage", payload: { ...buildSendBody(), sendAt }, status: 201 },
  ];
  for (const { name, payload, status } of changed) {
    const request = await requests[name]?.(given);
    const keyed = { ...request, payload, headers: { ...request?.headers, "idempotency-key": name } };
    const first = await ask(app, keyed);
    expect(first.status).toBe(status);
    expect(await readAsReleaseBefore(db)).toContainEqual(first);
    expect(await ask(app, keyed)).toEqual(first);
  }
});
