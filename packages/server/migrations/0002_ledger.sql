-- The unit ledger: what every customer has, and every movement that made it so. docs/ledger.md tells the whole story.
--
-- Every journal concerns exactly one customer, whose id is therefore the first column of every key: a distributed
-- PostgreSQL keeps a customer's account, holds, journals and entries on one node, and a movement is a local transaction.
-- Amounts are thousandths of a unit. Only the functions in src/ledger write here.

-- One row per customer, made with the first units. The row is also the lock: whoever moves units of a customer holds it.
create table ledger_account (
  user_id uuid primary key references app_user (user_id),
  -- The sum of the customer's entries; kept so that a send need not add them up.
  balance_milli bigint not null default 0,
  -- The sum of the customer's open holds.
  held_milli bigint not null default 0,
  -- The number of the newest journal.
  journal_count bigint not null default 0,
  constraint ledger_account_never_negative check (held_milli >= 0 and balance_milli - held_milli >= 0),
  -- The largest whole number that JavaScript keeps exactly.
  constraint ledger_account_fits_a_number check (balance_milli <= 9007199254740991)
) with (fillfactor = 50); -- A busy row's new versions stay on its page.
comment on table ledger_account is 'tenant: what each customer has, and has set aside';

-- Units set aside for one send; the hold has the send's id. Never deleted: it is also the message's row in the statement.
create table hold (
  user_id uuid not null references ledger_account (user_id),
  hold_id uuid not null,
  amount_milli bigint not null constraint hold_amount_positive check (amount_milli > 0),
  captured_milli bigint not null default 0,
  released_milli bigint not null default 0,
  open_milli bigint not null generated always as (amount_milli - captured_milli - released_milli) stored,
  -- Apart from open_milli, because an index on a column that every capture changes would cost each capture all indexes.
  is_open boolean not null generated always as (amount_milli > captured_milli + released_milli) stored,
  refunded_milli bigint not null default 0,
  -- How many journals have captured from this hold; numbers their references.
  charge_count integer not null default 0,
  -- Taken from the clock while the account is locked, so that the order of a customer's movements is the order of time.
  created_at timestamptz not null,
  -- The id and time of the refunds' row in the statement: those of the first refund.
  refund_id uuid,
  refunded_at timestamptz,
  primary key (user_id, hold_id),
  constraint hold_never_overdrawn check (captured_milli >= 0 and released_milli >= 0 and open_milli >= 0),
  constraint hold_refunds_only_what_it_captured check (refunded_milli between 0 and captured_milli),
  constraint hold_names_its_refund check (
    (refunded_milli > 0) = (refund_id is not null) and (refunded_milli > 0) = (refunded_at is not null)
  )
) with (fillfactor = 50);
comment on table hold is 'tenant: units set aside for sends';

create index hold_newest on hold (user_id, created_at desc, hold_id desc);
create index hold_newest_refund on hold (user_id, refunded_at desc, refund_id desc) where refunded_at is not null;
create index hold_open on hold (user_id) where is_open;

-- One row per business event.
create table journal (
  user_id uuid not null references ledger_account (user_id),
  -- 1, 2, 3 ... for each customer, without gaps: a row that went missing would show.
  number bigint not null,
  -- What the outside world calls it.
  journal_id uuid not null,
  kind text not null check (kind in ('card_payment', 'bank_deposit', 'manual_credit', 'charge', 'refund', 'reversal')),
  -- What happened, once: the payment's reference, the deposit's id, the recipient's place in the message.
  reference text not null check (reference <> ''),
  hold_id uuid,
  -- A correction names what it corrects.
  reverses_number bigint,
  -- The customer's balance after this journal, and what its hold has captured (a charge) or refunded (a refund) by then: with
  -- the number they let a check of today start from what was checked yesterday.
  balance_after_milli bigint not null,
  hold_total_milli bigint,
  note text,
  created_at timestamptz not null,
  primary key (user_id, number),
  constraint journal_happens_once unique (user_id, kind, reference),
  foreign key (user_id, hold_id) references hold (user_id, hold_id),
  foreign key (user_id, reverses_number) references journal (user_id, number),
  constraint journal_of_a_send_names_its_hold check (
    (kind in ('charge', 'refund')) = (hold_id is not null) and (hold_id is null) = (hold_total_milli is null)
  ),
  constraint journal_reversal_names_its_journal check ((kind = 'reversal') = (reverses_number is not null))
);
comment on table journal is 'tenant: every event that moved units; never changed, never deleted';

