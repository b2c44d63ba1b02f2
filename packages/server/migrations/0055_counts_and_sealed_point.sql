-- How many messages of each customer stand in the history: sent or cancelled, and not deleted by the customer. Every statement that changes that also
-- moves this count, in the same transaction; counting a busy customer's million messages for each look at the customer would take a second.
create table customer_count (
  user_id uuid primary key,
  messages bigint not null default 0,
  -- When the messages were counted last; a job counts a few customers anew every night, so that what a host of the release before did is mended.
  counted_at timestamptz not null default now()
) with (fillfactor = 50);
create index customer_count_stalest on customer_count (counted_at);
comment on table customer_count is 'tenant: how many messages of each customer stand in the history';

-- Nobody sends between the counting and the first statement that moves a count.
lock table message in share row exclusive mode;
insert into customer_count (user_id, messages)
  select user_id, count(*) from message where state <> 0 and hidden_at is null group by user_id;

-- The point from which the nightly audit checks on: what lies before it was checked once, and is held by a hash. See src/ledger/sealed-point.ts.

-- One row a customer, written by the audit alone.
create table ledger_seal (
  user_id uuid primary key references ledger_account (user_id),
  -- The newest journal that is sealed, and the sum of the customer's entries up to it.
  number bigint not null check (number >= 0),
  balance_milli bigint not null,
  -- Of every journal up to that one with its entries, each hashed together with the hash before it.
  hash bytea not null,
  -- The audit reads what is sealed again, some of it every night: how far it has come with this customer, and the hash up to there.
  reread_number bigint not null check (reread_number between 0 and number),
  reread_hash bytea not null
);
comment on table ledger_seal is 'tenant: up to which journal each customer''s ledger is sealed, and the hash of what is';

create table ledger_sealed_point (
  is_only boolean primary key default true check (is_only),
  -- The moment of the audit: what happened later is not sealed.
  sealed_at timestamptz not null,
  -- The customer whose sealed journals were read again last.
  reread_user_id uuid,
  -- Over this row and all of ledger_seal, with a key that is not in the database.
  mark bytea not null
);
comment on table ledger_sealed_point is 'directory: when the ledger was sealed, and a mark that proves who did it; one row';

create trigger ledger_seal_is_kept before delete or truncate on ledger_seal
  for each statement execute function refuse_ledger_change();
create trigger ledger_sealed_point_is_kept before delete or truncate on ledger_sealed_point
  for each statement execute function refuse_ledger_change();
alter table ledger_seal enable always trigger ledger_seal_is_kept;
alter table ledger_sealed_point enable always trigger ledger_sealed_point_is_kept;

-- Whether a payment or a deposit was credited before, to anybody: few rows among the journals.
create index journal_of_payment on journal (kind, reference) where kind in ('card_payment', 'bank_deposit');
create index card_payment_paid on card_payment (paid_at) where paid_at is not null;
