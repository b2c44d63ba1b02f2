import { v7 as uuidv7 } from "uuid";
import { expect, test } from "../../testing/app.ts";
import { buildMessage } from "../../testing/delivery-factories.ts";
import { buildAdmin, buildUser } from "../../testing/factories.ts";
import { buildDraft } from "../../testing/messages-factories.ts";

test("any message and any draft are read by administrators alone, by their id", async ({ app, db, signInAs }) => {
  const user = await buildUser(db);
  const { userId, messageId } = await buildMessage(db);
  const draftId = await buildDraft(db, { userId: user.userId });
  const asAdmin = await signInAs(await buildAdmin(db));
  const ask = async (url: string, headers = {}): Promise<[number, string | undefined]> => {
    const answer = await app.inject({ method: "GET", url, headers });
    return [answer.statusCode, answer.json<{ code?: string }>().code];
  };
  for (const [id, call, owner] of [[messageId, "view-any-sms", userId], [draftId, "view-any-draft", user.userId]] as const) {
    expect(await ask(`/api/${id}/${call}`)).toEqual([401, "AUTH_REQUIRED"]);
    expect(await ask(`/api/${id}/${call}`, await signInAs(user))).toEqual([403, "FORBIDDEN"]);
    expect(await ask(`/api/7/${call}`, asAdmin)).toEqual([400, "VALIDATION"]);
    expect(await ask(`/api/${uuidv7()}/${call}`, asAdmin)).toEqual([404, "NOT_FOUND"]);
    const answer = await app.inject({ method: "GET", url: `/api/${id}/${call}`, headers: asAdmin });
    expect(answer.json()).toMatchObject({ data: { _id: id, userID: owner } });
  }
  await db.query("update message set hidden_at = now()");
  expect(await ask(`/api/${messageId}/view-any-sms`, asAdmin)).toEqual([404, "NOT_FOUND"]);
});
