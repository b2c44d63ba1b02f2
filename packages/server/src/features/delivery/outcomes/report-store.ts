/** All SQL by which reports find their deliveries and move them on. */
import { isDistributed, ONE_SERVER } from "../../../db/distribution.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import { deliveryLimits } from "../delivery-limits.ts";
import type { KnownMark } from "../send-mark/send-mark-store.ts";
import { deliveryStates } from "../states.ts";
import { numberArray, textArray } from "../../../db/sql-array.ts";

export type ReportColumns = {
  /** The messages that reports are about. */
  userIds: string[];
  messageIds: string[];
  /** Whether all recipients of it are to be named, not only those that did not arrive. */
  areFollowed: boolean[];
  /** Each report's message: its index in the two above, from 1 as in SQL. */
  messageNumbers: number[];
  positions: number[];
  /** Bits of the parts that were delivered, and of all parts. */
  deliveredParts: number[];
  allParts: number[];
  /** A final state that is not `delivered`, or 0. */
  failures: number[];
  errorCodes: (string | null)[];
};

export type MovedDeliveries = {
  userId: string;
  messageId: string;
  state: number;
  count: number;
  /** Of those that did not arrive, and of all of a followed message. */
  positions: number[];
  phoneNos: number[];
  errorCodes: (string | null)[];
};

/** Moves sent recipients on to what the reports say. Those that are final already stay as they are. */
export async function recordReports(tx: Tx, reports: ReportColumns): Promise<MovedDeliveries[]> {
  if (isDistributed(tx)) return await recordReportsByCustomer(tx, reports);
  const { rows } = await tx.query<MovedDeliveries>({
    name: "flush-reports",
    text: REPORTS_OF_SEVERAL,
    values: [textArray(reports.userIds), ...reportValues(reports)],
  });
  return rows;
}

function reportValues(reports: ReportColumns): string[] {
  return [
    textArray(reports.messageIds),
    numberArray(reports.messageNumbers),
    numberArray(reports.positions),
    numberArray(reports.deliveredParts),
    numberArray(reports.allParts),
    numberArray(reports.failures),
    textArray(reports.errorCodes),
    `{${reports.areFollowed.join(",")}}`,
  ];
}

/** The same in a cluster, where a statement about several customers goes to every shard. */
async function recordReportsByCustomer(tx: Tx, reports: ReportColumns): Promise<MovedDeliveries[]> {
  const moved: MovedDeliveries[] = [];
  const rowsOf = Map.groupBy(
    reports.positions.keys(),
    (row) => reports.userIds[(reports.messageNumbers[row] ?? 0) - 1],
  );
  for (const [userId, own] of [...rowsOf].toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1))) {
    const pick = <Value>(column: readonly Value[]): Value[] => own.map((row) => column[row] as Value);
    const { rows } = await tx.query<MovedDeliveries>({
      name: "flush-reports-of-customer",
      text: REPORTS_OF_CUSTOMER,
      values: [
        userId,
        ...reportValues({
          ...reports,
          messageNumbers: pick(reports.messageNumbers),
          positions: pick(reports.positions),
          deliveredParts: pick(reports.deliveredParts),
          allParts: pick(reports.allParts),
          failures: pick(reports.failures),
          errorCodes: pick(reports.errorCodes),
        }),
      ],
    });
    moved.push(...rows);
  }
  return moved;
}

const REPORTS_OF_SEVERAL = `${ONE_SERVER} ${recordReportsStatement("($1::uuid[])[report.message_number]")}`;
/** The first parameter is the customer: the statement goes to one server. */
const REPORTS_OF_CUSTOMER = recordReportsStatement("$1");

function recordReportsStatement(userId: string): string {
  return `
  with moved as (
    update delivery own
    set delivered_parts = own.delivered_parts | report.delivered_parts,
      state = case when report.failure <> 0 then report.failure
        when (own.delivered_parts | report.delivered_parts) = report.all_parts then ${deliveryStates.delivered}
        else own.state end,
      error_code = report.error_code,
      updated_at = now()
    from unnest($3::integer[], $4::integer[], $5::integer[], $6::integer[], $7::smallint[], $8::text[])
      as report (message_number, position, delivered_parts, all_parts, failure, error_code)
    where own.user_id = ${userId} and own.message_id = ($2::uuid[])[report.message_number]
      and own.position = report.position and own.state = ${deliveryStates.sent}
    returning own.user_id, own.message_id, own.position, own.phone_no, own.state, own.error_code,
      own.state <> ${deliveryStates.delivered} or ($9::boolean[])[report.message_number] as is_named
  )
  select user_id as "userId", message_id as "messageId", state, count(*)::integer as count,
    coalesce(array_agg(position) filter (where is_named), '{}') as positions,
    coalesce(array_agg(phone_no) filter (where is_named), '{}') as "phoneNos",
    coalesce(array_agg(error_code) filter (where is_named), '{}') as "errorCodes"
  from moved where state <> ${deliveryStates.sent} group by user_id, message_id, state`;
}