create index journal_of_hold on journal (user_id, hold_id, kind, number) where hold_id is not null;
create unique index journal_is_reversed_once on journal (user_id, reverses_number) where reverses_number is not null;
create index journal_newest_of_account on journal (user_id, created_at desc, journal_id desc) where hold_id is null;
-- Rows arrive in order of time, so a summary of each block range finds a period at no cost to the writers.
create index journal_period on journal using brin (created_at) with (pages_per_range = 16);

-- What each event did to which account. 'customer' is the customer's own account; the others belong to the business and
-- carry no balance: a row that every send of everybody changes would be everybody's queue.
create table journal_entry (
  user_id uuid not null,
  number bigint not null,
  account text not null check (account in ('customer', 'card_clearing', 'bank_clearing', 'manual_credit', 'sales', 'refunds')),
  amount_milli bigint not null check (amount_milli <> 0),
  primary key (user_id, number, account),
  foreign key (user_id, number) references journal (user_id, number)
);
comment on table journal_entry is 'tenant: entries of the journals, which sum to zero; never changed, never deleted';

-- The rules below hold for everyone, this program included; ENABLE ALWAYS also for a session that replicates.

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: the ledger is append-only', tg_op, tg_table_name
    using errcode = 'restrict_violation', hint = 'A correction is a journal that names what it reverses.';
end $$;

create trigger journal_is_append_only before update or delete or truncate on journal
  for each statement execute function refuse_ledger_change();
create trigger journal_entry_is_append_only before update or delete or truncate on journal_entry
  for each statement execute function refuse_ledger_change();
create trigger hold_is_kept before delete or truncate on hold
  for each statement execute function refuse_ledger_change();
create trigger hold_keeps_its_terms before update of user_id, hold_id, amount_milli, created_at on hold
  for each statement execute function refuse_ledger_change();
create trigger hold_only_grows before update on hold for each row
  when (new.captured_milli < old.captured_milli or new.released_milli < old.released_milli or new.refunded_milli < old.refunded_milli)
  execute function refuse_ledger_change();
create trigger ledger_account_is_kept before delete or truncate on ledger_account
  for each statement execute function refuse_ledger_change();

-- Per statement, not per row: a journal's entries are written by one statement, and its check then needs no second look.
create function refuse_unbalanced_entries() returns trigger language plpgsql as $$
declare
  unbalanced record;
begin
  select user_id, number, sum(amount_milli) as total_milli, count(*) as entry_count into unbalanced
    from written group by user_id, number having sum(amount_milli) <> 0 or count(*) < 2 limit 1;
  if found then
    raise exception 'journal % of % does not balance: % entries with the sum %',
      unbalanced.number, unbalanced.user_id, unbalanced.entry_count, unbalanced.total_milli using errcode = 'check_violation';
  end if;
  return null;
end $$;

create trigger journal_entries_balance after insert on journal_entry referencing new table as written
  for each statement execute function refuse_unbalanced_entries();

alter table journal enable always trigger journal_is_append_only;
alter table journal_entry enable always trigger journal_entry_is_append_only;
alter table journal_entry enable always trigger journal_entries_balance;
alter table hold enable always trigger hold_is_kept;
alter table hold enable always trigger hold_keeps_its_terms;
alter table hold enable always trigger hold_only_grows;
alter table ledger_account enable always trigger ledger_account_is_kept;

-- Every movement of the units that a customer is free to spend, as the statement shows it: one row per message (what it
-- holds or has cost, less what came back), one for all refunds of a message, one per payment, deposit, credit and reversal.
create view ledger_movement (user_id, movement_id, created_at, cause, reference, amount_milli, is_final) as
  select user_id, hold_id, created_at, 'message', hold_id::text, released_milli - amount_milli, not is_open
    from hold
  union all
  select user_id, refund_id, refunded_at, 'refund', hold_id::text, refunded_milli, refunded_milli = captured_milli and not is_open
    from hold where refunded_at is not null
  union all
  select j.user_id, j.journal_id, j.created_at,
      case j.kind when 'card_payment' then 'payment' when 'bank_deposit' then 'deposit' when 'manual_credit' then 'credit' else j.kind end,
      case j.kind when 'reversal' then substr(j.reference, strpos(j.reference, ':') + 1) else j.reference end, e.amount_milli, true
    from journal j join journal_entry e on e.user_id = j.user_id and e.number = j.number and e.account = 'customer'
    where j.hold_id is null;

