import { messageRoutes, type RecipientAnswer, type UnitDetails } from "@ewebal/contract";
import { describe } from "vitest";
import { withTransaction } from "../../../db/transaction.ts";
import type { App } from "../../../http/app-type.ts";
import { readBalance } from "../../../ledger/index.ts";
import { createApiKey } from "../../accounts/index.ts";
import { addDndNumbers } from "../../delivery/index.ts";
import { eachCase, expect, test } from "../../../testing/app.ts";
import { buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { buildApprovedAddress, buildSender, FACTORY_SENDER_NAME } from "../../../testing/messages-factories.ts";
import { countTraces, send, type Headers, type Refusal } from "../testing/ask-to-send.ts";

type Answer = { message: string; data: { _id: string }; unitDetails: UnitDetails };
type Missing = Refusal & { missing: { count: number; phoneNo: string[] } };

const body = (over: object): object => ({ senderName: FACTORY_SENDER_NAME, code: "234", ...over });
const people = [
  { to: "08030000001", fields: { name: "Ada", note: "x".repeat(100) } },
  { to: "08030000002", fields: { name: "Bola" } },
  { to: "2348030000003", fields: { note: "y" }, reference: "row 3" },
];
const text = (pages: number): string => "z".repeat(pages * 160);

const recipientsOf = async (app: App, user: BuiltUser, headers: Headers, id: string): Promise<RecipientAnswer[]> => {
  const answer = await app.inject({ url: `/api/${user.userId}/${id}/recipients`, headers });
  return messageRoutes.recipients.schema.response[200].parse(answer.json()).data;
};

describe("recipients with fields", () => {
  test("each pays the pages of their own text, and their rows show it", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const message = `Dear {{ name | friend }} ${"w".repeat(120)} {{note|}}`;
    const answer = await send(app, user, headers, body({ message, recipients: people }));
    expect([answer.statusCode, answer.json<Answer>().unitDetails]).toEqual([
      200,
      {
        received: 3,
        recipients: 3,
        duplicates: 0,
        dnd: 0,
        pages: 2,
        rate: 3,
        charged: 12,
        available: 88,
        pageCounts: { "1": 2, "2": 1 },
      },
    ]);
    expect((await readBalance(db, user.userId)).heldMilli).toBe(12_000);
    const rows = await recipientsOf(app, user, headers, answer.json<Answer>().data._id);
    expect(rows.map(({ phoneNo, text: own, pages, reference }) => [phoneNo, own, pages, reference])).toEqual([
      ["2348030000001", `Dear Ada ${"w".repeat(120)} ${"x".repeat(100)}`, 2, undefined],
      ["2348030000002", `Dear Bola ${"w".repeat(120)} `, 1, undefined],
      ["2348030000003", `Dear friend ${"w".repeat(120)} y`, 1, "row 3"],
    ]);
    const view = await app.inject({
      url: `/api/${user.userId}/${answer.json<Answer>().data._id}/view-one-sms`,
      headers,
    });
    expect(view.json<{ data: { message: string; pages: number } }>().data).toMatchObject({
      message,
      pages: 2,
      pageCounts: { "1": 2, "2": 1 },
    });
    const file = await app.inject({
      url: `/api/${user.userId}/${answer.json<Answer>().data._id}/recipients?format=csv`,
      headers,
    });
    expect(file.body).toContain(`"Dear friend ${"w".repeat(120)} y","1","row 3"`);
  });

  test("what the texts are made of can be read by who sent them, to send them again", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const given = [...people, { to: "08030000004", fields: { name: "=1+1" }, text: "Own {{name}}" }];
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const later = await app.inject({
      method: "POST",
      url: `/api/${user.userId}/schedule-sms`,
      headers,
      payload: { ...body({ message: "Dear {{name|}}", recipients: given }), sendAt },
    });
    const plain = await send(app, user, headers, body({ message: "Hello", phoneNo: "08030000001,08030000002" }));
    const read = async (id: string, who: Headers = headers) =>
      await app.inject({ url: `/api/${user.userId}/${id}/recipient-values`, headers: who });
    const linesOf = async (id: string): Promise<unknown[]> =>
      (await read(id)).body.split("\n").map((line) => JSON.parse(line) as unknown);
    const id = later.json<Answer>().data._id;
    expect((await read(id, {})).statusCode).toBe(401);
    expect((await read(id, await signInAs(await buildUser(db)))).statusCode).toBe(403);
    expect((await read(user.userId)).statusCode).toBe(404);
    expect(await linesOf(id)).toEqual([
      ["name", "note"],
      ["2348030000001", "Ada", "x".repeat(100), null, null],
      ["2348030000002", "Bola", null, null, null],
      ["2348030000003", null, "y", null, "row 3"],
      ["2348030000004", "=1+1", null, "Own {{name}}", null],
    ]);
    expect(await linesOf(plain.json<Answer>().data._id)).toEqual([[], ["2348030000001"], ["2348030000002"]]);
  });

  test("a text of one's own takes the place of the message, which may then be left out", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const own = [
      { to: "08030000001", text: "Hi {{name}}", fields: { name: "{{city}}", city: "Jos" } },
      { to: "08030000002", text: text(2) },
      { to: "08030000001", text: "never" },
    ];
    const answer = await send(app, user, headers, body({ recipients: own }));
    expect(answer.json<Answer>().unitDetails).toMatchObject({
      received: 3,
      recipients: 2,
      duplicates: 1,
      charged: 9,
      pageCounts: { "1": 1, "2": 1 },
    });
    const rows = await recipientsOf(app, user, headers, answer.json<Answer>().data._id);
    expect(rows.map((row) => row.text)).toEqual(["Hi {{city}}", text(2)]);
  });

  test("a plain text to recipients is a plain send: nothing is kept for each", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const answer = await send(app, user, await signInAs(user), body({ message: "Hi", recipients: people.slice(0, 2) }));
    expect(answer.json<Answer>().unitDetails).not.toHaveProperty("pageCounts");
    const { rows } = await db.query("select merge_values, page_counts from message_batch");
    expect(rows).toEqual([{ merge_values: null, page_counts: null }]);
  });

  test("DND numbers pay nothing, and those who are left pay their own", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    await withTransaction(db, (tx) => addDndNumbers(tx, { phoneNos: [2_348_030_000_001], source: "admin" }));
    const answer = await send(
      app,
      user,
      await signInAs(user),
      body({
        recipients: [
          { to: "08030000001", text: text(3) },
          { to: "08030000002", text: "a" },
          { to: "08030000003", text: text(2) },
        ],
      }),
    );
    expect([answer.statusCode, answer.json<Answer>().unitDetails]).toMatchObject([
      503,
      { dnd: 1, recipients: 2, charged: 9, pageCounts: { "1": 1, "2": 1 } },
    ]);
  });
});