/** Recipients of one message that arrived: short ones, of one part. */
export type DeliveredOfMessage = {
  userId: string;
  messageId: string;
  /** They are told who it was. */
  followers: number;
  positions: readonly number[];
};

/**
 * Moves sent recipients of some messages on to delivered, and the messages' counts with them, in one statement that is its own transaction; on
 * one PostgreSQL only. One scan of the index for each message, no parameters but the positions: 3.2 us a report, where `recordReports` takes 5.5 us.
 * Done again it moves nothing: those that are final already stay as they are.
 *
 * @param delivered each message once.
 * @throws Error with the state `SQL_STATE.flushRefused` when the database is not the one that the worker knows.
 */
export async function recordDelivered(
  db: Queryable,
  known: KnownMark,
  delivered: readonly DeliveredOfMessage[],
): Promise<void> {
  const areFollowed = delivered.some(({ followers }) => followers !== 0);
  await db.query({
    name: areFollowed ? "flush-delivered-followed" : "flush-delivered",
    text: `${ONE_SERVER} select record_delivered($1, $2, $3, $4, $5, $6${areFollowed ? ", $7" : ""})`,
    values: [
      known.epochId,
      known.generation,
      textArray(delivered.map(({ userId }) => userId)),
      textArray(delivered.map(({ messageId }) => messageId)),
      numberArray(delivered.map(({ positions }) => positions.length)),
      numberArray(delivered.flatMap(({ positions }) => positions)),
      ...(areFollowed ? [numberArray(delivered.map(({ followers }) => followers))] : []),
    ],
  });
}

/** The same in a transaction that counts them itself, on a cluster as well. @returns how many were moved. */
export async function recordDeliveredOfMessage(
  tx: Tx,
  { userId, messageId, positions }: Omit<DeliveredOfMessage, "followers">,
): Promise<number> {
  const { rowCount } = await tx.query({
    name: "flush-delivered-of-message",
    text: `update delivery set delivered_parts = 1, state = $4::smallint, error_code = null, updated_at = now()
      where user_id = $1 and message_id = $2 and position = any ($3::integer[]) and state = $5::smallint`,
    values: [userId, messageId, numberArray(positions), deliveryStates.delivered, deliveryStates.sent],
  });
  return rowCount ?? 0;
}

/**
 * What a recipient pays, from `message` and a row with `user_id`, `message_id` and `position`; of a plain message no batch is read.
 *
 * @param userId what gives the customer. Where a statement locks or changes rows of one, it is the parameter: without that a cluster does not see
 *   that all of it is at one server.
 */
export const ownPrice = (userId = "message.user_id"): string => `case when is_merged then price_milli / page_count * (
    select page_counts[position % ${deliveryLimits.batchRecipientsMax} + 1] from message_batch batch
    where batch.user_id = ${userId} and batch.message_id = message.message_id
      and batch.batch_index = position / ${deliveryLimits.batchRecipientsMax}
  ) else price_milli end as "priceMilli"`;

export type FoundDelivery = {
  /** Into the keys that were asked for. */
  keyIndex: number;
  userId: string;
  messageId: string;
  position: number;
  partIndex: number;
  partCount: number;
  holdId: string | null;
  priceMilli: number;
  followers: number;
};

/**
 * Finds deliveries by the carrier's ids. Ids come back after a while, so the newest delivery of an id is meant.
 *
 * @param oldestMessageId the smallest UUIDv7 that is looked at; it keeps old partitions out.
 */
export async function findByKeys(
  db: Queryable,
  asked: { keys: string[]; carrierIds: number[]; oldestMessageId: string },
): Promise<FoundDelivery[]> {
  const { rows } = await db.query<FoundDelivery>({
    name: "find-by-keys",
    text: `
      select distinct on (place) (place - 1)::integer as "keyIndex", user_id as "userId", message_id as "messageId", position,
        part_index as "partIndex", part_count as "partCount", hold_id as "holdId", followers, ${ownPrice()}
      from (
        select place, user_id, message_id, position, 0 as part_index, 1 as part_count, submitted_at
        from unnest($1::text[], $2::smallint[]) with ordinality as asked (carrier_key, carrier_id, place)
        join delivery using (carrier_key, carrier_id) where message_id >= $3
        union all
        select place, user_id, message_id, position, part_index, part_count, submitted_at
        from unnest($1::text[], $2::smallint[]) with ordinality as asked (carrier_key, carrier_id, place)
        join delivery_part using (carrier_key, carrier_id) where message_id >= $3
      ) as found
      join message using (user_id, message_id)
      order by place, submitted_at desc`,
    values: [textArray(asked.keys), numberArray(asked.carrierIds), asked.oldestMessageId],
  });
  return rows;
}
