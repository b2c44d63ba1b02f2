/** All SQL about the links in texts. */
import type { Queryable } from "../../../db/pool.ts";

type Key = { userId: string; messageId: string };

export async function readLinkKey(db: Queryable): Promise<Buffer> {
  const { rows } = await db.query<{ key: Buffer }>("select key from link_key");
  const [row] = rows;
  if (row === undefined) throw new Error("the database has no key for the codes of links");
  return row.key;
}

export type LinkBlock = { blockId: number; batchIndex: number; slot: number };

/** Allots a block to each slot of each batch. @param slots how many; with an opt-out link it is the last. */
export async function insertLinkBlocks(
  tx: Queryable,
  key: Key,
  { batchIndexes, slots, hasOptOutLink }: { batchIndexes: readonly number[]; slots: number; hasOptOutLink: boolean },
): Promise<LinkBlock[]> {
  const { rows } = await tx.query<LinkBlock>(
    `insert into link_block (block_id, user_id, message_id, batch_index, slot, is_opt_out)
     select nextval('link_block_number'), $1, $2, batch_index, slot, $5 and slot = $4::integer - 1
     from unnest($3::integer[]) as batch_index cross join generate_series(0, $4::integer - 1) as slot
     returning block_id as "blockId", batch_index as "batchIndex", slot`,
    [key.userId, key.messageId, batchIndexes, slots, hasOptOutLink],
  );
  return rows;
}

export type BlockOwner = Key & { batchIndex: number; slot: number; isOptOut: boolean };

export async function findBlockOwner(db: Queryable, blockId: number): Promise<BlockOwner | undefined> {
  const { rows } = await db.query<BlockOwner>(
    `select user_id as "userId", message_id as "messageId", batch_index as "batchIndex", slot, is_opt_out as "isOptOut"
     from link_block where block_id = $1`,
    [blockId],
  );
  return rows[0];
}

export type LinkedBatch = {
  body: string;
  senderName: string;
  userName: string;
  mergeValues: string;
  /** Null when the numbers of its month are no longer kept. */
  phoneNo: number | null;
  /** From when on the message went out. */
  startsAt: Date;
};

/** The batch of a link's recipient. @param offset the recipient's in the batch. */
export async function findLinkedBatch(
  db: Queryable,
  { userId, messageId, batchIndex }: BlockOwner,
  offset: number,
): Promise<LinkedBatch | undefined> {
  const { rows } = await db.query<LinkedBatch>(
    `select message.body, message.sender_name as "senderName", message.user_name as "userName", batch.merge_values as "mergeValues",
       batch.recipients[$4::integer + 1] as "phoneNo", coalesce(message.send_at, message.created_at) as "startsAt"
     from message join message_batch batch using (user_id, message_id)
     where message.user_id = $1 and message.message_id = $2 and batch.batch_index = $3 and batch.merge_values is not null`,
    [userId, messageId, batchIndex, offset],
  );
  return rows[0];
}

/** One more click of a recipient. @returns whether it is the first. */
export async function addClick(tx: Queryable, key: Key, position: number): Promise<boolean> {
  const { rows } = await tx.query<{ clicks: number }>(
    `insert into link_click as own (user_id, message_id, position, clicks) values ($1, $2, $3, 1)
     on conflict (user_id, message_id, position) do update set clicks = own.clicks + 1 returning clicks`,
    [key.userId, key.messageId, position],
  );
  return rows[0]?.clicks === 1;
}

export type ClickTotals = { total: number; recipients: number; previews: number };

/** @param shard which of the message's rows; any will do. */
export async function addToTotals(
  tx: Queryable,
  key: Key,
  shard: number,
  { total, recipients, previews }: ClickTotals,
): Promise<void> {
  await tx.query(
    `insert into link_click_total as own (user_id, message_id, shard, total, recipients, previews) values ($1, $2, $3, $4, $5, $6)
     on conflict (user_id, message_id, shard) do update
       set total = own.total + excluded.total, recipients = own.recipients + excluded.recipients, previews = own.previews + excluded.previews`,
    [key.userId, key.messageId, shard, total, recipients, previews],
  );
}

export async function selectClickTotals(db: Queryable, key: Key): Promise<ClickTotals> {
  const { rows } = await db.query<ClickTotals>(
    `select coalesce(sum(total), 0)::integer as total, coalesce(sum(recipients), 0)::integer as recipients,
       coalesce(sum(previews), 0)::integer as previews
     from link_click_total where user_id = $1 and message_id = $2`,
    [key.userId, key.messageId],
  );
  return rows[0] ?? { total: 0, recipients: 0, previews: 0 };
}

/** @returns the clicks of those of the positions that have any. */
export async function selectClicks(
  db: Queryable,
  key: Key,
  positions: readonly number[],
): Promise<{ position: number; clicks: number }[]> {
  const { rows } = await db.query<{ position: number; clicks: number }>(
    `select position, clicks from link_click where user_id = $1 and message_id = $2 and position = any ($3::integer[])`,
    [key.userId, key.messageId, positions],
  );
  return rows;
}
