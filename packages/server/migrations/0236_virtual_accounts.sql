-- The bank account number that the card provider keeps for a customer: what is transferred to it is the customer's.
create table virtual_account (
  user_id uuid not null references app_user (user_id),
  -- The built-in sandbox keeps it. The account of the real provider is another one.
  is_sandbox boolean not null,
  -- Null while the provider is asked; then who may ask, and since when.
  account_number text collate "C",
  account_name text,
  bank text,
  opening_at timestamptz not null,
  primary key (user_id, is_sandbox),
  constraint virtual_account_is_whole check ((account_number is null) = (account_name is null) and (account_number is null) = (bank is null))
);
comment on table virtual_account is 'tenant: account numbers that customers transfer money to';
-- The provider's events know the number only. Not unique: a key of a tenant table begins with the customer.
create index virtual_account_by_number on virtual_account (account_number) where account_number is not null;

-- A transfer that arrived and was credited. The reference is the provider's.
create table account_transfer (
  user_id uuid not null references app_user (user_id),
  reference text collate "C" not null check (length(reference) between 1 and 100),
  amount_kobo bigint not null check (amount_kobo >= 1),
  fee_kobo bigint not null check (fee_kobo >= 0 and fee_kobo < amount_kobo),
  is_sandbox boolean not null,
  provider_id text,
  credited_at timestamptz not null,
  primary key (user_id, reference)
);
comment on table account_transfer is 'tenant: transfers to account numbers of customers, as they were credited';

-- What the sandbox knows as the bank.
create table sandbox_account (
  account_number text primary key,
  customer_code text not null constraint sandbox_account_customer_key unique,
  email text not null
);
comment on table sandbox_account is 'directory: account numbers at the built-in card sandbox';
alter table sandbox_transaction
  add column account_number text,
  add column fee_kobo bigint not null default 0;

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
    ) lost
  union all
  select 'each transfer to an account number is credited less its fee', count(*)
    from account_transfer t
      left join journal j on j.user_id = t.user_id and j.kind = 'bank_deposit' and j.reference = t.reference
      left join journal_entry e on e.user_id = j.user_id and e.number = j.number and e.account = 'customer'
    where coalesce(e.amount_milli, 0) <> (t.amount_kobo - t.fee_kobo) * 10;
