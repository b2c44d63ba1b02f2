import { v7 as uuidv7 } from "uuid";
import { expect, test } from "../../../testing/app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { buildFundedUser, buildMessage } from "../../../testing/delivery-factories.ts";
import { buildAdmin, buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { buildDraft } from "../../../testing/messages-factories.ts";
import { cancelMessage } from "../../delivery/index.ts";

test("any message and any draft are read by administrators alone, by their id", async ({ app, db, signInAs }) => {
  const user = await buildUser(db);
  const { userId, messageId } = await buildMessage(db);
  const draftId = await buildDraft(db, { userId: user.userId });
  const asAdmin = await signInAs(await buildAdmin(db));
  const ask = async (url: string, headers = {}): Promise<[number, string | undefined]> => {
    const answer = await app.inject({ method: "GET", url, headers });
    return [answer.statusCode, answer.json<{ code?: string }>().code];
  };
  for (const [id, call, owner] of [
    [messageId, "view-any-sms", userId],
    [draftId, "view-any-draft", user.userId],
  ] as const) {
    expect(await ask(`/api/${id}/${call}`)).toEqual([401, "AUTH_REQUIRED"]);
    expect(await ask(`/api/${id}/${call}`, await signInAs(user))).toEqual([403, "FORBIDDEN"]);
    expect(await ask(`/api/7/${call}`, asAdmin)).toEqual([400, "VALIDATION"]);
    expect(await ask(`/api/${uuidv7()}/${call}`, asAdmin)).toEqual([404, "NOT_FOUND"]);
    const answer = await app.inject({ method: "GET", url: `/api/${id}/${call}`, headers: asAdmin });
    expect(answer.json()).toMatchObject({ data: { _id: id, userID: owner } });
  }
});

test("the messages of all are filtered by customer, state and day, page by page; unknown filters are refused", async ({
  app,
  db,
  signInAs,
}) => {
  const headers = await signInAs(await buildAdmin(db));
  const read = async (query: string) => {
    const answer = await app.inject({ method: "GET", url: `/api/view-all-sms-messages?${query}`, headers });
    const { data, next, code } = answer.json<{ data?: { _id: string }[]; next?: string | null; code?: string }>();
    return { status: answer.statusCode, ids: data?.map(({ _id }) => _id), next, code };
  };
  for (const query of ["userId=7", "state=scheduled", "from=yesterday", "customer=ada", "userID=7", "format=csv"])
    expect(await read(query), query).toMatchObject({ status: 400, code: "VALIDATION" });

  const noon = Date.UTC(2026, 0, 5, 11);
  const build = async (userId: string, hours: number): Promise<string> => {
    const at = noon + hours * 3_600_000;
    const messageId = uuidv7({ msecs: at });
    await buildMessage(db, { userId, messageId, createdAt: new Date(at) });
    return messageId;
  };
  const [ada, bola] = [await buildFundedUser(db), await buildFundedUser(db)];
  const adas = [await build(ada.userId, 0), await build(ada.userId, 1), await build(ada.userId, 13)].toReversed();
  const bolas = [await build(bola.userId, 0.5)];
  expect(await read(`userId=${bola.userId}`)).toMatchObject({ status: 200, ids: bolas, next: null });
  const first = await read(`userId=${ada.userId}&limit=2`);
  expect(first.ids).toEqual(adas.slice(0, 2));
  // Bola's message lies between Ada's: a cursor that forgot whose list it is would give it.
  expect(await read(`userId=${ada.userId}&limit=2&after=${first.next}`)).toMatchObject({
    ids: adas.slice(2),
    next: null,
  });
  // Thirteen hours after noon in Lagos is the next day.
  expect((await read(`userId=${ada.userId}&to=2026-01-05`)).ids).toEqual(adas.slice(1));
  expect((await read("from=2026-01-06")).ids).toEqual(adas.slice(0, 1));
  const [cancelled = ""] = bolas;
  await withTransaction(db, (tx) => cancelMessage(tx, { userId: bola.userId, messageId: cancelled }, new Date()));
  expect((await read("state=cancelled")).ids).toEqual(bolas);
  expect((await read(`state=cancelled&userId=${ada.userId}`)).ids).toEqual([]);
  expect((await read(`userId=${uuidv7()}`)).ids).toEqual([]);
});

test("what a customer deletes is hidden from the customer alone: administrators still find it, marked", async ({
  app,
  db,
  signInAs,
}) => {
  const { userId, messageId } = await buildMessage(db);
  const [asCustomer, asAdmin] = [
    await signInAs({ kind: "user", id: userId } as BuiltUser),
    await signInAs(await buildAdmin(db)),
  ];
  const ask = async (url: string, headers: Record<string, string>): Promise<{ status: number; data: unknown }> => {
    const answer = await app.inject({ method: "GET", url: `/api/${url}`, headers });
    return { status: answer.statusCode, data: answer.json<{ data?: unknown }>().data };
  };
  expect((await ask("view-all-sms-messages", asAdmin)).data).toEqual([
    expect.not.objectContaining({ hiddenAt: expect.anything() as string }),
  ]);
  await app.inject({ method: "DELETE", url: `/api/${userId}/${messageId}/delete-sms-message`, headers: asCustomer });

  expect(await ask(`${userId}/populate-sms-history`, asCustomer)).toEqual({ status: 200, data: [] });
  for (const call of ["view-one-sms", "recipients"])
    expect((await ask(`${userId}/${messageId}/${call}`, asCustomer)).status).toBe(404);

  const marked = expect.objectContaining({ _id: messageId, hiddenAt: expect.any(String) as string }) as object;
  for (const list of [
    "view-all-sms-messages",
    "view-all-sms-messages?state=sending",
    `${userId}/populate-sms-history`,
  ]) {
    expect(await ask(list, asAdmin), list).toEqual({ status: 200, data: [marked] });
  }
  for (const one of [`${messageId}/view-any-sms`, `${userId}/${messageId}/view-one-sms`])
    expect(await ask(one, asAdmin), one).toEqual({ status: 200, data: marked });
  expect((await ask(`${userId}/${messageId}/recipients`, asAdmin)).data).toHaveLength(3);
});