-- Rules of the delivery tables about their holds. Those tables come later and replace this view (same two columns); so
-- that ledger_invariants, which includes it, need not know them.
create view delivery_ledger_invariants (name, violations) as
  select null::text, 0::bigint where false;

-- Zero in every row at any moment, also under load: one statement sees one state of the database.
create view ledger_invariants (name, violations) as
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
      select from journal where kind in ('card_payment', 'bank_deposit')
        group by kind, reference having count(*) > 1
    ) twice
  union all
  select name, violations from delivery_ledger_invariants;

-- The same for what happened since a moment, at a cost that does not grow with the years: a journal of the period is held
-- against the one before it, an account and a hold against their newest one.
-- Times are taken before COMMIT: choose a moment that no running transaction is older than (five minutes is ample).
create function ledger_invariants_since(since timestamptz) returns table (name text, violations bigint)
language sql stable as $$
  with period as materialized (
    select j.user_id, j.number, j.kind, j.hold_id, j.balance_after_milli, j.hold_total_milli,
        e.total_milli, e.entry_count, e.customer_milli
      from journal j cross join lateral (
        select coalesce(sum(amount_milli), 0) as total_milli, count(*) as entry_count,
            coalesce(sum(amount_milli) filter (where account = 'customer'), 0) as customer_milli
          from journal_entry where user_id = j.user_id and number = j.number
      ) e
      where j.created_at >= since
  )
  select 'all entries sum to zero', (coalesce(sum(total_milli), 0) <> 0)::int::bigint from period
  union all
  select 'each journal balances and has two entries or more', count(*) from period where entry_count < 2 or total_milli <> 0
  union all
  select 'each balance is the sum of its entries', count(*)
    from (select distinct on (user_id) user_id, number, balance_after_milli from period order by user_id, number desc) newest
    join ledger_account a using (user_id)
    where a.balance_milli <> newest.balance_after_milli or a.journal_count <> newest.number
  union all
  select 'journals are numbered without gaps and carry their balance', count(*)
    from period p left join journal earlier on earlier.user_id = p.user_id and earlier.number = p.number - 1
    where (p.number > 1 and earlier.number is null)
      or p.balance_after_milli <> coalesce(earlier.balance_after_milli, 0) + p.customer_milli
  union all
  select 'held units are the open holds', count(*)
    from ledger_account a left join (select user_id, sum(open_milli) as open_milli from hold where is_open group by user_id) h using (user_id)
    where a.held_milli <> coalesce(h.open_milli, 0)
  union all
  select 'no customer is negative', count(*)
    from ledger_account where balance_milli < 0 or held_milli < 0 or balance_milli < held_milli
  union all
  select 'each hold is captured, released and open, as its journals say', count(*)
    from (
      select p.hold_total_milli <> abs(p.customer_milli) + coalesce(earlier.hold_total_milli, 0) as is_broken
        from period p left join lateral (
          select hold_total_milli from journal
            where user_id = p.user_id and hold_id = p.hold_id and kind = p.kind and number < p.number
            order by number desc limit 1
        ) earlier on true
        where p.hold_id is not null
      union all
      select newest.hold_total_milli <> case newest.kind when 'charge' then h.captured_milli else h.refunded_milli end
        from (
          select distinct on (user_id, hold_id, kind) user_id, hold_id, kind, hold_total_milli
            from period where hold_id is not null order by user_id, hold_id, kind, number desc
        ) newest join hold h using (user_id, hold_id)
      union all
      select amount_milli <> captured_milli + released_milli + open_milli or least(captured_milli, released_milli, open_milli) < 0
        from hold where is_open
    ) checked
    where is_broken
$$;

-- The first answer to each idempotency key; see src/db/idempotency.ts.
create table idempotent_answer (
  -- The customer or administrator who asked.
  actor_id uuid not null,
  -- Which call; the same key may be used once in each.
  scope text not null,
  key text not null,
  -- SHA-256 of what was asked.
  fingerprint bytea not null check (length(fingerprint) = 32),
  -- Null only inside the transaction that does the work.
  status integer,
  -- As text, so that the second answer has the first one's bytes.
  body text,
  created_at timestamptz not null default now(),
  primary key (actor_id, scope, key)
);
comment on table idempotent_answer is 'tenant by actor: answers to requests that must not be carried out twice';

create index idempotent_answer_oldest on idempotent_answer (created_at);
