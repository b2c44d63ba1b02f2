/** All SQL about submits: the pace of keys, accepted submits, and parts of long messages. */
import { isDistributed, ONE_SERVER } from "../../../db/distribution.ts";
import type { Queryable } from "../../../db/pool.ts";

type Key = { userId: string; keyId: string };

/**
 * Takes submits of a key's allowance, which fills at its pace and holds one second of it; by the database's clock, so for all hosts together.
 *
 * @param tx other groups of the key wait until it ends.
 * @returns how many of them may pass.
 */
export async function takePace(
  tx: Queryable,
  key: Key,
  { wanted, perSecond }: { wanted: number; perSecond: number },
): Promise<number> {
  await tx.query({
    name: "smpp-pace-begin",
    text: "insert into smpp_pace (user_id, key_id, used_until) values ($1, $2, '-infinity') on conflict do nothing",
    values: [key.userId, key.keyId],
  });
  if (isDistributed(tx)) return await takePaceInSteps(tx, key, { wanted, perSecond });
  const { rows } = await tx.query<{ taken: number }>({
    name: "smpp-pace-take",
    text: `${ONE_SERVER} with pace as (
       select greatest(used_until, clock_timestamp()) as used_until, clock_timestamp() as now
       from smpp_pace where user_id = $1 and key_id = $2 for update
     ), room as (
       select used_until,
         greatest(0, least($3::integer, floor(extract(epoch from now + interval '1 second' - used_until)::float8 * $4::integer + 1e-6)::integer)) as taken
       from pace
     )
     update smpp_pace set used_until = room.used_until + make_interval(secs => room.taken::float8 / $4::integer)
     from room where user_id = $1 and key_id = $2
     returning room.taken`,
    values: [key.userId, key.keyId, wanted, perSecond],
  });
  return rows[0]?.taken ?? 0;
}

/** A cluster computes no row from its clock while it writes it. */
async function takePaceInSteps(
  tx: Queryable,
  key: Key,
  { wanted, perSecond }: { wanted: number; perSecond: number },
): Promise<number> {
  const { rows } = await tx.query<{ usedUntil: string; room: number }>({
    name: "smpp-pace-look",
    text: `select used_until::text as "usedUntil",
       floor(extract(epoch from now + interval '1 second' - used_until)::float8 * $3::integer + 1e-6)::integer as room
     from (select greatest(used_until, clock_timestamp()) as used_until, clock_timestamp() as now
           from smpp_pace where user_id = $1 and key_id = $2 for update) as pace`,
    values: [key.userId, key.keyId, perSecond],
  });
  const [pace] = rows;
  const taken = pace === undefined ? 0 : Math.max(0, Math.min(wanted, pace.room));
  await tx.query({
    name: "smpp-pace-move",
    text: `update smpp_pace set used_until = $3::timestamptz + make_interval(secs => $4::double precision)
     where user_id = $1 and key_id = $2`,
    values: [key.userId, key.keyId, pace?.usedUntil, taken / perSecond],
  });
  return taken;
}

export type NewSubmit = {
  submitId: string;
  keyId: string;
  messageId: string | null;
  setId: string | null;
  receipt: number;
  sourceTon: number;
  sourceNpi: number;
  source: string;
  destinationTon: number;
  destinationNpi: number;
  destination: string;
  textStart: string;
  /** Until then it can be asked about, and has its receipt. */
  forgetAt: Date;
  isScheduled: boolean;
};

