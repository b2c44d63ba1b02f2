-- Accounts that another one made, and gives units to. Null for all others.
alter table app_user
  add column parent_id uuid references app_user (user_id),
  add column cap_milli_per_day bigint check (cap_milli_per_day > 0);
create index app_user_parent on app_user (parent_id, user_id) where parent_id is not null;

-- What a capped account has set aside for sends on a day of Lagos.
create table unit_use (
  user_id uuid primary key references app_user (user_id),
  day date not null,
  used_milli bigint not null default 0 check (used_milli >= 0)
);
comment on table unit_use is 'tenant: units that an account with a cap has spent on a day';

-- Units that one account gives to another are a journal in each of the two books, with one reference.
alter table journal drop constraint journal_kind_check,
  add constraint journal_kind_check
    check (kind in ('card_payment', 'bank_deposit', 'manual_credit', 'charge', 'refund', 'reversal', 'transfer')) not valid;
alter table journal_entry drop constraint journal_entry_account_check,
  add constraint journal_entry_account_check
    check (account in ('customer', 'card_clearing', 'bank_clearing', 'manual_credit', 'sales', 'refunds', 'transfers')) not valid;

create or replace view payment_ledger_invariants (name, violations) as
  select 'each card payment is credited exactly when it is paid', count(*)
    from card_payment p
      left join journal j on j.user_id = p.user_id and j.kind = 'card_payment' and j.reference = p.reference
      left join journal_entry e on e.user_id = j.user_id and e.number = j.number and e.account = 'customer'
    where coalesce(e.amount_milli, 0) <> case when p.paid_at is null then 0 else p.units * 1000 end
  union all
  select 'no top-up is taken back beyond its amount', count(*)
    from (
      select j.user_id, j.reverses_number, sum(e.amount_milli) as taken_milli
        from journal j join journal_entry e on e.user_id = j.user_id and e.number = j.number and e.account = 'customer'
        where j.reverses_number is not null group by j.user_id, j.reverses_number
    ) t
    join journal_entry e on e.user_id = t.user_id and e.number = t.reverses_number and e.account = 'customer'
    where e.amount_milli + t.taken_milli < 0
  union all
  select 'each open refund and dispute has its units set aside', count(*)
    from card_payment_claim c left join hold h on h.user_id = c.user_id and h.hold_id = c.hold_id
    where c.frozen_milli <> coalesce(h.open_milli, 0)
  union all
  select 'each transfer left one account and reached another', count(*)
    from (
      select j.reference from journal j join journal_entry e on e.user_id = j.user_id and e.number = j.number and e.account = 'customer'
        where j.kind = 'transfer' group by j.reference having count(*) <> 2 or sum(e.amount_milli) <> 0
    ) lost;
