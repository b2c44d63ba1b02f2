-- Card payments: what a customer began to pay, whether it was paid, and what became of it after that. The states and
-- the moves between them are in features/billing/payments/payment-states.ts.

create table card_payment (
  user_id uuid not null references app_user (user_id),
  -- Ours, in the provider's alphabet, unguessable and in order of time. Written before the provider hears of it.
  reference text collate "C" not null check (reference ~ '^[A-Za-z0-9.=-]{1,100}$'),
  units bigint not null check (units >= 1),
  total_kobo bigint not null check (total_kobo >= 1),
  state text not null check (state in ('open', 'failed', 'paid', 'ended', 'frozen', 'reversed')),
  -- No money moved: the built-in sandbox played the provider.
  is_sandbox boolean not null,
  -- Where the customer pays; null until the provider has answered.
  authorization_url text,
  -- What the provider said last of a payment that is not paid.
  provider_status text,
  -- The provider speaks of a success that is not ours: another amount, currency or mode. Told to people, once.
  problem text,
  -- How the provider was paid, and its own number: for support.
  channel text,
  provider_id text,
  -- When the provider is asked next; null when it no longer is.
  next_check_at timestamptz,
  check_count integer not null default 0,
  created_at timestamptz not null,
  paid_at timestamptz,
  primary key (user_id, reference),
  constraint card_payment_is_paid_at_a_time check ((state in ('paid', 'frozen', 'reversed')) = (paid_at is not null)),
  constraint card_payment_is_asked_about_until_it_ends check (next_check_at is null or state in ('open', 'failed'))
);
comment on table card_payment is 'tenant: card payments, from their beginning';

-- For everybody's payments by time, and for the provider's events, which know the reference only. Not unique: a key of a
-- tenant table begins with the customer.
create index card_payment_by_reference on card_payment (reference);
create index card_payment_due on card_payment (next_check_at) where next_check_at is not null;

-- A refund or a dispute of a card payment.
create table card_payment_claim (
  user_id uuid not null,
  claim_id uuid not null,
  reference text collate "C" not null,
  kind text not null check (kind in ('refund', 'dispute')),
  -- The provider's number of it. A refund has none before it is processed.
  provider_id text,
  state text not null check (state in ('open', 'upheld', 'dismissed')),
  amount_kobo bigint not null check (amount_kobo >= 1),
  -- The units that this money bought, in thousandths.
  units_milli bigint not null check (units_milli >= 0),
  -- Where they are now: set aside in a hold, taken back, or spent before either could be done.
  hold_id uuid,
  frozen_milli bigint not null default 0 check (frozen_milli >= 0),
  taken_milli bigint not null default 0 check (taken_milli >= 0),
  spent_milli bigint not null default 0 check (spent_milli >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (user_id, claim_id),
  foreign key (user_id, reference) references card_payment (user_id, reference),
  constraint card_payment_claim_freezes_while_open check (state = 'open' or frozen_milli = 0),
  constraint card_payment_claim_takes_when_upheld check (state = 'upheld' or taken_milli = 0),
  constraint card_payment_claim_is_no_more_than_its_units check (frozen_milli + taken_milli + spent_milli <= units_milli)
);
comment on table card_payment_claim is 'tenant: refunds and disputes of card payments';

create index card_payment_claim_of_payment on card_payment_claim (user_id, reference, created_at);
create unique index card_payment_claim_once on card_payment_claim (user_id, reference, kind, provider_id) where provider_id is not null;

-- What the built-in sandbox knows as the card provider. Its books, not ours: nothing else reads them.
create table sandbox_transaction (
  access_code text primary key,
  reference text not null constraint sandbox_transaction_reference_key unique,
  email text not null,
  amount_kobo bigint not null check (amount_kobo >= 1),
  callback_url text not null,
  status text not null check (status in ('abandoned', 'failed', 'success')),
  created_at timestamptz not null,
  paid_at timestamptz,
  constraint sandbox_transaction_is_paid_at_a_time check ((status = 'success') = (paid_at is not null))
);
comment on table sandbox_transaction is 'directory: payments at the built-in card sandbox';

-- Units of a disputed payment are set aside by a hold that is no send's. It names the payment.
alter table hold add column freeze_reference text;

drop trigger hold_keeps_its_terms on hold;
create trigger hold_keeps_its_terms before update of user_id, hold_id, amount_milli, created_at, freeze_reference on hold
  for each statement execute function refuse_ledger_change();
alter table hold enable always trigger hold_keeps_its_terms;

-- A top-up may be taken back in parts, one for each refund. Each part still happens once (journal_happens_once), and
-- together they are no more than the top-up (see the rule below).
drop index journal_is_reversed_once;
create index journal_reversals on journal (user_id, reverses_number) where reverses_number is not null;

create or replace view ledger_movement (user_id, movement_id, created_at, cause, reference, amount_milli, is_final) as
  select user_id, hold_id, created_at, case when freeze_reference is null then 'message' else 'freeze' end,
      coalesce(freeze_reference, hold_id::text), released_milli - amount_milli, not is_open
    from hold
  union all
  select user_id, refund_id, refunded_at, 'refund', hold_id::text, refunded_milli, refunded_milli = captured_milli and not is_open
    from hold where refunded_at is not null
  union all
  select j.user_id, j.journal_id, j.created_at,
      case j.kind when 'card_payment' then 'payment' when 'bank_deposit' then 'deposit' when 'manual_credit' then 'credit' else j.kind end,
      coalesce(reversed.reference, j.reference), e.amount_milli, true
    from journal j join journal_entry e on e.user_id = j.user_id and e.number = j.number and e.account = 'customer'
      left join journal reversed on reversed.user_id = j.user_id and reversed.number = j.reverses_number
    where j.hold_id is null;

create view payment_ledger_invariants (name, violations) as
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
    where c.frozen_milli <> coalesce(h.open_milli, 0);

create or replace view delivery_ledger_invariants (name, violations) as
  with unsettled as (
    select user_id, message_id, count(*) as recipients from delivery_unknown group by user_id, message_id
  )
  select 'each message counts every recipient once', count(*)
    from message join message_count using (user_id, message_id)
    where waiting + sent + delivered + failed + dnd + unknown + cancelled <> recipient_count
  union all
  select 'each hold keeps open what waiting and unsettled recipients cost', count(*)
    from message join message_count using (user_id, message_id) join hold using (user_id, hold_id)
      left join unsettled using (user_id, message_id)
    where open_milli <> price_milli * (waiting + coalesce(recipients, 0))
  union all
  select name, violations from payment_ledger_invariants;
