/** All SQL about what goes to clients: receipts and messages from phones, until they are acknowledged. */
import { isDistributed, ONE_SERVER } from "../../../db/distribution.ts";
import type { Queryable } from "../../../db/pool.ts";

export type WaitingKey = { userId: string; keyId: string };

/** @returns those of the keys for which something is due; of a cluster, which joins no list with its tables, all of them. */
export async function selectKeysWithDeliveries(db: Queryable, keys: readonly WaitingKey[]): Promise<WaitingKey[]> {
  if (isDistributed(db)) return [...keys];
  const { rows } = await db.query<WaitingKey>({
    name: "smpp-keys-with-deliveries",
    text: `${ONE_SERVER} select user_id as "userId", key_id as "keyId"
     from unnest($1::uuid[], $2::uuid[]) as own (user_id, key_id)
     where exists (select from smpp_delivery d where d.user_id = own.user_id and d.key_id = own.key_id and d.due_at <= now())`,
    values: [keys.map(({ userId }) => userId), keys.map(({ keyId }) => keyId)],
  });
  return rows;
}

export type LeasedDelivery = {
  userId: string;
  keyId: string;
  deliveryId: number;
  tryCount: number;
  /** Of a receipt; null of a message from a phone. */
  submitId: string | null;
  state: number | null;
  errorCode: string | null;
  sourceTon: number | null;
  sourceNpi: number | null;
  source: string | null;
  destinationTon: number | null;
  destinationNpi: number | null;
  destination: string | null;
  textStart: string | null;
  submittedAt: Date | null;
  happenedAt: Date;
  fromAddress: string | null;
  toAddress: string | null;
  body: string | null;
};

/** Takes the oldest of a key that are due, for this host alone until the lease ends. */
export async function leaseDeliveries(
  db: Queryable,
  { userId, keyId }: WaitingKey,
  { hostId, leaseMs, limit }: { hostId: string; leaseMs: number; limit: number },
): Promise<LeasedDelivery[]> {
  const { rows } = await db.query<LeasedDelivery>({
    name: "smpp-lease-deliveries",
    text: `with next as (
       select user_id, delivery_id from smpp_delivery
       where user_id = $1 and key_id = $2 and due_at <= now() order by delivery_id limit $3 for update skip locked
     ), leased as (
       update smpp_delivery own
       set lease_host = $4, due_at = now() + make_interval(secs => $5::double precision / 1000), try_count = try_count + 1
       from next where own.user_id = $1 and own.user_id = next.user_id and own.delivery_id = next.delivery_id
       returning own.*
     )
     select leased.user_id as "userId", leased.key_id as "keyId", delivery_id as "deliveryId", try_count as "tryCount",
       leased.submit_id as "submitId", state, error_code as "errorCode", source_ton as "sourceTon", source_npi as "sourceNpi", source,
       destination_ton as "destinationTon", destination_npi as "destinationNpi", destination, text_start as "textStart",
       submitted_at as "submittedAt", happened_at as "happenedAt", from_address as "fromAddress", to_address as "toAddress", body
     from leased left join smpp_submit submit on submit.user_id = leased.user_id and submit.submit_id = leased.submit_id
     order by delivery_id`,
    values: [userId, keyId, limit, hostId, leaseMs],
  });
  return rows;
}

/** They arrived. */
export async function deleteDeliveries(db: Queryable, userId: string, deliveryIds: readonly number[]): Promise<void> {
  await db.query({
    name: "smpp-deliveries-done",
    text: "delete from smpp_delivery where user_id = $1 and delivery_id = any ($2::bigint[])",
    values: [userId, deliveryIds],
  });
}

/** They did not, and are given again, to any bind of their key: each after its own delay. */
export async function putBackDeliveries(
  db: Queryable,
  userId: string,
  deliveries: readonly { deliveryId: number; delayMs: number }[],
): Promise<void> {
  // A cluster computes no row's time from another column. There are as many delays as doublings up to the longest.
  for (const [delayMs, own] of Map.groupBy(deliveries, (delivery) => delivery.delayMs))
    await db.query({
      name: "smpp-deliveries-again",
      text: `update smpp_delivery set lease_host = null, due_at = now() + make_interval(secs => $3::double precision / 1000)
       where user_id = $1 and delivery_id = any ($2::bigint[])`,
      values: [userId, own.map(({ deliveryId }) => deliveryId), delayMs],
    });
}

