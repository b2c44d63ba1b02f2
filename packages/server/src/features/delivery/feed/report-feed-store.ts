/** All SQL of the report feed; see report-feed.ts. */
import { ADVISORY_LOCK_CLASS } from "../../../db/advisory.ts";
import { isDistributed, ON_CLUSTER, ONE_SERVER } from "../../../db/distribution.ts";
import type { Queryable } from "../../../db/pool.ts";
import { numberArray, textArray } from "../../../db/sql-array.ts";
import { deliveryLimits } from "../delivery-limits.ts";
import { batchStates, deliveryStates } from "../states.ts";
import type { FeedRowOfFollower } from "./followers.ts";

/** @param first the number of the first of its parameters, which `feedValues` makes. @param from what else it reads, with a comma. */
export function insertFeedStatement(first: number, from = ""): string {
  const at = (place: number): string => `$${first + place}`;
  return `insert into report_feed (user_id, follower, message_id, state, positions, phone_nos, error_codes, ends_batch)
    select fed.user_id, fed.follower, fed.message_id, fed.state, fed.positions::integer[], fed.phone_nos::bigint[], fed.error_codes::text[], fed.ends_batch
    from ${from}unnest(${at(0)}::uuid[], ${at(1)}::smallint[], ${at(2)}::uuid[], ${at(3)}::smallint[], ${at(4)}::text[], ${at(5)}::text[], ${at(6)}::text[],
      ${at(7)}::boolean[]) as fed (user_id, follower, message_id, state, positions, phone_nos, error_codes, ends_batch)`;
}

/** The parameters of `insertFeedStatement`. */
export function feedValues(rows: readonly FeedRowOfFollower[]): unknown[] {
  return [
    textArray(rows.map(({ userId }) => userId)),
    numberArray(rows.map(({ follower }) => follower)),
    textArray(rows.map(({ messageId }) => messageId)),
    numberArray(rows.map(({ state }) => state)),
    textArray(rows.map(({ positions }) => numberArray(positions))),
    textArray(rows.map(({ phoneNos }) => numberArray(phoneNos))),
    textArray(
      rows.map(({ errorCodes }) => (errorCodes?.some((code) => code !== null) === true ? textArray(errorCodes) : null)),
    ),
    `{${rows.map(({ endsBatch }) => endsBatch === true).join(",")}}`,
  ];
}

export async function insertFeedRows(tx: Queryable, rows: readonly FeedRowOfFollower[]): Promise<void> {
  await tx.query({ name: "feed-rows", text: insertFeedStatement(1), values: feedValues(rows) });
}

/**
 * Who is skipped from the beginning, as the batches of these messages say; that such a batch is done where it has nobody else. Read and then
 * written: on a cluster the batches lie with their customer and the feed at the coordinator.
 */
export async function insertSkippedRows(
  tx: Queryable,
  { userId, follower, messageIds }: { userId: string; follower: number; messageIds: readonly string[] },
): Promise<void> {
  const { rows } = await tx.query<Omit<FeedRowOfFollower, "userId" | "follower">>({
    name: "feed-skipped",
    text: `select batch.message_id as "messageId",
        case when place = any (batch.opted_out_offsets) then ${deliveryStates.optedOut} else ${deliveryStates.dnd} end::smallint as state,
        array_agg(batch.batch_index * ${deliveryLimits.batchRecipientsMax} + place order by place) as positions,
        array_agg(batch.recipients[place + 1] order by place) as "phoneNos", bool_or(batch.state = ${batchStates.done}) as "endsBatch"
      from message_batch batch cross join lateral unnest(batch.skipped) as skipped (place)
      where batch.user_id = $1 and batch.message_id = any ($2::uuid[])
      group by batch.user_id, batch.message_id, batch.batch_index, 2`,
    values: [userId, textArray(messageIds)],
  });
  if (rows.length > 0)
    await insertFeedRows(
      tx,
      rows.map((row) => ({ ...row, userId, follower })),
    );
}

export async function hasFeedRows(db: Queryable, follower: number): Promise<boolean> {
  const { rows } = await db.query({
    name: "feed-any",
    // In the order of its index: without it a plan that takes every follower to be alike would read another one's million rows.
    text: "select 1 from report_feed where follower = $1 order by feed_id limit 1",
    values: [follower],
  });
  return rows.length > 0;
}

/** @returns false while another transaction has it. */
export async function lockFeed(tx: Queryable, follower: number): Promise<boolean> {
  const { rows } = await tx.query<{ isOurs: boolean }>({
    name: "feed-lock",
    text: `select pg_try_advisory_xact_lock($1, $2) as "isOurs"`,
    values: [ADVISORY_LOCK_CLASS.reportFeed, follower],
  });
  return rows[0]?.isOurs === true;
}

