-- Views that a cluster (Citus) can read: it needs a column in every subquery, and the name of each column in the first part of a union. What
-- they say is as it was.
create or replace view ledger_movement (user_id, movement_id, created_at, cause, reference, amount_milli, is_final) as
  select user_id, hold_id as movement_id, created_at, case when freeze_reference is null then 'message' else 'freeze' end as cause,
      coalesce(freeze_reference, send_id::text, hold_id::text) as reference, released_milli - amount_milli as amount_milli,
      not is_open as is_final
    from hold
  union all
  select user_id, refund_id, refunded_at, 'refund', coalesce(send_id, hold_id)::text, refunded_milli, refunded_milli = captured_milli and not is_open
    from hold where refunded_at is not null
  union all
  select j.user_id, j.journal_id, j.created_at,
      case j.kind when 'card_payment' then 'payment' when 'bank_deposit' then 'deposit' when 'manual_credit' then 'credit' else j.kind end,
      coalesce(reversed.reference, j.reference), e.amount_milli, true
    from journal j join journal_entry e on e.user_id = j.user_id and e.number = j.number and e.account = 'customer'
      left join journal reversed on reversed.user_id = j.user_id and reversed.number = j.reverses_number
    where j.hold_id is null;

create or replace view ledger_invariants (name, violations) as
  with posted as materialized (
    select user_id, number, sum(amount_milli) as total_milli, count(*) as entry_count,
        coalesce(sum(amount_milli) filter (where account = 'customer'), 0) as customer_milli
      from journal_entry group by user_id, number
  ), customer as materialized (
    select user_id, sum(customer_milli) as balance_milli, count(*) as journal_count from posted group by user_id
  ), chain as (
    select j.number, j.balance_after_milli, p.customer_milli,
        lag(j.number, 1, 0::bigint) over account as earlier_number,
        lag(j.balance_after_milli, 1, 0::bigint) over account as earlier_balance_milli
      from journal j left join posted p using (user_id, number)
      window account as (partition by j.user_id order by j.number)
  ), settled as (
    select j.user_id, j.hold_id,
        coalesce(-sum(p.customer_milli) filter (where j.kind = 'charge'), 0) as captured_milli,
        coalesce(sum(p.customer_milli) filter (where j.kind = 'refund'), 0) as refunded_milli,
        count(*) filter (where j.kind = 'charge') as charge_count
      from journal j join posted p using (user_id, number) where j.hold_id is not null
      group by j.user_id, j.hold_id
  )
  select 'all entries sum to zero', (coalesce(sum(total_milli), 0) <> 0)::int::bigint from posted
  union all
  select 'each journal balances and has two entries or more', count(*)
    from journal j left join posted p using (user_id, number)
    where coalesce(p.entry_count, 0) < 2 or p.total_milli <> 0
  union all
  select 'each balance is the sum of its entries', count(*)
    from ledger_account a left join customer c using (user_id)
    where a.balance_milli <> coalesce(c.balance_milli, 0) or a.journal_count <> coalesce(c.journal_count, 0)
  union all
  select 'journals are numbered without gaps and carry their balance', count(*)
    from chain where number <> earlier_number + 1 or balance_after_milli is distinct from earlier_balance_milli + customer_milli
  union all
  select 'held units are the open holds', count(*)
    from ledger_account a left join (select user_id, sum(open_milli) as open_milli from hold where is_open group by user_id) h using (user_id)
    where a.held_milli <> coalesce(h.open_milli, 0)
  union all
  select 'no customer is negative', count(*)
    from ledger_account where balance_milli < 0 or held_milli < 0 or balance_milli < held_milli
  union all
  select 'each hold is captured, released and open, as its journals say', count(*)
    from hold h left join settled s using (user_id, hold_id)
    where h.amount_milli <> h.captured_milli + h.released_milli + h.open_milli
      or least(h.captured_milli, h.released_milli, h.open_milli) < 0
      or h.captured_milli <> coalesce(s.captured_milli, 0)
      or h.refunded_milli <> coalesce(s.refunded_milli, 0)
      or h.charge_count <> coalesce(s.charge_count, 0)
  union all
  select 'each statement ends at the free units', count(*)
    from ledger_account a left join (select user_id, sum(amount_milli) as free_milli from ledger_movement group by user_id) m using (user_id)
    where a.balance_milli - a.held_milli <> coalesce(m.free_milli, 0)
  union all
  select 'each payment and deposit reached one customer', count(*)
    from (
      select kind, reference from journal where kind in ('card_payment', 'bank_deposit')
        group by kind, reference having count(*) > 1
    ) twice
  union all
  select name, violations from delivery_ledger_invariants;