/** What nobody fetched in all the time that it is kept. */
export async function deleteOldDeliveries(db: Queryable, keptMs: number): Promise<void> {
  await db.query(
    "delete from smpp_delivery where happened_at < now() - make_interval(secs => $1::double precision / 1000)",
    [keptMs],
  );
}

export type PhoneMessage = { fromAddress: string; toAddress: string; body: string; receivedAt: Date };

/** Each message for each of the keys. */
export async function insertPhoneMessages(
  tx: Queryable,
  userId: string,
  keyIds: readonly string[],
  messages: readonly PhoneMessage[],
): Promise<void> {
  await tx.query(
    `insert into smpp_delivery (user_id, key_id, from_address, to_address, body, happened_at)
     select $1::uuid, key_id, from_address, to_address, body, happened_at
     from unnest($3::text[], $4::text[], $5::text[], $6::timestamptz[]) with ordinality as new (from_address, to_address, body, happened_at, place)
       cross join unnest($2::uuid[]) as key (key_id)
     order by place`,
    [
      userId,
      keyIds,
      messages.map(({ fromAddress }) => fromAddress),
      messages.map(({ toAddress }) => toAddress),
      messages.map(({ body }) => body),
      messages.map(({ receivedAt }) => receivedAt),
    ],
  );
}

/** What became of messages, as SMPP numbers states. */
export type ToldMessage = { messageId: string; state: number; errorCode: string | null; happenedAt: Date };

/** Makes the receipts of those submits of the messages that asked for one. @param deliveredState needed to tell success from failure. */
export async function insertReceipts(
  tx: Queryable,
  userId: string,
  told: readonly ToldMessage[],
  deliveredState: number,
): Promise<void> {
  // A message of one part has its submit's id; parts of a long one are found by the message. They are read first: a cluster joins a list with a
  // table, but makes no rows of another table from that.
  const { rows: found } = await tx.query<{ place: number; keyId: string; submitId: string }>({
    name: "smpp-receipts-wanted",
    text: `with told as (
       select * from unnest($2::uuid[], $3::smallint[]) with ordinality as told (message_id, state, place)
     ), found as (
       select key_id, submit_id, receipt, state, place
       from told join smpp_submit submit on submit.user_id = $1 and submit.submit_id = told.message_id and submit.set_id is null
       union all
       select key_id, submit_id, receipt, state, place
       from told join smpp_submit submit on submit.user_id = $1 and submit.message_id = told.message_id and submit.set_id is not null
     )
     select (place - 1)::integer as place, key_id as "keyId", submit_id as "submitId" from found
     where receipt = 1 or (receipt = 2 and state <> $4) or (receipt = 3 and state = $4)
     order by place, submit_id`,
    values: [userId, told.map(({ messageId }) => messageId), told.map(({ state }) => state), deliveredState],
  });
  const receipts = found.flatMap(({ place, ...receipt }) => {
    const what = told[place];
    return what === undefined ? [] : [{ ...receipt, ...what }];
  });
  if (receipts.length === 0) return;
  await tx.query({
    name: "smpp-new-receipts",
    text: `insert into smpp_delivery (user_id, key_id, submit_id, state, error_code, happened_at)
     select $1::uuid, key_id, submit_id, state, error_code, happened_at
     from unnest($2::uuid[], $3::uuid[], $4::smallint[], $5::text[], $6::timestamptz[]) with ordinality
       as new (key_id, submit_id, state, error_code, happened_at, place)
     order by place`,
    values: [
      userId,
      receipts.map(({ keyId }) => keyId),
      receipts.map(({ submitId }) => submitId),
      receipts.map(({ state }) => state),
      receipts.map(({ errorCode }) => errorCode),
      receipts.map(({ happenedAt }) => happenedAt),
    ],
  });
}
