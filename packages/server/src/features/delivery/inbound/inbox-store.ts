/** All SQL about whose a number is, and about the messages from phones that are a customer's. */
import type { Queryable } from "../../../db/pool.ts";
import { countColumns, type CountColumn } from "../outcomes/flush-store.ts";

/** Whose a number is, or one keyword of it; an empty keyword is the rest of the number. */
export type NumberOwner = { number: string; keyword: string; userId: string; userName: string };

export async function selectNumberOwners(db: Queryable, numbers: readonly string[]): Promise<NumberOwner[]> {
  const { rows } = await db.query<NumberOwner>(
    `select number, keyword, user_id as "userId", user_name as "userName"
     from inbound_number join app_user using (user_id) where number = any ($1::text[])`,
    [numbers],
  );
  return rows;
}

export async function hasInboundNumber(db: Queryable, owner: { userId: string; number: string }): Promise<boolean> {
  const { rows } = await db.query("select from inbound_number where number = $2 and user_id = $1 limit 1", [
    owner.userId,
    owner.number,
  ]);
  return rows.length > 0;
}

/** @returns undefined when there is no such customer. */
export async function selectUserName(db: Queryable, userId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ userName: string }>(
    `select user_name as "userName" from app_user where user_id = $1`,
    [userId],
  );
  return rows[0]?.userName;
}

