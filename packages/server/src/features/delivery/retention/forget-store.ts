/** All SQL that removes texts and numbers of messages, whole customers or not. Every statement is bounded, and harmless when it runs twice. */
import { TEXT_NOT_KEPT } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import { batchStates } from "../states.ts";

/** Rows that one statement changes. */
const ROWS_AT_A_TIME = 20_000;

export type MessageKey = { userId: string; messageId: string };
export type KeptKind = "texts" | "numbers";

const usersOf = (keys: readonly MessageKey[]): string[] => keys.map(({ userId }) => userId);
const idsOf = (keys: readonly MessageKey[]): string[] => keys.map(({ messageId }) => messageId);

/** @returns up to which message this kind is removed; undefined before the first night. */
export async function readRetentionPoint(db: Queryable, kind: KeptKind): Promise<string | undefined> {
  const { rows } = await db.query<{ messageId: string }>(
    `select message_id as "messageId" from retention_point where kind = $1`,
    [kind],
  );
  return rows[0]?.messageId;
}

export async function saveRetentionPoint(db: Queryable, kind: KeptKind, messageId: string): Promise<void> {
  await db.query(
    `insert into retention_point as own (kind, message_id) values ($1, $2)
     on conflict (kind) do update set message_id = greatest(own.message_id, excluded.message_id)`,
    [kind, messageId],
  );
}

export type PassedMessage = MessageKey & { recipientCount: number; stateAt: Date };

/** Messages of all customers in the order of their ids, which is that of the times they were for. */
export async function selectPassedMessages(
  db: Queryable,
  page: { after: string; before: string; limit: number },
): Promise<PassedMessage[]> {
  const { rows } = await db.query<PassedMessage>(
    `select user_id as "userId", message_id as "messageId", recipient_count as "recipientCount", state_at as "stateAt" from message
     where message_id > $1 and message_id < $2 order by message_id limit $3`,
    [page.after, page.before, page.limit],
  );
  return rows;
}

export async function selectMessagesOf(
  db: Queryable,
  page: { userId: string; after: string; limit: number },
): Promise<PassedMessage[]> {
  const { rows } = await db.query<PassedMessage>(
    `select user_id as "userId", message_id as "messageId", recipient_count as "recipientCount", state_at as "stateAt" from message
     where user_id = $1 and message_id > $2 order by message_id limit $3`,
    [page.userId, page.after, page.limit],
  );
  return rows;
}

/** @returns the ids of those in which somebody waits, or whose answer was lost and is not settled. */
export async function selectUnfinished(db: Queryable, keys: readonly MessageKey[]): Promise<Set<string>> {
  const values = [usersOf(keys), idsOf(keys)];
  const { rows: open } = await db.query<{ messageId: string }>(
    `select distinct message_id as "messageId" from message_batch
     where user_id = any ($1::uuid[]) and message_id = any ($2::uuid[]) and (state + 0) < ${batchStates.done}`,
    values,
  );
  const { rows: lost } = await db.query<{ messageId: string }>(
    `select distinct message_id as "messageId" from delivery_unknown
     where user_id = any ($1::uuid[]) and message_id = any ($2::uuid[])`,
    values,
  );
  return new Set([...open, ...lost].map(({ messageId }) => messageId));
}

export async function removeTexts(db: Queryable, keys: readonly MessageKey[]): Promise<void> {
  await db.query(
    `update message set body = $3, sealed_body = null from unnest($1::uuid[], $2::uuid[]) as asked (user_id, message_id)
     where message.user_id = asked.user_id and message.message_id = asked.message_id and body <> $3`,
    [usersOf(keys), idsOf(keys), TEXT_NOT_KEPT],
  );
  for (const { userId, messageId } of keys)
    await db.query(
      `update message_batch set merge_values = null
       where user_id = $1 and message_id = $2 and merge_values is not null and (state + 0) >= ${batchStates.done}`,
      [userId, messageId],
    );
}

