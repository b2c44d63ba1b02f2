import { v7 as uuidv7 } from "uuid";
import type { Db } from "../db/pool.ts";
import { expect, test } from "../testing/app.ts";
import { buildAdmin, buildUser } from "../testing/factories.ts";

async function addMessage(db: Db, userId: string, facts: { state?: number; isHidden?: boolean } = {}): Promise<string> {
  const messageId = uuidv7();
  await db.query(
    `insert into message (user_id, message_id, user_name, sender_name, body, code, page_count, price_milli, recipient_count, state, created_at, state_at, hidden_at)
     values ($1, $2, 'Ada', 'ADA', 'Hello', '234', 1, 3000, 1, $3, now(), now(), $4)`,
    [userId, messageId, facts.state ?? 1, facts.isHidden === true ? new Date() : null],
  );
  await db.query(
    `insert into customer_count as own (user_id, messages) values ($1, $2)
     on conflict (user_id) do update set messages = own.messages + excluded.messages`,
    [userId, facts.state === 0 || facts.isHidden === true ? 0 : 1],
  );
  return messageId;
}

test("a customer's record shows approved names, the newest 50 ids and every count, of this customer alone", async ({
  app,
  db,
  signInAs,
}) => {
  const [user, other] = [await buildUser(db), await buildUser(db)];
  await db.query(
    "insert into sender_name (user_id, name, skeleton, created_at) values ($1, 'ADA', 'ada', now()), ($2, 'BOLA', 'bola', now())",
    [user.userId, other.userId],
  );
  const ids: string[] = [];
  for (let index = 0; index < 52; index += 1) ids.push(await addMessage(db, user.userId));
  await addMessage(db, user.userId, { state: 0 }); // Scheduled, not sent.
  await addMessage(db, user.userId, { isHidden: true });
  await addMessage(db, other.userId);
  const draftId = uuidv7();
  await db.query(
    "insert into draft (user_id, draft_id, sender_name, message, phone_no, code, created_at, updated_at) values ($1, $2, '', 'x', '', '234', now(), now())",
    [user.userId, draftId],
  );

  const answer = await app.inject({
    method: "GET",
    url: `/api/${user.userId}/view-one-user`,
    headers: await signInAs(user),
  });
  expect(answer.json()).toMatchObject({
    data: {
      senderID: ["ADA"],
      sms: ids.toReversed().slice(0, 50),
      draft: [draftId],
      phonebook: [],
      transfers: [],
      counts: { sms: 52, draft: 1, phonebook: 0, transfers: 0 },
    },
  });

  const list = await app.inject({
    method: "GET",
    url: "/api/view-all-users",
    headers: await signInAs(await buildAdmin(db)),
  });
  const counts = list
    .json<{ data: { _id: string; counts: { sms: number } }[] }>()
    .data.map(({ _id, counts: { sms } }) => [_id, sms]);
  expect(counts).toEqual([
    [other.userId, 1],
    [user.userId, 52],
  ]);
});