describe("refusals", () => {
  test("what cannot be merged is refused at its field, and nothing is held", async ({ app, db, signInAs }) => {
    await eachCase(
      [
        ["an unknown key", { message: "Hi {{nam}}", recipients: people }, "message"],
        ["a field in a plain send", { message: "Hi {{name}}", phoneNo: "08030000001" }, "message"],
        ["a field with a fallback in a plain send", { message: "Hi {{name|you}}", phoneNo: "08030000001" }, "message"],
        [
          "an unknown key in a recipient's text",
          { recipients: [{ to: "08030000001", text: "{{x}}" }] },
          "recipients.0.text",
        ],
        ["two sources", { message: "Hi", phoneNo: "08030000001", recipients: people }, "recipients"],
        ["no source", { message: "Hi" }, "phoneNo"],
        ["no text", { recipients: [{ to: "08030000001", text: "a" }, { to: "08030000002" }] }, "message"],
        [
          "an unknown field of a recipient",
          { message: "Hi", recipients: [{ to: "08030000001", bogus: 1 }] },
          "recipients.0.bogus",
        ],
        [
          "a long value",
          { message: "Hi", recipients: [{ to: "08030000001", fields: { a: "x".repeat(161) } }] },
          "recipients.0.fields.a",
        ],
        [
          "a long reference",
          { message: "Hi", recipients: [{ to: "08030000001", reference: "x".repeat(65) }] },
          "recipients.0.reference",
        ],
        ["what is no number", { message: "Hi", recipients: [{ to: "08030000001" }, { to: "abc" }] }, "recipients.1.to"],
        ["two numbers in one", { message: "Hi", recipients: [{ to: "08030000001,08030000002" }] }, "recipients.0.to"],
        [
          "too many",
          { message: "Hi", recipients: Array.from({ length: 10_001 }, () => ({ to: "08030000001" })) },
          "recipients",
        ],
        [
          "a merged text that is too long",
          {
            message: `{{note}}${"x".repeat(1_550)}`,
            recipients: [{ to: "08030000001", fields: { note: "n".repeat(51) } }],
          },
          "message",
        ],
      ] as const,
      async ([_name, over, field]) => {
        const user = await buildSender(db);
        const refused = await send(app, user, await signInAs(user), body(over));
        expect([refused.statusCode, Object.keys(refused.json<Refusal>().fields ?? {})]).toEqual([400, [field]]);
        expect(await countTraces(db)).toBe(0);
      },
    );
  });

  test("what is not well-formed is ordinary text", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const message = "{{7*7}} {{ }} {name}";
    const answer = await send(app, user, await signInAs(user), body({ message, phoneNo: "08030000001" }));
    expect(answer.statusCode).toBe(200);
  });

  test("a missing value refuses the send, or leaves out who has none", async ({ app, db, signInAs }) => {
    const user = await buildSender(db);
    const headers = await signInAs(user);
    const over = { message: "Dear {{name}}", recipients: [...people, { to: "08030000004", fields: { name: "  " } }] };
    const refused = await send(app, user, headers, body(over));
    expect([refused.statusCode, refused.json<Missing>().code, refused.json<Missing>().missing]).toEqual([
      400,
      "FIELD_MISSING",
      { count: 2, phoneNo: ["2348030000003", "2348030000004"] },
    ]);
    expect(await countTraces(db)).toBe(0);
    const sent = await send(app, user, headers, body({ ...over, onMissing: "skip" }));
    expect([sent.statusCode, sent.json<Answer>().unitDetails]).toMatchObject([
      200,
      { received: 4, recipients: 2, missing: 2, charged: 6, pageCounts: { "1": 2 } },
    ]);
    const rows = await recipientsOf(app, user, headers, sent.json<Answer>().data._id);
    expect(rows.map((row) => row.text)).toEqual(["Dear Ada", "Dear Bola"]);
    const nobody = {
      message: "Dear {{name}}",
      recipients: [{ to: "08030000001", fields: { name: "" } }],
      onMissing: "skip",
    };
    const none = await send(app, user, headers, body(nobody));
    expect([none.statusCode, none.json<Missing>().code]).toEqual([400, "FIELD_MISSING"]);
  });
});