export type StoredFeedRow = {
  feedId: number;
  userId: string;
  messageId: string;
  state: number;
  positions: number[];
  phoneNos: number[];
  errorCodes: string[] | null;
  endsBatch: boolean;
  happenedAt: Date;
  ageMs: number;
  hasExpired: boolean;
  isTest: boolean;
};

/** @param userId rows of this customer; of all when absent. */
export async function selectFeedRows(
  tx: Queryable,
  follower: number,
  { limit, userId }: { limit: number; userId?: string | undefined },
): Promise<StoredFeedRow[]> {
  const { rows } = await tx.query<StoredFeedRow>({
    name: userId === undefined ? "feed-read" : "feed-read-of",
    text: `
      select fed.feed_id as "feedId", fed.user_id as "userId", fed.message_id as "messageId", fed.state,
        fed.positions[fed.read_count + 1 :] as positions, fed.phone_nos[fed.read_count + 1 :] as "phoneNos",
        fed.error_codes[fed.read_count + 1 :] as "errorCodes", fed.ends_batch as "endsBatch", fed.happened_at as "happenedAt",
        (extract(epoch from clock_timestamp() - fed.happened_at) * 1000)::integer as "ageMs",
        coalesce(message.has_expired, false) as "hasExpired", coalesce(message.is_test, false) as "isTest"
      from report_feed fed left join message on message.user_id = fed.user_id and message.message_id = fed.message_id
      where fed.follower = $1 ${userId === undefined ? "" : "and fed.user_id = $3"} order by fed.feed_id limit $2`,
    values: [follower, limit, ...(userId === undefined ? [] : [userId])],
  });
  return rows;
}

/** From one customer to the next in the index: a customer's thousands of rows are not read to find who else has some. */
const FEED_CUSTOMERS = `${ONE_SERVER}
  with recursive customer (user_id) as (
    (select user_id from report_feed where follower = $1 order by user_id limit 1)
    union all
    select (select next.user_id from report_feed next where next.follower = $1 and next.user_id > customer.user_id order by next.user_id limit 1)
    from customer where customer.user_id is not null
  )
  select customer.user_id as "userId", counted.rows as "rowCount",
    (extract(epoch from clock_timestamp() - counted.happened_at) * 1000)::integer as "oldestMs"
  from customer cross join lateral (
    select count(*)::integer as rows, min(happened_at) as happened_at
    from (select happened_at from report_feed own where own.user_id = customer.user_id and own.follower = $1 order by feed_id limit $3) as first
  ) as counted
  where customer.user_id is not null order by counted.happened_at limit $2`;

/** A cluster takes no such walk: each server reads what it has, which is bounded by how long streams are held. */
const FEED_CUSTOMERS_OF_CLUSTER = `${ON_CLUSTER}
  select user_id as "userId", least(count(*), $3)::integer as "rowCount",
    (extract(epoch from clock_timestamp() - min(happened_at)) * 1000)::integer as "oldestMs"
  from report_feed where follower = $1 group by user_id order by min(happened_at) limit $2`;

/** Whose oldest row has waited the longest comes first. @param rowsMax how far the rows of a customer are counted. */
export async function selectFeedCustomers(
  tx: Queryable,
  follower: number,
  { limit, rowsMax }: { limit: number; rowsMax: number },
): Promise<{ userId: string; rowCount: number; oldestMs: number }[]> {
  const { rows } = await tx.query<{ userId: string; rowCount: number; oldestMs: number }>({
    name: "feed-customers",
    text: isDistributed(tx) ? FEED_CUSTOMERS_OF_CLUSTER : FEED_CUSTOMERS,
    values: [follower, limit, rowsMax],
  });
  return rows;
}

export async function deleteFeedRows(
  tx: Queryable,
  { userId, follower, feedIds }: { userId: string; follower: number; feedIds: readonly number[] },
): Promise<void> {
  await tx.query({
    name: "feed-drop",
    text: "delete from report_feed where user_id = $1 and follower = $2 and feed_id = any ($3::bigint[])",
    values: [userId, follower, numberArray(feedIds)],
  });
}

export async function updateReadCount(
  tx: Queryable,
  { userId, follower, feedId, count }: { userId: string; follower: number; feedId: number; count: number },
): Promise<void> {
  await tx.query({
    name: "feed-read-count",
    text: "update report_feed set read_count = read_count + $4 where user_id = $1 and follower = $2 and feed_id = $3",
    values: [userId, follower, feedId, count],
  });
}
