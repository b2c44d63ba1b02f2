import type { Queryable } from "../../../db/pool.ts";

/**
 * The rules of card payments, refunds and disputes (view `payment_ledger_invariants`) for what was paid, credited or taken back since a moment, and
 * for every open refund and dispute. Its cost follows those and not the history.
 */
export async function checkPaymentsSince(db: Queryable, since: Date): Promise<{ name: string; violations: number }[]> {
  const { rows } = await db.query<{ name: string; violations: number }>(PAYMENTS_SINCE, [since]);
  return rows;
}

const CREDIT = `e.user_id = j.user_id and e.number = j.number and e.account = 'customer'`;

const PAYMENTS_SINCE = `
  select 'each card payment is credited exactly when it is paid' as name, count(*) as violations
    from (
      select p.user_id, p.reference
        from card_payment p
          left join journal j on j.user_id = p.user_id and j.kind = 'card_payment' and j.reference = p.reference
          left join journal_entry e on ${CREDIT}
        where p.paid_at >= $1 and coalesce(e.amount_milli, 0) <> p.units * 1000
      union all
      select j.user_id, j.reference
        from journal j left join card_payment p on p.user_id = j.user_id and p.reference = j.reference
        where j.created_at >= $1 and j.kind = 'card_payment' and p.user_id is not null and p.paid_at is null
    ) wrong
  union all
  select 'no top-up is taken back beyond its amount', count(*)
    from (
      select distinct user_id, reverses_number from journal where created_at >= $1 and reverses_number is not null
    ) top_up
    join journal_entry first on first.user_id = top_up.user_id and first.number = top_up.reverses_number and first.account = 'customer'
    cross join lateral (
      select sum(e.amount_milli) as taken_milli from journal j join journal_entry e on ${CREDIT}
        where j.user_id = top_up.user_id and j.reverses_number = top_up.reverses_number
    ) taken
    where first.amount_milli + taken.taken_milli < 0
  union all
  select 'each open refund and dispute has its units set aside', count(*)
    from card_payment_claim c left join hold h on h.user_id = c.user_id and h.hold_id = c.hold_id
    where (c.state = 'open' or c.updated_at >= $1) and c.frozen_milli <> coalesce(h.open_milli, 0)
  union all
  select 'each transfer to an account number is credited less its fee', count(*)
    from account_transfer t
      left join journal j on j.user_id = t.user_id and j.kind = 'bank_deposit' and j.reference = t.reference
      left join journal_entry e on ${CREDIT}
    where t.credited_at >= $1 and coalesce(e.amount_milli, 0) <> (t.amount_kobo - t.fee_kobo) * 10`;