describe("other ways in", () => {
  const makeCatalog = async (app: App, user: BuiltUser, headers: Headers): Promise<string> => {
    const payload = { catalogName: "Members", code: "234", columns: [{ label: "Name" }, { label: "City" }] };
    const made = await app.inject({ method: "POST", url: `/api/${user.userId}/create-catalog`, headers, payload });
    const id = made.json<Answer>().data._id;
    const contacts = [
      { phoneNo: "08030000001", fields: { name: "Ada", city: "Lagos" } },
      { phoneNo: "08030000002", fields: { name: "Bola" } },
    ];
    await app.inject({ method: "POST", url: `/api/${user.userId}/${id}/add-contacts`, headers, payload: { contacts } });
    return id;
  };

  test("a catalog's columns are the keys: sent, scheduled, edited, drafted, sent again", async ({
    app,
    db,
    deps,
    signInAs,
  }) => {
    const user = await buildSender(db, { balanceMilli: 1_000_000 });
    const headers = await signInAs(user);
    const catalogId = await makeCatalog(app, user, headers);
    const post = async (path: string, payload: object, method: "POST" | "PATCH" = "POST") =>
      await app.inject({ method, url: `/api/${user.userId}/${path}`, headers, payload });
    const texts = async (id: string) => (await recipientsOf(app, user, headers, id)).map((row) => row.text);
    const message = "{{name}} of {{city|Abuja}}";
    const expected = ["Ada of Lagos", "Bola of Abuja"];

    expect((await post("send-bulk-sms", body({ message: "{{age}}", catalogId }))).json()).toMatchObject({
      fields: { message: expect.stringContaining("{{age}}") },
    });
    const sent = await post("send-bulk-sms", body({ message, catalogId }));
    expect([sent.statusCode, await texts(sent.json<Answer>().data._id)]).toEqual([200, expected]);

    const sendAt = new Date(deps.clock.now().getTime() + 3_600_000).toISOString();
    const scheduled = await post("schedule-sms", body({ message, catalogId, sendAt }));
    const scheduledId = scheduled.json<Answer>().data._id;
    expect([scheduled.statusCode, await texts(scheduledId)]).toEqual([201, expected]);
    const before = (await readBalance(db, user.userId)).heldMilli;
    const edited = await post(`${scheduledId}/edit-scheduled-sms`, { message: `{{name}}! ${text(1)}` }, "PATCH");
    expect([edited.statusCode, await texts(scheduledId)]).toEqual([200, [`Ada! ${text(1)}`, `Bola! ${text(1)}`]]);
    expect((await readBalance(db, user.userId)).heldMilli).toBe(before + 6_000);
    const deleted = await app.inject({
      method: "DELETE",
      url: `/api/${user.userId}/${scheduledId}/delete-scheduled-sms`,
      headers,
    });
    expect([deleted.statusCode, (await readBalance(db, user.userId)).heldMilli]).toEqual([200, before - 6_000]);

    const draft = await post("draft-message", body({ message, catalogId }));
    const draftId = draft.json<Answer>().data._id;
    const fromDraft = await post(`${draftId}/send-draft-sms`, {});
    expect([fromDraft.statusCode, await texts(fromDraft.json<Answer>().data._id)]).toEqual([200, expected]);
    const listed = await post("draft-message", body({ recipients: [{ to: "08030000001", text: "Own" }] }));
    const ownDraft = await post(`${listed.json<Answer>().data._id}/send-draft-sms`, {});
    expect([ownDraft.statusCode, await texts(ownDraft.json<Answer>().data._id)]).toEqual([200, ["Own"]]);
  });

  test("v1: without a code, with references and a template; the text is kept as it was written", async ({
    app,
    db,
    deps,
    signInAs,
  }) => {
    const user = await buildSender(db, { balanceMilli: 1_000_000 });
    const headers = await signInAs(user);
    await buildApprovedAddress(db, { userId: user.userId, address: "127.0.0.1" });
    const { key } = await createApiKey(deps, user.userId, { name: "Shop" });
    const send1 = async (payload: object) =>
      await app.inject({ method: "POST", url: "/api/v1/messages", headers: { "x-api-key": key }, payload });
    const saved = await app.inject({
      method: "POST",
      url: `/api/${user.userId}/templates`,
      headers,
      payload: { name: "Hello", message: "Dear {{name}}" },
    });
    const templateId = saved.json<Answer>().data._id;
    const recipients = [{ to: "+234 803 000 0001", fields: { name: "Ada" }, reference: "a" }];
    const sent = await send1({ senderName: FACTORY_SENDER_NAME, recipients, templateId });
    expect([sent.statusCode, sent.json<Answer>().unitDetails]).toMatchObject([
      200,
      { repaired: { blanks: 1 }, charged: 3 },
    ]);
    const { _id } = sent.json<Answer>().data;
    const viewed = await app.inject({ url: `/api/v1/messages/${_id}`, headers: { "x-api-key": key } });
    expect(viewed.json<{ data: { message: string } }>().data.message).toBe("Dear {{name}}");
    const rows = await app.inject({ url: `/api/v1/messages/${_id}/recipients`, headers: { "x-api-key": key } });
    expect(rows.json<{ data: RecipientAnswer[] }>().data).toMatchObject([
      { text: "Dear Ada", pages: 1, reference: "a" },
    ]);

    const both = await send1({ senderName: FACTORY_SENDER_NAME, recipients, templateId, message: "x" });
    expect([both.statusCode, both.json()]).toMatchObject([400, { fields: { templateId: expect.any(String) } }]);
    const mixed = { senderName: FACTORY_SENDER_NAME, message: "x", phoneNo: "2348030000001,447911123456" };
    expect((await send1(mixed)).json<Refusal>().code).toBe("WRONG_COUNTRY_CODE");
    const national = await send1({ senderName: FACTORY_SENDER_NAME, message: "x", phoneNo: "08030000001" });
    expect([national.statusCode, national.json()]).toMatchObject([400, { fields: { code: expect.any(String) } }]);
    const bogus = await send1({ senderName: FACTORY_SENDER_NAME, message: "x", phoneNo: "2348030000001", bogus: 1 });
    expect([bogus.statusCode, bogus.json()]).toMatchObject([400, { fields: { bogus: expect.any(String) } }]);
    const others = await buildUser(db);
    const theirs = await app.inject({
      method: "PATCH",
      url: `/api/${others.userId}/${templateId}/template`,
      headers: await signInAs(others),
      payload: { name: "Mine" },
    });
    expect(theirs.statusCode).toBe(404);
  });

  test("a test goes to the account's own number, ten times an hour, limits on or off", async ({
    app,
    db,
    signInAs,
  }) => {
    // As the registration form keeps it; nobody dropped its 0.
    const user = await buildSender(db, { phoneNo: "8031234567", balanceMilli: 1_000_000 });
    const headers = await signInAs(user);
    const ask = async (payload: object, key?: string) =>
      await app.inject({
        method: "POST",
        url: `/api/${user.userId}/send-test`,
        headers: { ...headers, ...(key !== undefined && { "idempotency-key": key }) },
        payload,
      });
    const test1 = { senderName: FACTORY_SENDER_NAME, message: "Dear {{name}}", fields: { name: "Ada" } };
    const first = await ask(test1, "one");
    expect([first.statusCode, first.json<Answer>().unitDetails]).toMatchObject([200, { recipients: 1, charged: 3 }]);
    expect(first.json<Answer>().unitDetails).not.toHaveProperty("repaired");
    const [row] = await recipientsOf(app, user, headers, first.json<Answer>().data._id);
    expect([row?.phoneNo, row?.text]).toEqual(["2348031234567", "Dear Ada"]);
    expect((await ask(test1, "one")).json<Answer>().data._id).toBe(first.json<Answer>().data._id);
    const unknown = await ask({ ...test1, fields: {} });
    expect([unknown.statusCode, unknown.json()]).toMatchObject([400, { fields: { message: expect.any(String) } }]);
    expect((await ask({ ...test1, bogus: 1 })).json()).toMatchObject({ fields: { bogus: expect.any(String) } });
    for (let count = 2; count <= 10; count += 1) expect((await ask(test1)).statusCode).toBe(200);
    expect((await ask(test1)).json<Refusal>().code).toBe("RATE_LIMITED");
  });
});