/** The numbers of a message that is at its end, what became of each, and what its own text was made of. Counts and costs stay. */
export async function removeNumbers(
  db: Queryable,
  { userId, messageId, recipientCount }: PassedMessage,
): Promise<void> {
  for (const table of ["delivery", "delivery_part"] as const)
    for (let first = 0; first < recipientCount; first += ROWS_AT_A_TIME)
      await db.query(
        `delete from ${table} where user_id = $1 and message_id = $2 and position >= $3 and position < $4`,
        [userId, messageId, first, first + ROWS_AT_A_TIME],
      );
  await db.query(
    `update message_batch set recipients = '{}', merge_values = null
     where user_id = $1 and message_id = $2 and recipients <> '{}' and (state + 0) >= ${batchStates.done}`,
    [userId, messageId],
  );
  await db.query("delete from twilio_callback where user_id = $1 and message_id = $2", [userId, messageId]);
  await db.query("delete from twilio_message where user_id = $1 and message_id = $2", [userId, messageId]);
  await db.query("delete from verification where user_id = $1 and message_id = $2", [userId, messageId]);
}

/** What names a person or a company on messages of an erased customer. */
export async function removeNames(db: Queryable, keys: readonly MessageKey[]): Promise<void> {
  await db.query(
    `update message set user_name = '', sender_name = '', reference = null from unnest($1::uuid[], $2::uuid[]) as asked (user_id, message_id)
     where message.user_id = asked.user_id and message.message_id = asked.message_id`,
    [usersOf(keys), idsOf(keys)],
  );
}

type InboxRow = { userId: string; inboundId: string; fromAddress: string };

/** Messages from phones that came before an id, of all customers. */
export async function selectPassedInbox(db: Queryable, before: string, kind: KeptKind): Promise<InboxRow[]> {
  const { rows } = await db.query<InboxRow>(
    `select user_id as "userId", inbound_id as "inboundId", from_address as "fromAddress" from inbox_message
     where inbound_id < $1 and ($2::text = 'numbers' or body <> $3) limit $4`,
    [before, kind, TEXT_NOT_KEPT, ROWS_AT_A_TIME],
  );
  return rows;
}

export async function removeInboxTexts(db: Queryable, rows: readonly InboxRow[]): Promise<void> {
  await db.query(
    `update inbox_message own set body = $3, keyword = null from unnest($1::uuid[], $2::uuid[]) as asked (user_id, inbound_id)
     where own.user_id = asked.user_id and own.inbound_id = asked.inbound_id`,
    [rows.map(({ userId }) => userId), rows.map(({ inboundId }) => inboundId), TEXT_NOT_KEPT],
  );
}

/** Removes a message from a phone, and the conversation when it was the last of it. */
export async function removeInboxRow(tx: Queryable, { userId, inboundId, fromAddress }: InboxRow): Promise<void> {
  const { rowCount } = await tx.query("delete from inbox_message where user_id = $1 and inbound_id = $2", [
    userId,
    inboundId,
  ]);
  if (rowCount === 0) return;
  await tx.query("delete from inbox_reply where user_id = $1 and inbound_id = $2", [userId, inboundId]);
  await tx.query("update conversation set message_count = message_count - 1 where user_id = $1 and from_address = $2", [
    userId,
    fromAddress,
  ]);
  await tx.query(
    `delete from conversation where user_id = $1 and from_address = $2 and (message_count < 1 or last_inbound_id = $3)`,
    [userId, fromAddress, inboundId],
  );
}

/** Messages from phones that are nobody's. */
export async function removeNobodysInbox(db: Queryable, before: Date, kind: KeptKind): Promise<void> {
  if (kind === "numbers") await db.query("delete from inbound_message where received_at < $1", [before]);
  else
    await db.query("update inbound_message set body = $2 where received_at < $1 and body <> $2", [
      before,
      TEXT_NOT_KEPT,
    ]);
}

/** Messages of a customer in which recipients wait, hidden ones too, in the order of their ids. */
export async function selectOpenMessages(
  db: Queryable,
  page: { userId: string; after: string; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ messageId: string }>(
    `select distinct message_id as "messageId" from message_batch
     where user_id = $1 and (state + 0) < ${batchStates.done} and message_id > $2 order by message_id limit $3`,
    [page.userId, page.after, page.limit],
  );
  return rows.map(({ messageId }) => messageId);
}
