-- An edited scheduled message that costs more gets another hold, because a hold never changes its amount. The statement
-- names the message all the same.
alter table hold add column send_id uuid;

drop trigger hold_keeps_its_terms on hold;
create trigger hold_keeps_its_terms before update of user_id, hold_id, amount_milli, created_at, freeze_reference, send_id on hold
  for each statement execute function refuse_ledger_change();
alter table hold enable always trigger hold_keeps_its_terms;

create or replace view ledger_movement (user_id, movement_id, created_at, cause, reference, amount_milli, is_final) as
  select user_id, hold_id, created_at, case when freeze_reference is null then 'message' else 'freeze' end,
      coalesce(freeze_reference, send_id::text, hold_id::text), released_milli - amount_milli, not is_open
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