export async function insertSubmits(tx: Queryable, userId: string, submits: readonly NewSubmit[]): Promise<void> {
  if (submits.length === 0) return;
  await tx.query({
    name: "smpp-new-submits",
    text: `insert into smpp_submit (user_id, submit_id, key_id, message_id, set_id, receipt, source_ton, source_npi, source,
       destination_ton, destination_npi, destination, text_start, submitted_at, forget_at, is_scheduled)
     select $1::uuid, submit_id, key_id, message_id, set_id, receipt, source_ton, source_npi, source, destination_ton, destination_npi,
       destination, text_start, now(), forget_at, is_scheduled
     from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::smallint[], $7::smallint[], $8::smallint[], $9::text[],
         $10::smallint[], $11::smallint[], $12::text[], $13::text[], $14::timestamptz[], $15::boolean[])
       as new (submit_id, key_id, message_id, set_id, receipt, source_ton, source_npi, source, destination_ton, destination_npi,
         destination, text_start, forget_at, is_scheduled)`,
    values: [
      userId,
      submits.map(({ submitId }) => submitId),
      submits.map(({ keyId }) => keyId),
      submits.map(({ messageId }) => messageId),
      submits.map(({ setId }) => setId),
      submits.map(({ receipt }) => receipt),
      submits.map(({ sourceTon }) => sourceTon),
      submits.map(({ sourceNpi }) => sourceNpi),
      submits.map(({ source }) => source),
      submits.map(({ destinationTon }) => destinationTon),
      submits.map(({ destinationNpi }) => destinationNpi),
      submits.map(({ destination }) => destination),
      submits.map(({ textStart }) => textStart),
      submits.map(({ forgetAt }) => forgetAt),
      submits.map(({ isScheduled }) => isScheduled),
    ],
  });
}

/** What the parts of one long message have in common. */
export type PartSetKey = { keyId: string; addresses: string; reference: number; partCount: number };

/**
 * Finds the open set of some parts, or opens it, and locks it: parts that arrive at two hosts at once join it one after the other, so that the last
 * one sees all. Call it in the order of `addresses` and `reference`.
 *
 * @returns the id of the set.
 */
export async function lockPartSet(
  tx: Queryable,
  userId: string,
  { setId, waitMs, ...key }: PartSetKey & { setId: string; waitMs: number },
): Promise<string> {
  const { rows } = await tx.query<{ setId: string }>({
    name: "smpp-part-set",
    text: `insert into smpp_part_set as own (user_id, set_id, key_id, addresses, reference, part_count, expires_at)
     values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7::double precision / 1000))
     on conflict (user_id, key_id, addresses, reference, part_count) do update set expires_at = own.expires_at
     returning set_id as "setId"`,
    values: [userId, setId, key.keyId, key.addresses, key.reference, key.partCount, waitMs],
  });
  return rows[0]?.setId ?? setId;
}

/** The set goes on under another reference until it expires: a newer message has its parts' numbers. */
export async function setAside(tx: Queryable, set: { userId: string; setId: string }): Promise<void> {
  await tx.query(
    "update smpp_part_set set addresses = addresses || ' ' || set_id::text where user_id = $1 and set_id = $2",
    [set.userId, set.setId],
  );
}

export type StoredPart = { setId: string; partNumber: number; submitId: string; dataCoding: number; octets: Buffer };

/** @returns whether the set has expired as well: then its parts do not count any more. */
export async function selectParts(
  tx: Queryable,
  { userId, setId }: { userId: string; setId: string },
): Promise<{ isOver: boolean; parts: StoredPart[] }> {
  // One row without a part for a set that has none.
  const { rows } = await tx.query<StoredPart & { isOver: boolean; hasPart: boolean }>({
    name: "smpp-parts",
    text: `select own.set_id as "setId", part_number as "partNumber", submit_id as "submitId", data_coding as "dataCoding", octets,
       expires_at < clock_timestamp() as "isOver", part_number is not null as "hasPart"
     from smpp_part_set own left join smpp_part part on part.user_id = own.user_id and part.set_id = own.set_id
     where own.user_id = $1 and own.set_id = $2`,
    values: [userId, setId],
  });
  return { isOver: rows[0]?.isOver === true, parts: rows.filter(({ hasPart }) => hasPart) };
}

