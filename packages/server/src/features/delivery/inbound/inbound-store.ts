/** All SQL about messages from phones: the parts as carriers handed them over, and the messages that they make. */
import { ADVISORY_LOCK } from "../../../db/advisory.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";

/** One part of a long message. Addresses as they are shown: digits without a plus, or a name. */
export type InboundPart = {
  carrierId: number;
  fromAddress: string;
  toAddress: string;
  reference: number;
  partCount: number;
  partNumber: number;
  dataCoding: number;
  octets: Buffer;
};

export type StoredPart = InboundPart & { partId: string };

/** Workers store one after the other: two that take the last two parts of one message at once would each miss the other's. */
export async function lockInbound(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock($1)", [ADVISORY_LOCK.inbound]);
}

/** A part that stands already, with the same octets, is the same one again: its acknowledgement was lost. */
export async function insertInboundParts(tx: Tx, parts: readonly StoredPart[]): Promise<void> {
  await tx.query(
    `insert into inbound_part (part_id, carrier_id, from_address, to_address, reference, part_count, part_number, data_coding, octets, received_at)
     select part_id, carrier_id, from_address, to_address, reference, part_count, part_number, data_coding, octets, now()
     from unnest($1::uuid[], $2::smallint[], $3::text[], $4::text[], $5::integer[], $6::smallint[], $7::smallint[], $8::smallint[], $9::bytea[])
       as part (part_id, carrier_id, from_address, to_address, reference, part_count, part_number, data_coding, octets)
     on conflict do nothing`,
    [
      parts.map((part) => part.partId),
      parts.map((part) => part.carrierId),
      parts.map((part) => part.fromAddress),
      parts.map((part) => part.toAddress),
      parts.map((part) => part.reference),
      parts.map((part) => part.partCount),
      parts.map((part) => part.partNumber),
      parts.map((part) => part.dataCoding),
      parts.map((part) => part.octets),
    ],
  );
}

/** The parts of messages that are complete, or whose first part has waited too long for the others, in order. */
export async function selectJoinableParts(
  tx: Tx,
  limits: { waitSeconds: number; messagesMax: number },
): Promise<(StoredPart & { receivedAt: Date })[]> {
  const { rows } = await tx.query<StoredPart & { receivedAt: Date }>(
    `with whole as (
       select carrier_id, from_address, to_address, reference, part_count from inbound_part where not is_joined
       group by 1, 2, 3, 4, 5
       having count(distinct part_number) = part_count or min(received_at) < now() - make_interval(secs => $1)
       limit $2
     )
     select distinct on (carrier_id, from_address, to_address, reference, part_count, part_number)
       part_id as "partId", carrier_id as "carrierId", from_address as "fromAddress", to_address as "toAddress", reference,
       part_count as "partCount", part_number as "partNumber", data_coding as "dataCoding", octets, received_at as "receivedAt"
     from inbound_part join whole using (carrier_id, from_address, to_address, reference, part_count)
     where not is_joined
     order by carrier_id, from_address, to_address, reference, part_count, part_number, part_id`,
    [limits.waitSeconds, limits.messagesMax],
  );
  return rows;
}

/** A whole text. */
export type NewInboundMessage = {
  inboundId: string;
  carrierId: number;
  fromAddress: string;
  toAddress: string;
  body: string;
  receivedAt: Date;
};

export async function insertInboundMessages(tx: Tx, messages: readonly NewInboundMessage[]): Promise<void> {
  await tx.query(
    `insert into inbound_message (inbound_id, carrier_id, from_address, to_address, body, received_at)
     select * from unnest($1::uuid[], $2::smallint[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])`,
    [
      messages.map((message) => message.inboundId),
      messages.map((message) => message.carrierId),
      messages.map((message) => message.fromAddress),
      messages.map((message) => message.toAddress),
      messages.map((message) => message.body),
      messages.map((message) => message.receivedAt),
    ],
  );
}

/** They stay for a while, so that one that comes again is known. */
export async function markJoined(tx: Tx, partIds: readonly string[]): Promise<void> {
  await tx.query("update inbound_part set is_joined = true where part_id = any ($1::uuid[])", [partIds]);
}

export async function deleteJoinedParts(db: Queryable, olderThanSeconds: number): Promise<void> {
  await db.query("delete from inbound_part where is_joined and received_at < now() - make_interval(secs => $1)", [
    olderThanSeconds,
  ]);
}

export type InboundMessage = Omit<NewInboundMessage, "carrierId">;

/** Newest first. */
export async function selectInboundMessages(
  db: Queryable,
  page: { limit: number; beforeId: string | undefined },
): Promise<InboundMessage[]> {
  const { rows } = await db.query<InboundMessage>(
    `select inbound_id as "inboundId", from_address as "fromAddress", to_address as "toAddress", body, received_at as "receivedAt"
     from inbound_message where ($2::uuid is null or inbound_id < $2) order by inbound_id desc limit $1`,
    [page.limit, page.beforeId ?? null],
  );
  return rows;
}
