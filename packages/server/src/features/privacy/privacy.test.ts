import { TEXT_NOT_KEPT } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import { fromBuffer, type Entry, type ZipFile } from "yauzl";
import { readConfig } from "../../base/config.ts";
import type { Deps } from "../../base/deps.ts";
import { selectKeptFiles } from "../../backup/backup-store.ts";
import { openFileStore, storeFile } from "../../files/index.ts";
import { readBalance } from "../../ledger/index.ts";
import { expect, test as base } from "../../testing/app.ts";
import { buildCatalog } from "../../testing/contacts-factories.ts";
import { buildMessage, type BuiltMessage } from "../../testing/delivery-factories.ts";
import { buildDeposit } from "../../testing/deposit-factories.ts";
import { buildAdmin, type BuiltUser, buildMember, buildUser, FACTORY_PASSWORD } from "../../testing/factories.ts";
import { topUpUser } from "../../testing/ledger-factories.ts";
import { buildDraft, buildSendBody, buildSender } from "../../testing/messages-factories.ts";
import { listRecipients } from "../delivery/index.ts";
import { removeOldTextsAndNumbers } from "../delivery/retention/forget-messages.ts";
import { startDueMessages } from "../delivery/queue/start-due-messages.ts";
import { eraseClosedAccounts, stopClosedQueue } from "./close-account.ts";
import { eraseNumberQueue } from "./erase-number.ts";
import { exportDataQueue, oldExportsQueue } from "./export-data.ts";
import { KEPT_OF_CUSTOMERS, ROWS_OF_CUSTOMERS } from "./erase-store.ts";

const DAY_MS = 24 * 3_600_000;

type Answer = { status: number; code?: string; message: string; data: Record<string, unknown> };
type Call = (
  as: BuiltUser | Awaited<ReturnType<typeof buildAdmin>>,
  method: "GET" | "POST" | "PATCH",
  path: string,
  payload?: object,
) => Promise<Answer>;

const test = base.extend<{
  owner: BuiltUser;
  call: Call;
  close: (password?: string, as?: BuiltUser) => Promise<Answer>;
  signIn: (email: string) => Promise<Answer>;
  /** A message at its end, each of whose recipients got it and paid. */
  deliver: (facts: Parameters<typeof buildMessage>[1] & { userId: string }) => Promise<BuiltMessage>;
  count: (table: string, userId?: string) => Promise<number>;
}>({
  owner: async ({ db }, use) =>
    await use(await buildSender(db, { fullName: "Acme Limited", email: "owner@gmail.com", balanceMilli: 100_000_000 })),
  call: async ({ app, signInAs }, use) => {
    await use(async (as, method, path, payload) => {
      const headers = await signInAs(as);
      const answer = await app.inject({ method, url: `/api/${path}`, headers, ...(payload && { payload }) });
      return { status: answer.statusCode, ...answer.json<Omit<Answer, "status">>() };
    });
  },
  close: async ({ call, owner }, use) => {
    await use(
      async (password = FACTORY_PASSWORD, as = owner) =>
        await call(as, "POST", `${owner.userId}/close-account`, { password }),
    );
  },
  signIn: async ({ app }, use) => {
    await use(async (email) => {
      const payload = { email, password: FACTORY_PASSWORD };
      const answer = await app.inject({ method: "POST", url: "/api/sign-in-user", payload });
      return { status: answer.statusCode, ...answer.json<Omit<Answer, "status">>() };
    });
  },
  deliver: async ({ db }, use) => {
    await use(async (facts) => {
      const message = await buildMessage(db, facts);
      const { userId, messageId, phoneNos, heldMilli } = message;
      await db.query(
        "update message_batch set state = 3, intent_count = recipient_count where user_id = $1 and message_id = $2",
        [userId, messageId],
      );
      await db.query(
        `insert into delivery (user_id, message_id, position, phone_no, state, submitted_at, updated_at)
         select $1, $2, place - 1, phone_no, 2, now(), now() from unnest($3::bigint[]) with ordinality as own (phone_no, place)`,
        [userId, messageId, phoneNos],
      );
      await db.query("update message_count set waiting = 0, delivered = $3 where user_id = $1 and message_id = $2", [
        userId,
        messageId,
        phoneNos.length,
      ]);
      await db.query("select move_holds($1, $2, $3, $4, $5)", [[userId], [messageId], [heldMilli], [0], [uuidv7()]]);
      await db.query("update message set state_at = created_at where user_id = $1 and message_id = $2", [
        userId,
        messageId,
      ]);
      return message;
    });
  },
  count: async ({ db, owner }, use) => {
    await use(async (table, userId = owner.userId) => {
      const { rows } = await db.query<{ count: number }>(
        `select count(*)::integer as count from ${table} where user_id = $1`,
        [userId],
      );
      return rows[0]?.count ?? -1;
    });
  },
});