/** @returns false when the pair of number and keyword is somebody's. */
export async function insertInboundNumber(
  tx: Queryable,
  row: { numberId: string; number: string; keyword: string; userId: string; createdAt: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into inbound_number (number_id, number, keyword, user_id, created_at) values ($1, $2, $3, $4, $5)
     on conflict (number, keyword) do nothing`,
    [row.numberId, row.number, row.keyword, row.userId, row.createdAt],
  );
  return rowCount === 1;
}

export async function deleteInboundNumber(
  tx: Queryable,
  numberId: string,
): Promise<{ number: string; keyword: string; userId: string } | undefined> {
  const { rows } = await tx.query<{ number: string; keyword: string; userId: string }>(
    `delete from inbound_number where number_id = $1 returning number, keyword, user_id as "userId"`,
    [numberId],
  );
  return rows[0];
}

export type InboundNumber = NumberOwner & { numberId: string; createdAt: Date };

/** Newest first. */
export async function selectInboundNumbers(
  db: Queryable,
  page: { limit: number; beforeId: string | undefined },
): Promise<InboundNumber[]> {
  const { rows } = await db.query<InboundNumber>(
    `select number_id as "numberId", number, keyword, user_id as "userId", user_name as "userName", inbound_number.created_at as "createdAt"
     from inbound_number join app_user using (user_id)
     where ($2::uuid is null or number_id < $2) order by number_id desc limit $1`,
    [page.limit, page.beforeId ?? null],
  );
  return rows;
}

export type NewInboxMessage = {
  inboundId: string;
  fromAddress: string;
  toAddress: string;
  body: string;
  /** In capitals; undefined where the whole number is the customer's. */
  keyword: string | undefined;
  receivedAt: Date;
};

/** Messages of one customer, in the order of their ids. */
export async function insertInboxMessages(
  tx: Queryable,
  userId: string,
  messages: readonly NewInboxMessage[],
): Promise<void> {
  const people = Map.groupBy(messages, (message) => message.fromAddress);
  // In order of address, so that two workers that bring messages of the same people wait for each other and never deadlock.
  const addresses = [...people.keys()].toSorted();
  // A statement of its own: a cluster does not insert what it reads of other rows of the customer beside values.
  const { rows: answered } = await tx.query<{ address: string; messageId: string }>(
    `select distinct on (person_address) person_address as address, message_id as "messageId" from inbox_reply
     where user_id = $1 and person_address = any ($2::text[]) order by person_address, message_id desc`,
    [userId, addresses],
  );
  const messageIds = new Map(answered.map(({ address, messageId }) => [address, messageId]));
  await tx.query(
    `insert into inbox_message (user_id, inbound_id, from_address, to_address, body, keyword, message_id, received_at)
     select $1, inbound_id, from_address, to_address, body, keyword, message_id, received_at
     from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::timestamptz[])
       as new (inbound_id, from_address, to_address, body, keyword, message_id, received_at)`,
    [
      userId,
      messages.map((message) => message.inboundId),
      messages.map((message) => message.fromAddress),
      messages.map((message) => message.toAddress),
      messages.map((message) => message.body),
      messages.map((message) => message.keyword ?? null),
      messages.map((message) => messageIds.get(message.fromAddress) ?? null),
      messages.map((message) => message.receivedAt),
    ],
  );
  await tx.query(
    `insert into conversation as own (user_id, from_address, last_inbound_id, message_count)
     select $1, from_address, last_inbound_id, message_count
     from unnest($2::text[], $3::uuid[], $4::integer[]) as new (from_address, last_inbound_id, message_count) order by from_address
     on conflict (user_id, from_address) do update
       set last_inbound_id = greatest(own.last_inbound_id, excluded.last_inbound_id),
         message_count = own.message_count + excluded.message_count`,
    [
      userId,
      addresses,
      addresses.map((address) => people.get(address)?.at(-1)?.inboundId),
      addresses.map((address) => people.get(address)?.length ?? 0),
    ],
  );
}

export type InboxMessage = Omit<NewInboxMessage, "keyword"> & { keyword: string | null; messageId: string | null };

const INBOX_COLUMNS = `inbox_message.inbound_id as "inboundId", inbox_message.from_address as "fromAddress", to_address as "toAddress", body,
  keyword, message_id as "messageId", received_at as "receivedAt"`;

type Page = { userId: string; limit: number; beforeId: string | undefined };

/** Newest first. */
export async function selectInbox(db: Queryable, page: Page & { from: string | undefined }): Promise<InboxMessage[]> {
  const { rows } = await db.query<InboxMessage>(
    `select ${INBOX_COLUMNS} from inbox_message
     where user_id = $1 and ($3::uuid is null or inbound_id < $3) ${page.from === undefined ? "and $4::text is null" : "and from_address = $4"}
     order by inbound_id desc limit $2`,
    [page.userId, page.limit, page.beforeId ?? null, page.from ?? null],
  );
  return rows;
}

export async function selectInboxMessage(
  db: Queryable,
  key: { userId: string; inboundId: string },
): Promise<InboxMessage | undefined> {
  const { rows } = await db.query<InboxMessage>(
    `select ${INBOX_COLUMNS} from inbox_message where user_id = $1 and inbound_id = $2`,
    [key.userId, key.inboundId],
  );
  return rows[0];
}

export type Conversation = InboxMessage & { messageCount: number };

/** Newest first. */
export async function selectConversations(db: Queryable, page: Page): Promise<Conversation[]> {
  const { rows } = await db.query<Conversation>(
    `select ${INBOX_COLUMNS}, message_count as "messageCount"
     from conversation
     join inbox_message on inbox_message.user_id = $1 and inbox_message.inbound_id = conversation.last_inbound_id
     where conversation.user_id = $1 and ($3::uuid is null or last_inbound_id < $3)
     order by last_inbound_id desc limit $2`,
    [page.userId, page.limit, page.beforeId ?? null],
  );
  return rows;
}

export async function insertInboxReply(
  tx: Queryable,
  reply: { userId: string; messageId: string; personAddress: string; inboundId: string },
): Promise<void> {
  await tx.query("insert into inbox_reply (user_id, message_id, person_address, inbound_id) values ($1, $2, $3, $4)", [
    reply.userId,
    reply.messageId,
    reply.personAddress,
    reply.inboundId,
  ]);
}

/** `counts` has one recipient. */
export type InboxReply = {
  messageId: string;
  inboundId: string;
  personAddress: string;
  number: string;
  body: string;
  createdAt: Date;
} & Record<CountColumn, number>;

/** Newest first. */
export async function selectInboxReplies(db: Queryable, page: Page & { personAddress: string }): Promise<InboxReply[]> {
  const { rows } = await db.query<InboxReply>(
    `select inbox_reply.message_id as "messageId", inbound_id as "inboundId", person_address as "personAddress", sender_name as number, body,
       created_at as "createdAt", ${countColumns.join(", ")}
     from inbox_reply
     join message on message.user_id = $1 and message.message_id = inbox_reply.message_id
     join message_count on message_count.user_id = $1 and message_count.message_id = inbox_reply.message_id
     where inbox_reply.user_id = $1 and person_address = $4 and ($3::uuid is null or inbox_reply.message_id < $3)
     order by inbox_reply.message_id desc limit $2`,
    [page.userId, page.limit, page.beforeId ?? null, page.personAddress],
  );
  return rows;
}

/** The message that this person got last from the number that was written to; undefined where there is none. */
export async function findAnsweredMessage(
  db: Queryable,
  userId: string,
  inboundId: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ messageId: string | null }>(
    `select message_id as "messageId" from inbox_message where user_id = $1 and inbound_id = $2`,
    [userId, inboundId],
  );
  return rows[0]?.messageId ?? undefined;
}
