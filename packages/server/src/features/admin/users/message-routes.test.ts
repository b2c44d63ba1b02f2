import { v7 as uuidv7 } from "uuid";
import { expect, test } from "../../../testing/app.ts";
import { buildMessage } from "../../../testing/delivery-factories.ts";
import { buildAdmin, buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { buildDraft } from "../../../testing/messages-factories.ts";

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