export async function insertParts(tx: Queryable, userId: string, parts: readonly StoredPart[]): Promise<void> {
  if (parts.length === 0) return;
  await tx.query({
    name: "smpp-new-parts",
    text: `insert into smpp_part (user_id, set_id, part_number, submit_id, data_coding, octets)
     select $1::uuid, set_id, part_number, submit_id, data_coding, decode(octets, 'hex')
     from unnest($2::uuid[], $3::smallint[], $4::uuid[], $5::smallint[], $6::text[])
       as new (set_id, part_number, submit_id, data_coding, octets)`,
    values: [
      userId,
      parts.map(({ setId }) => setId),
      parts.map(({ partNumber }) => partNumber),
      parts.map(({ submitId }) => submitId),
      parts.map(({ dataCoding }) => dataCoding),
      parts.map(({ octets }) => octets.toString("hex")),
    ],
  });
}

/** The set's message is queued: its earlier parts are of that message, and it is forgotten. */
export async function completeSet(
  tx: Queryable,
  set: { userId: string; setId: string; messageId: string },
): Promise<void> {
  await tx.query({
    name: "smpp-set-message",
    text: "update smpp_submit set message_id = $3 where user_id = $1 and set_id = $2",
    values: [set.userId, set.setId, set.messageId],
  });
  await deleteSets(tx, set.userId, [set.setId]);
}

export async function deleteSets(tx: Queryable, userId: string, setIds: readonly string[]): Promise<void> {
  await tx.query({
    name: "smpp-set-over",
    text: "delete from smpp_part_set where user_id = $1 and set_id = any ($2::uuid[])",
    values: [userId, setIds],
  });
}

/** Whether one of the parts that are stored asked for a receipt: the message is followed for it then. */
export async function selectReceiptWishes(
  tx: Queryable,
  userId: string,
  setIds: readonly string[],
): Promise<{ setId: string }[]> {
  const { rows } = await tx.query<{ setId: string }>({
    name: "smpp-set-wishes",
    text: `select distinct set_id as "setId" from smpp_submit where user_id = $1 and set_id = any ($2::uuid[]) and receipt <> 0`,
    values: [userId, setIds],
  });
  return rows;
}

/** Sets whose time is over, oldest first. */
export async function selectOverdueSets(db: Queryable, limit: number): Promise<{ userId: string; setId: string }[]> {
  const { rows } = await db.query<{ userId: string; setId: string }>(
    `select user_id as "userId", set_id as "setId" from smpp_part_set where expires_at < now() order by expires_at limit $1`,
    [limit],
  );
  return rows;
}

/**
 * Ends a set whose message never came together: its submits have expired, and those that asked for a receipt are told.
 *
 * @returns false when somebody else has ended or completed it.
 */
export async function expireSet(
  tx: Queryable,
  set: { userId: string; setId: string },
  expiredState: number,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    "delete from smpp_part_set where user_id = $1 and set_id = $2 and expires_at < now()",
    [set.userId, set.setId],
  );
  if (rowCount === 0) return false;
  const { rows } = await tx.query<{ keyId: string; submitId: string; isToldOfFailures: boolean }>(
    `update smpp_submit set has_expired = true where user_id = $1 and set_id = $2 and message_id is null
     returning key_id as "keyId", submit_id as "submitId", receipt in (1, 2) as "isToldOfFailures"`,
    [set.userId, set.setId],
  );
  const told = rows.filter(({ isToldOfFailures }) => isToldOfFailures);
  await tx.query(
    `insert into smpp_delivery (user_id, key_id, submit_id, state, happened_at)
     select $1::uuid, key_id, submit_id, $4::smallint, now() from unnest($2::uuid[], $3::uuid[]) as told (key_id, submit_id)
     order by submit_id`,
    [set.userId, told.map(({ keyId }) => keyId), told.map(({ submitId }) => submitId), expiredState],
  );
  return true;
}

/** Forgets submits that nothing more is to be heard of. */
export async function deleteOldSubmits(db: Queryable): Promise<void> {
  await db.query("delete from smpp_submit where forget_at < now()");
}
