/** All SQL of what carriers accepted, with what it brought and what they bill. */
import type { Tx } from "../../../db/transaction.ts";
import { ownPrice } from "../outcomes/report-store.ts";
import { deliveryStates, TEST_CARRIER_ID } from "../states.ts";

export type AcceptedRow = {
  userId: string;
  hour: Date;
  carrierName: string;
  carrierId: number;
  code: string;
  /** The first digits of the numbers. */
  start: string;
  messages: number;
  parts: number;
  revenueMilli: number;
};

/**
 * What carriers accepted in a period, by hour, customer, carrier, code and the beginning of the number. Its cost follows what was handed over in the
 * period, as that of `selectTraffic`.
 *
 * @param tx reads by index from here on.
 * @param isRefundingFailed what did not arrive was given back, and brought nothing.
 */
export async function selectAccepted(
  tx: Tx,
  { since, until }: { since: Date; until: Date },
  { startDigits, isRefundingFailed }: { startDigits: number; isRefundingFailed: boolean },
): Promise<AcceptedRow[]> {
  await tx.query("set local enable_seqscan = off");
  const { rows } = await tx.query<AcceptedRow>(
    // The carrier's ids of a message of several parts stand in rows of their own, which say how many there were. Without any id nothing was accepted.
    `select "userId", hour, "carrierId", code, start, count(*) as messages, sum(parts)::bigint as parts,
       sum(case when $4::boolean and state in (${deliveryStates.failed}, ${deliveryStates.dnd}) then 0 else "priceMilli" end)::bigint as "revenueMilli"
     from (
       select delivery.user_id as "userId", date_bin('1 hour', submitted_at, 'epoch') as hour, carrier_id as "carrierId", code,
         left(phone_no::text, $3::integer) as start, delivery.state, ${ownPrice()},
         case when carrier_key is not null then 1 else (
           select part_count from delivery_part part where part.user_id = delivery.user_id and part.message_id = delivery.message_id
             and part.position = delivery.position and part.part_index = 0
         ) end as parts
       from delivery join message on message.user_id = delivery.user_id and message.message_id = delivery.message_id
       where submitted_at >= $1 and submitted_at < $2 and carrier_id is not null and carrier_id <> ${TEST_CARRIER_ID}
     ) as handed
     where parts is not null group by 1, 2, 3, 4, 5`,
    [since, until, startDigits, isRefundingFailed],
  );
  const names = await tx.query<{ carrierId: number; name: string }>(
    `select carrier_id as "carrierId", name from carrier`,
  );
  const nameOf = new Map(names.rows.map(({ carrierId, name }) => [carrierId, name]));
  return rows.map((row) => ({ ...row, carrierName: nameOf.get(row.carrierId) ?? "" }));
}
