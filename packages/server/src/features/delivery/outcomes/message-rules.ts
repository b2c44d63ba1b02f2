import { isDistributed, ONE_SERVER } from "../../../db/distribution.ts";
import type { Queryable } from "../../../db/pool.ts";
import { deliveryTimesMs } from "../delivery-limits.ts";
import { batchStates, smallestIdOf } from "../states.ts";

/**
 * The rules of messages, counts and their holds (view `delivery_ledger_invariants`) for every message that may have changed since a moment: those of the
 * days in which a report is still taken, those that started late, and those in which somebody waits or is unknown or units are held.
 * Its cost follows those and not the history.
 */
export async function checkMessagesSince(db: Queryable, since: Date): Promise<{ name: string; violations: number }[]> {
  const { rows } = await db.query<{ name: string; violations: number }>(
    isDistributed(db) ? MESSAGES_SINCE_ON_A_CLUSTER : MESSAGES_SINCE,
    [smallestIdOf(since.getTime() - deliveryTimesMs.reportAge), since],
  );
  return rows;
}

const TOUCHED = `
    select user_id, message_id from message where message_id >= $1
    union
    select user_id, message_id from message where state <> 0 and state_at - created_at > interval '24 hours' and state_at >= $2
    union
    select user_id, message_id from message_batch where state + 0 < ${batchStates.done}
    union
    select user_id, message_id from delivery_unknown
    union
    select user_id, coalesce(send_id, hold_id) from hold where is_open and freeze_reference is null`;

/** The pages of recipients who wait or are unsettled, of a merged message. */
const OPEN_PAGES = `coalesce(sum(own.pages), 0) as open_pages
        from message_batch batch
        cross join lateral unnest(batch.page_counts) with ordinality as own (pages, number)
        left join delivery d on d.user_id = batch.user_id and d.message_id = batch.message_id
          and d.position = batch.batch_index * 500 + own.number - 1
        left join delivery_unknown unknown on unknown.user_id = batch.user_id and unknown.message_id = batch.message_id
          and unknown.position = batch.batch_index * 500 + own.number - 1
        where (unknown.position is not null
          or batch.state + 0 < ${batchStates.done} and d.position is null and (own.number - 1)::smallint <> all (batch.skipped))`;

const STAND_COLUMNS = `m.recipient_count, m.price_milli, m.page_count, m.is_merged, h.open_milli, c.waiting,
        coalesce(u.unsettled, 0) as unsettled, coalesce(o.open_pages, 0) as open_pages,
        c.waiting + c.sent + c.delivered + c.failed + c.dnd + c.unknown + c.cancelled + c.opted_out as counted`;

const RULES = `
  select 'each message counts every recipient once' as name, count(*) as violations from stand where counted <> recipient_count
  union all
  select 'each hold keeps open what waiting and unsettled recipients cost', count(*)
    from stand where not is_merged and open_milli <> price_milli * (waiting + unsettled)
  union all
  select 'each hold keeps open what the recipients of a merged message that wait or are unsettled cost', count(*)
    from stand where is_merged and open_milli <> price_milli / page_count * open_pages`;

// A look into an index for each message; `offset 0` keeps the planner from reading all counts and holds instead.
const MESSAGES_SINCE = `${ONE_SERVER}
  with touched as materialized (${TOUCHED}
  ), stand as materialized (
    select ${STAND_COLUMNS}
      from touched t
      cross join lateral (
        select recipient_count, price_milli, page_count, is_merged, hold_id from message where user_id = t.user_id and message_id = t.message_id offset 0
      ) m cross join lateral (
        select waiting, sent, delivered, failed, dnd, unknown, cancelled, opted_out
          from message_count where user_id = t.user_id and message_id = t.message_id offset 0
      ) c cross join lateral (
        select count(*) as unsettled from delivery_unknown where user_id = t.user_id and message_id = t.message_id
      ) u cross join lateral (
        select ${OPEN_PAGES}
          and m.is_merged and batch.user_id = t.user_id and batch.message_id = t.message_id
      ) o left join lateral (
        select open_milli from hold where user_id = t.user_id and hold_id = m.hold_id offset 0
      ) h on true
  )${RULES}`;

/** Each server of a cluster checks its own customers; it takes neither a list that is made first nor a look for each message. */
const MESSAGES_SINCE_ON_A_CLUSTER = `
  with touched as (${TOUCHED}
  ), stand as materialized (
    select ${STAND_COLUMNS}
      from touched t
      join message m on m.user_id = t.user_id and m.message_id = t.message_id
      join message_count c on c.user_id = t.user_id and c.message_id = t.message_id
      left join (
        select user_id, message_id, count(*) as unsettled from delivery_unknown group by user_id, message_id
      ) u on u.user_id = t.user_id and u.message_id = t.message_id
      left join (
        select batch.user_id, batch.message_id, ${OPEN_PAGES} group by batch.user_id, batch.message_id
      ) o on o.user_id = t.user_id and o.message_id = t.message_id
      left join hold h on h.user_id = m.user_id and h.hold_id = m.hold_id
  )${RULES}`;