/** A message for this many days ago. */
const daysAgo = (now: Date, days: number) => {
  const createdAt = new Date(now.getTime() - days * DAY_MS);
  return { createdAt, messageId: uuidv7({ msecs: createdAt.getTime() }) };
};

describe("closing an account", () => {
  test("is refused to strangers, members who are no owners, administrators, a wrong password and unknown fields", async ({
    app,
    db,
    owner,
    call,
    close,
  }) => {
    const url = `/api/${owner.userId}/close-account`;
    const payload = { password: FACTORY_PASSWORD };
    expect((await app.inject({ method: "POST", url, payload })).statusCode).toBe(401);
    for (const role of ["viewer", "sender", "approver"] as const)
      expect(await close(FACTORY_PASSWORD, await buildMember(db, { accountId: owner.userId, role }))).toMatchObject({
        status: 403,
        code: "FORBIDDEN",
      });
    expect(await close(FACTORY_PASSWORD, await buildUser(db))).toMatchObject({ status: 403 });
    expect(await call(await buildAdmin(db), "POST", `${owner.userId}/close-account`, payload)).toMatchObject({
      status: 403,
    });
    expect(await close("wrong horse 7")).toMatchObject({ status: 400, code: "PASSWORD_WRONG" });
    expect(await call(owner, "POST", `${owner.userId}/close-account`, { ...payload, bogus: 1 })).toMatchObject({
      status: 400,
      fields: { bogus: expect.any(String) as string },
    });
    const { userId: subId } = await buildUser(db);
    await db.query("update app_user set parent_id = $2 where user_id = $1", [subId, owner.userId]);
    expect(await close()).toMatchObject({ status: 409, code: "STATE_CONFLICT" });
    const { rows } = await db.query("select from app_user where closed_at is not null or blocked_at is not null");
    expect(rows).toEqual([]);
  });

  test("lets nothing out from then on, gives back what waited, and an administrator opens it again", async ({
    app,
    db,
    deps,
    owner,
    call,
    close,
    signIn,
    mailsTo,
  }) => {
    const { data: key } = await call(owner, "POST", `${owner.userId}/api-keys`, { name: "Shop" });
    const partner = await buildMember(db, { accountId: owner.userId, role: "owner" });
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    for (const extra of [{}, { repeat: { every: "day" } }])
      expect(
        (await call(owner, "POST", `${owner.userId}/schedule-sms`, { ...buildSendBody(), sendAt, ...extra })).status,
      ).toBe(201);
    // Deleted from the history, and still waiting.
    const hidden = await buildMessage(db, { userId: owner.userId });
    await db.query("update message set hidden_at = now() where message_id = $1", [hidden.messageId]);
    const { balanceMilli, heldMilli } = await readBalance(db, owner.userId);
    expect(heldMilli).toBe(6_000 + hidden.heldMilli);

    // Any owner may, with the own password.
    expect(await close(FACTORY_PASSWORD, partner)).toMatchObject({
      status: 200,
      data: { erasedAt: expect.any(String) as string },
    });
    expect(deps.jobs.enqueued.filter(({ name }) => name === stopClosedQueue.name)).toEqual([
      { name: stopClosedQueue.name, ids: { userId: owner.userId } },
      { name: stopClosedQueue.name, ids: { userId: owner.userId }, startAfterMs: 60_000 },
    ]);
    expect((await mailsTo(owner.email)).at(-1)?.subject).toContain("is closed");
    // Before the job has run nothing starts either.
    await db.query("update message set send_at = now() where state = 0");
    expect(await startDueMessages(db)).toEqual([]);
    await stopClosedQueue.handle(deps, { userId: owner.userId });
    await stopClosedQueue.handle(deps, { userId: owner.userId });
    expect(await readBalance(db, owner.userId)).toMatchObject({ balanceMilli, heldMilli: 0 });

    const send = { method: "POST", url: "/api/v1/messages", payload: buildSendBody() } as const;
    const byKey = await app.inject({ ...send, headers: { authorization: `Bearer ${String(key["key"])}` } });
    expect([byKey.statusCode, byKey.json<Answer>().code]).toEqual([403, "BLOCKED"]);
    expect(await signIn(owner.email)).toMatchObject({
      status: 403,
      code: "ACCOUNT_CLOSED",
      message: expect.stringContaining("Contact support before") as string,
    });
    expect(await call(owner, "POST", `${owner.userId}/send-bulk-sms`, buildSendBody())).toMatchObject({
      code: "BLOCKED",
    });
    expect(await close()).toMatchObject({ status: 403, code: "BLOCKED" });

    const admin = await buildAdmin(db);
    const audit = await call(admin, "GET", `view-audit-entries?action=close-account`);
    expect(audit.data).toMatchObject([
      { adminID: partner.userId, subjectID: owner.userId, adminName: partner.userName },
    ]);
    expect(await call(admin, "GET", `${owner.userId}/view-one-user`)).toMatchObject({
      data: { blocked: true, closedAt: expect.any(String) as string },
    });
    expect((await call(admin, "PATCH", `${owner.userId}/unblock-user`)).status).toBe(200);
    expect((await signIn(owner.email)).status).toBe(201);
    expect((await call(owner, "POST", `${owner.userId}/send-bulk-sms`, buildSendBody())).status).toBe(200);
    // Opened again, it is not erased when its month is over.
    await eraseClosedAccounts({ ...deps, clock: { now: () => new Date(Date.now() + 31 * DAY_MS) } });
    expect((await signIn(owner.email)).status).toBe(201);
  });

  test("erases it after 30 days but for money without names, also when the job was killed in between", async ({
    db,
    deps,
    clock,
    owner,
    call,
    close,
    signIn,
    deliver,
    count,
    mailsTo,
  }) => {
    const { userId } = owner;
    await buildCatalog(db, { userId, numbers: Float64Array.from([2_348_030_000_001, 2_348_030_000_002]) });
    await buildDraft(db, { userId });
    await call(owner, "POST", `${userId}/api-keys`, { name: "Shop" });
    await call(owner, "POST", `${userId}/opt-outs`, { phoneNo: "2348030000009" });
    const sent = await deliver({ userId, recipientCount: 501 });
    const other = await deliver({ userId: (await buildSender(db)).userId });
    const { depositId } = await buildDeposit(db, { userId });
    const store = await openFileStore(deps.config);
    const fileId = await storeFile(deps, store, {
      userId,
      extension: "pdf",
      contentType: "application/pdf",
      bytes: Buffer.from("%PDF-1"),
    });
    const before = await readBalance(db, userId);

    await close();
    clock.advance(30 * DAY_MS - 1_000);
    await eraseClosedAccounts(deps);
    expect(await count("catalog")).toBe(1);

    clock.advance(2_000);
    // The first run is killed when it comes to the drafts.
    await db.query("create function stop_here() returns trigger language plpgsql as $$ begin raise 'killed'; end $$");
    await db.query("create trigger stop_here before delete on draft execute function stop_here()");
    await expect(eraseClosedAccounts(deps)).rejects.toThrow("1 accounts could not be erased");
    expect([await count("catalog"), await count("draft")]).toEqual([0, 1]);
    const admin = await buildAdmin(db);
    expect(await call(admin, "PATCH", `${userId}/unblock-user`)).toMatchObject({ status: 409, code: "STATE_CONFLICT" });
    await db.query("drop trigger stop_here on draft");
    await Promise.all([eraseClosedAccounts(deps), eraseClosedAccounts(deps)]);

    for (const { table } of ROWS_OF_CUSTOMERS) expect(await count(table), table).toBe(0);
    expect([await count("delivery"), await count("delivery", other.userId)]).toEqual([0, 3]);
    const { rows: left } = await db.query<{ text: string }>(
      `select (row_to_json(m)::jsonb || row_to_json(b)::jsonb)::text as text from message m join message_batch b using (user_id, message_id) where user_id = $1
       union all select row_to_json(u)::text from app_user u where user_id = $1
       union all select row_to_json(d)::text from deposit d where user_id = $1
       union all select row_to_json(i)::text from invoice i where user_id = $1`,
      [userId],
    );
    const text = left.map((row) => row.text).join("\n");
    expect(text).toContain(depositId);
    expect(text).toContain(sent.messageId);
    for (const trace of [owner.email, owner.fullName, "Good morning", "23480300", owner.phoneNo, "Ada"])
      expect(text, trace).not.toContain(trace);
    expect(await store.get(`${fileId.slice(-2)}/${fileId}.pdf`)).toBeUndefined();
    expect(await call(admin, "GET", `receipts/${depositId}`)).toMatchObject({ status: 404 });
    expect(await selectKeptFiles(db)).toEqual([]);
    expect(await readBalance(db, userId)).toEqual(before);
    expect(await signIn(owner.email)).toMatchObject({ status: 404, code: "EMAIL_UNKNOWN" });
    expect(await mailsTo(owner.email)).toEqual([]);
    const audit = await call(admin, "GET", "view-audit-entries?action=erase-account");
    expect(audit.data).toHaveLength(1);
    store.close();
  });

  test("forgets no table that says whose its rows are", async ({ db }) => {
    const { rows } = await db.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       where a.attname = 'user_id' and c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace`,
    );
    const listed = [...ROWS_OF_CUSTOMERS.map(({ table }) => table), ...KEPT_OF_CUSTOMERS];
    expect(rows.map(({ name }) => name).toSorted()).toEqual(listed.toSorted());
  });
});

describe("what is kept for some days", () => {
  const settings = (deps: Deps, environment: Record<string, string>): Deps => ({
    ...deps,
    config: { ...deps.config, keepDays: readConfig(environment).keepDays },
  });

  test("texts go, counts and costs stay, and everything that showed one says so", async ({
    db,
    deps,
    clock,
    owner,
    call,
    deliver,
  }) => {
    const { userId } = owner;
    const old = await deliver({ userId, ...daysAgo(clock.now(), 31) });
    const young = await deliver({ userId, ...daysAgo(clock.now(), 29) });
    const waiting = await buildMessage(db, { userId, ...daysAgo(clock.now(), 40) });
    await removeOldTextsAndNumbers(deps);
    const textsOf = async () => {
      const { data } = await call(owner, "GET", `${userId}/populate-sms-history`);
      return Object.fromEntries(
        (data as unknown as { _id: string; message: string }[]).map((row) => [row._id, row.message]),
      );
    };
    expect(Object.values(await textsOf())).not.toContain(TEXT_NOT_KEPT);

    const keeping = settings(deps, { KEEP_TEXTS_DAYS: "30" });
    await removeOldTextsAndNumbers(keeping);
    await removeOldTextsAndNumbers(keeping);
    expect(await textsOf()).toEqual({
      [old.messageId]: TEXT_NOT_KEPT,
      [young.messageId]: "Good morning",
      [waiting.messageId]: "Good morning",
    });
    const { data } = await call(owner, "GET", `${userId}/${old.messageId}/recipients`);
    expect(data).toMatchObject([{ phoneNo: String(old.phoneNos[0]), state: "delivered" }, {}, {}]);
    await db.query("update delivery set state = 3");
    await db.query("update message_count set failed = delivered, delivered = 0 where waiting = 0");
    expect(await call(owner, "POST", `${userId}/${old.messageId}/resend-failed`, { states: ["failed"] })).toMatchObject(
      { status: 409, message: "The text of this message is no longer kept" },
    );
    // The one that waits holds the point, and goes when it is at its end.
    await call(owner, "POST", `${userId}/${waiting.messageId}/cancel`);
    clock.advance(31 * DAY_MS);
    await removeOldTextsAndNumbers({ ...keeping, clock });
    expect(new Set(Object.values(await textsOf()))).toEqual(new Set([TEXT_NOT_KEPT]));
  });

  test("numbers go with what became of each, of the inbox too, and a run that is killed is taken up", async ({
    db,
    deps,
    clock,
    owner,
    call,
    deliver,
    count,
  }) => {
    const { userId } = owner;
    const olds = [];
    for (let days = 60; days < 63; days += 1)
      olds.push(await deliver({ userId, recipientCount: 501, ...daysAgo(clock.now(), days) }));
    const young = await deliver({ userId, ...daysAgo(clock.now(), 5) });
    for (const days of [50, 1]) {
      const inboundId = uuidv7({ msecs: clock.now().getTime() - days * DAY_MS });
      await db.query(
        `insert into inbox_message (user_id, inbound_id, from_address, to_address, body, received_at)
         values ($1, $2, '234803000000' || $3, '33811', 'hello', now())`,
        [userId, inboundId, days],
      );
      await db.query("insert into conversation values ($1, '234803000000' || $2, $3, 1)", [userId, days, inboundId]);
    }
    const keeping = settings(deps, { KEEP_NUMBERS_DAYS: "30" });
    await db.query("create function stop_here() returns trigger language plpgsql as $$ begin raise 'killed'; end $$");
    await db.query(
      `create trigger stop_here before update on message_batch for each row
       when (new.message_id = '${olds[0]?.messageId}' and new.batch_index = 1) execute function stop_here()`,
    );
    await expect(removeOldTextsAndNumbers(keeping)).rejects.toThrow("killed");
    await db.query("drop trigger stop_here on message_batch");
    await removeOldTextsAndNumbers(keeping);

    for (const { messageId } of olds) {
      const { rows } = await listRecipients(db, { userId, messageId, limit: 1_000 });
      expect(rows).toHaveLength(501);
      expect(new Set(rows.map(({ state, phoneNo }) => `${state} ${phoneNo}`))).toEqual(new Set(["notKept null"]));
      expect(await call(owner, "GET", `${userId}/${messageId}/view-one-sms`)).toMatchObject({
        data: { phoneNo: "", message: "Good morning", recipients: 501 },
      });
    }
    expect(await count("delivery")).toBe(young.phoneNos.length);
    expect([await count("inbox_message"), await count("conversation")]).toEqual([1, 1]);
    for (const wrong of ["0", "10", "x"])
      expect(() => readConfig({ KEEP_NUMBERS_DAYS: wrong })).toThrow("KEEP_NUMBERS_DAYS");
  });
});

/** The texts of a zip's files by their names. */
async function unzip(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true }, (error, opened) => (error === null ? resolve(opened) : reject(error))),
  );
  const files: Record<string, string> = {};
  return await new Promise((resolve, reject) => {
    zip.on("entry", (entry: Entry) =>
      zip.openReadStream(entry, (error, stream) => {
        if (error !== null) return reject(error);
        const parts: Buffer[] = [];
        stream.on("data", (part: Buffer) => parts.push(part));
        stream.on("end", () => {
          files[entry.fileName] = Buffer.concat(parts).toString();
          zip.readEntry();
        });
      }),
    );
    zip.on("end", () => resolve(files));
    zip.on("error", reject);
    zip.readEntry();
  });
}

describe("taking the data along", () => {
  test("is the owners' alone, is made once for two requests, and is loaded once in a session for seven days", async ({
    app,
    db,
    deps,
    clock,
    owner,
    call,
    deliver,
    mailsTo,
    signInAs,
  }) => {
    const { userId } = owner;
    const path = `${userId}/export-data`;
    expect((await app.inject({ method: "POST", url: `/api/${path}` })).statusCode).toBe(401);
    const sender = await buildMember(db, { accountId: userId, role: "sender" });
    const stranger = await buildUser(db);
    for (const other of [sender, stranger, await buildAdmin(db)])
      expect(await call(other, "POST", path)).toMatchObject({ status: 403 });
    expect(await call(owner, "POST", path, { bogus: 1 })).toMatchObject({ status: 400 });

    await buildCatalog(db, { userId, numbers: Float64Array.from([2_348_030_000_001]) });
    await call(owner, "POST", `${userId}/templates`, { name: "=HYPERLINK(1)", message: "Line one\nline “two”\\" });
    const { data: key } = await call(owner, "POST", `${userId}/api-keys`, { name: "Shop" });
    const sent = await deliver({ userId, recipientCount: 501 });
    await topUpUser(db, stranger.userId, 100_000);
    await deliver({ userId: stranger.userId, body: "Somebody else's" });
    expect(await call(owner, "GET", `${userId}/data-export`)).toMatchObject({ status: 200, data: null });
    for (let count = 0; count < 2; count += 1) expect((await call(owner, "POST", path)).status).toBe(202);
    const jobs = deps.jobs.enqueued.filter(({ name }) => name === exportDataQueue.name);
    expect(jobs).toHaveLength(1);
    const { data: waiting } = await call(owner, "GET", `${userId}/data-export`);
    expect(waiting).toMatchObject({ state: "waiting", byteCount: null });
    const load = async (as: BuiltUser, headers?: Record<string, string>) =>
      await app.inject({
        url: `/api/${userId}/${String(waiting["_id"])}/load-export`,
        headers: headers ?? (await signInAs(as)),
      });
    expect((await load(owner)).statusCode).toBe(404);

    await Promise.all([
      exportDataQueue.handle(deps, jobs[0]?.ids ?? {}),
      exportDataQueue.handle(deps, jobs[0]?.ids ?? {}),
    ]);
    expect((await mailsTo(owner.email)).filter(({ subject }) => subject.includes("data is ready"))).toHaveLength(1);
    for (const other of [sender, stranger]) expect((await load(other)).statusCode).toBe(403);
    expect((await load(owner, {})).statusCode).toBe(401);
    const headers = await signInAs(owner);
    const file = await load(owner, headers);
    expect([file.statusCode, file.headers["content-type"], file.headers["cache-control"]]).toEqual([
      200,
      "application/zip",
      "private, no-store",
    ]);
    expect((await load(owner, headers)).statusCode).toBe(409);
    expect((await load(owner)).statusCode).toBe(200);

    const files = await unzip(file.rawPayload);
    expect(files["recipients.jsonl"]?.trim().split("\n")).toHaveLength(501);
    expect(files["recipients.csv"]?.trim().split("\n")).toHaveLength(502);
    expect(JSON.parse(files["messages.jsonl"] ?? "")).toMatchObject({ message_id: sent.messageId, delivered: 501 });
    expect(JSON.parse(files["templates.jsonl"] ?? "")).toMatchObject({
      name: "=HYPERLINK(1)",
      message: "Line one\nline “two”\\",
    });
    expect(files["templates.csv"]).toContain('"\'=HYPERLINK(1)"');
    expect(JSON.parse(files["contacts.jsonl"] ?? "")).toMatchObject({ catalog: "Friends", phone_no: "2348030000001" });
    expect(JSON.parse(files["audit.jsonl"] ?? "")).toMatchObject({ action: "export-data" });
    const all = Object.values(files).join("\n");
    for (const secret of [String(key["key"]), "argon2", stranger.email, "Somebody else's"])
      expect(all).not.toContain(secret);

    clock.advance(8 * DAY_MS);
    expect((await load(owner)).statusCode).toBe(404);
    clock.advance(DAY_MS);
    await oldExportsQueue.handle(deps, {});
    expect(await call(owner, "GET", `${userId}/data-export`)).toMatchObject({ data: null });
    expect((await db.query("select from stored_file where extension = 'zip' and kept_at is not null")).rows).toEqual(
      [],
    );
    // What a run left that was killed is not in the way of the next request.
    await call(owner, "POST", path);
    clock.advance(DAY_MS + 1_000);
    expect((await call(owner, "POST", path)).status).toBe(202);
    expect(deps.jobs.enqueued.filter(({ name }) => name === exportDataQueue.name)).toHaveLength(3);
  });
});

describe("erasing a number", () => {
  test("is owners' and administrators', takes one number, and leaves it nowhere but where it keeps others from writing", async ({
    app,
    db,
    deps,
    owner,
    call,
    deliver,
  }) => {
    const admin = await buildAdmin(db);
    const gone = 2_348_030_000_001;
    const erase = async (as: Parameters<Call>[0], phoneNo: unknown) =>
      await call(as, "PATCH", `${as.id}/erase-number`, { phoneNo });
    expect((await app.inject({ method: "PATCH", url: `/api/${admin.adminId}/erase-number` })).statusCode).toBe(401);
    for (const role of ["finance", "support", "viewer"] as const)
      expect(await erase(await buildAdmin(db, { role }), String(gone)), role).toMatchObject({ status: 403 });
    expect(await erase(owner, String(gone))).toMatchObject({ status: 403 });
    for (const wrong of ["", "12", "Ada", `${gone},${gone + 1}`, 7])
      expect(await erase(admin, wrong), String(wrong)).toMatchObject({ status: 400, code: "VALIDATION" });

    const other = await buildSender(db);
    for (const { userId } of [owner, other]) {
      await buildCatalog(db, { userId, numbers: Float64Array.from([gone - 1, gone, gone + 1]) });
      await buildDraft(db, { userId, phoneNo: `0803 000 0001,${gone},${gone + 1}` });
      await call(userId === owner.userId ? owner : other, "POST", `${userId}/opt-outs`, { phoneNo: String(gone) });
      const inboundId = uuidv7();
      await db.query(
        "insert into inbox_message (user_id, inbound_id, from_address, to_address, body, received_at) values ($1, $2, $3, '33811', 'hi', now())",
        [userId, inboundId, String(gone)],
      );
      await db.query("insert into conversation values ($1, $2, $3, 1)", [userId, String(gone), inboundId]);
    }
    const sent = await deliver({ userId: owner.userId, phoneNos: [gone - 1, gone, gone + 1] });
    const waiting = await buildMessage(db, { userId: other.userId, phoneNos: [gone] });
    for (let count = 0; count < 2; count += 1) expect((await erase(admin, `+${gone}`)).status).toBe(200);
    const { data: entries } = await call(admin, "GET", "view-audit-entries?action=erase-number");
    expect(entries).toMatchObject([{ after: { phoneNo: "…001" } }]);

    // The first run is killed when it comes to the second customer's draft.
    const [, second = ""] = [owner.userId, other.userId].toSorted();
    await db.query("create function stop_here() returns trigger language plpgsql as $$ begin raise 'killed'; end $$");
    await db.query(
      `create trigger stop_here before update on draft for each row when (new.user_id = '${second}') execute function stop_here()`,
    );
    await expect(eraseNumberQueue.handle(deps, {})).rejects.toThrow("killed");
    await db.query("drop trigger stop_here on draft");
    await eraseNumberQueue.handle(deps, {});

    const places = async (): Promise<string[]> => {
      const { rows } = await db.query<{ place: string }>(
        `select 'contact' as place from contact_sheet where phone_nos like '%' || $1 || '%'
         union all select 'draft' from draft where phone_no like '%30000001%' or phone_no like '%000 0001%'
         union all select 'batch' from message_batch where $1::bigint = any (recipients)
         union all select 'delivery' from delivery where phone_no = $1::bigint
         union all select 'inbox' from inbox_message where from_address = $1
         union all select 'conversation' from conversation where from_address = $1
         union all select 'opt-out' from opt_out where phone_no = $1::bigint
         union all select 'request' from privacy_request where phone_no = $1::bigint`,
        [String(gone)],
      );
      return rows.map(({ place }) => place).toSorted();
    };
    expect(await places()).toEqual(["batch", "opt-out", "opt-out", "request"]);
    const { rows } = await listRecipients(db, { ...sent, limit: 10 });
    expect(rows.map(({ phoneNo, state }) => [phoneNo, state])).toEqual([
      [gone - 1, "delivered"],
      [null, "notKept"],
      [gone + 1, "delivered"],
    ]);
    expect(await call(owner, "GET", `${owner.userId}/${sent.messageId}/view-one-sms`)).toMatchObject({
      data: { phoneNo: `${gone - 1},${gone + 1}`, recipients: 3 },
    });
    await call(other, "POST", `${other.userId}/${waiting.messageId}/cancel`);
    await eraseNumberQueue.handle(deps, {});
    expect(await places()).toEqual(["opt-out", "opt-out"]);
  });
});
