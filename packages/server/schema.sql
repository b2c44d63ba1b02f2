-- What the migrations make, written by `npm run schema -w packages/server`. Read it, never run or edit it.
set check_function_bodies = off;

create extension pg_trgm;

create table schema_migration (
  version integer not null,
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migration_pkey PRIMARY KEY (version)
);

create table app_user (
  user_id uuid not null,
  user_name text not null,
  full_name text not null,
  email text not null,
  phone_no text not null,
  password_hash text not null,
  verified_at timestamp with time zone,
  blocked_at timestamp with time zone,
  is_approved boolean default false not null,
  is_address_restricted boolean default false not null,
  created_at timestamp with time zone not null,
  last_sign_in_at timestamp with time zone,
  calls_per_second integer,
  may_send_transactional boolean default false not null,
  followed_events integer default 0 not null,
  approval_above integer,
  parent_id uuid,
  cap_milli_per_day bigint,
  has_own_prices boolean default false not null,
  closed_at timestamp with time zone,
  erasing_at timestamp with time zone,
  erased_at timestamp with time zone,
  constraint app_user_pkey PRIMARY KEY (user_id),
  constraint app_user_email_key UNIQUE (email),
  constraint app_user_approval_above_check CHECK (approval_above >= 0),
  constraint app_user_calls_per_second_check CHECK (calls_per_second >= 1 AND calls_per_second <= 10000),
  constraint app_user_cap_milli_per_day_check CHECK (cap_milli_per_day > 0),
  constraint app_user_email_is_normal CHECK (email = lower(TRIM(BOTH FROM email)) AND email <> ''::text)
);
CREATE INDEX app_user_blocked ON public.app_user USING btree (user_id) WHERE (blocked_at IS NOT NULL);
CREATE INDEX app_user_by_full_name ON public.app_user USING btree (lower(full_name), user_id);
CREATE INDEX app_user_by_user_name ON public.app_user USING btree (lower(user_name), user_id);
CREATE INDEX app_user_closed ON public.app_user USING btree (closed_at) WHERE ((closed_at IS NOT NULL) AND (erased_at IS NULL));
CREATE INDEX app_user_parent ON public.app_user USING btree (parent_id, user_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX app_user_search ON public.app_user USING gin (lower(((((((user_name || ' '::text) || full_name) || ' '::text) || email) || ' '::text) || phone_no)) gin_trgm_ops);
CREATE INDEX app_user_unverified ON public.app_user USING btree (user_id) WHERE (verified_at IS NULL);
comment on table app_user is 'directory: customers';

create table session (
  session_id uuid not null,
  kind text not null,
  actor_id uuid not null,
  created_at timestamp with time zone not null,
  last_active_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  client_address text default ''::text not null,
  user_agent text default ''::text not null,
  began_as text default 'user'::text not null,
  factor_at timestamp with time zone,
  account_id uuid,
  acting_admin_id uuid,
  returns_until timestamp with time zone,
  constraint session_pkey PRIMARY KEY (session_id),
  constraint session_acting_check CHECK ((acting_admin_id IS NULL) = (returns_until IS NULL) AND (acting_admin_id IS NULL OR kind = 'user'::text)),
  constraint session_began_as_check CHECK (began_as = ANY (ARRAY['user'::text, 'admin'::text])),
  constraint session_kind_check CHECK (kind = ANY (ARRAY['user'::text, 'admin'::text]))
);
CREATE INDEX session_account ON public.session USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX session_actor ON public.session USING btree (actor_id, kind);
CREATE INDEX session_expires ON public.session USING btree (expires_at);
comment on table session is 'directory: live sessions; ending one deletes its row';

create table one_time_token (
  token_hash bytea not null,
  purpose text not null,
  actor_id uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint one_time_token_pkey PRIMARY KEY (token_hash),
  constraint one_time_token_purpose_check CHECK (purpose = ANY (ARRAY['verify-user'::text, 'reset-password'::text, 'admin-otp'::text, 'verify-admin'::text, 'reset-admin-password'::text]))
);
CREATE INDEX one_time_token_actor ON public.one_time_token USING btree (actor_id, purpose);
CREATE INDEX one_time_token_expires ON public.one_time_token USING btree (expires_at);
comment on table one_time_token is 'directory: links in mails';

create table mail (
  mail_id uuid not null,
  recipient text not null,
  reply_to text,
  subject text not null,
  text_body text,
  html_body text,
  created_at timestamp with time zone not null,
  attempts integer default 0 not null,
  sent_at timestamp with time zone,
  given_up_at timestamp with time zone,
  constraint mail_pkey PRIMARY KEY (mail_id),
  constraint mail_ends_once CHECK (sent_at IS NULL OR given_up_at IS NULL),
  constraint mail_has_bodies CHECK ((text_body IS NULL) = (html_body IS NULL) AND (text_body IS NOT NULL OR COALESCE(sent_at, given_up_at) IS NOT NULL)),
  constraint mail_headers_are_lines CHECK (recipient !~ '[\r\n]'::text AND subject !~ '[\r\n]'::text AND COALESCE(reply_to, ''::text) !~ '[\r\n]'::text)
);
CREATE INDEX mail_created ON public.mail USING btree (created_at);
CREATE INDEX mail_unsent ON public.mail USING btree (created_at) WHERE ((sent_at IS NULL) AND (given_up_at IS NULL));
comment on table mail is 'directory: mails to send';

create unlogged table rate_limit (
  key_hash bytea not null,
  hits integer not null,
  resets_at timestamp with time zone not null,
  constraint rate_limit_pkey PRIMARY KEY (key_hash)
);
CREATE INDEX rate_limit_resets ON public.rate_limit USING btree (resets_at);
comment on table rate_limit is 'directory: counters of guarded calls';

create table app_secret (
  name text not null,
  value bytea not null,
  created_at timestamp with time zone not null,
  constraint app_secret_pkey PRIMARY KEY (name)
);
comment on table app_secret is 'directory: keys that all processes share';

create table process_heartbeat (
  process_id uuid not null,
  roles text[] not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  host text,
  disk_free_percent smallint,
  database_lost_at timestamp with time zone,
  database_back_at timestamp with time zone,
  constraint process_heartbeat_pkey PRIMARY KEY (process_id)
);
comment on table process_heartbeat is 'directory: processes that are alive';

create table ledger_account (
  user_id uuid not null,
  balance_milli bigint default 0 not null,
  held_milli bigint default 0 not null,
  journal_count bigint default 0 not null,
  constraint ledger_account_pkey PRIMARY KEY (user_id),
  constraint ledger_account_fits_a_number CHECK (balance_milli <= '9007199254740991'::bigint),
  constraint ledger_account_never_negative CHECK (held_milli >= 0 AND (balance_milli - held_milli) >= 0)
) with (fillfactor=50);
comment on table ledger_account is 'tenant: what each customer has, and has set aside';

create table hold (
  user_id uuid not null,
  hold_id uuid not null,
  amount_milli bigint not null,
  captured_milli bigint default 0 not null,
  released_milli bigint default 0 not null,
  open_milli bigint generated always as (((amount_milli - captured_milli) - released_milli)) stored not null,
  is_open boolean generated always as ((amount_milli > (captured_milli + released_milli))) stored not null,
  refunded_milli bigint default 0 not null,
  charge_count integer default 0 not null,
  created_at timestamp with time zone not null,
  refund_id uuid,
  refunded_at timestamp with time zone,
  freeze_reference text,
  send_id uuid,
  constraint hold_pkey PRIMARY KEY (user_id, hold_id),
  constraint hold_amount_positive CHECK (amount_milli > 0),
  constraint hold_names_its_refund CHECK ((refunded_milli > 0) = (refund_id IS NOT NULL) AND (refunded_milli > 0) = (refunded_at IS NOT NULL)),
  constraint hold_never_overdrawn CHECK (captured_milli >= 0 AND released_milli >= 0 AND open_milli >= 0),
  constraint hold_refunds_only_what_it_captured CHECK (refunded_milli >= 0 AND refunded_milli <= captured_milli)
) with (fillfactor=50);
CREATE INDEX hold_newest ON public.hold USING btree (user_id, created_at DESC, hold_id DESC);
CREATE INDEX hold_newest_refund ON public.hold USING btree (user_id, refunded_at DESC, refund_id DESC) WHERE (refunded_at IS NOT NULL);
CREATE INDEX hold_open ON public.hold USING btree (user_id) WHERE is_open;
comment on table hold is 'tenant: units set aside for sends';

create table journal (
  user_id uuid not null,
  number bigint not null,
  journal_id uuid not null,
  kind text not null,
  reference text not null,
  hold_id uuid,
  reverses_number bigint,
  balance_after_milli bigint not null,
  hold_total_milli bigint,
  note text,
  created_at timestamp with time zone not null,
  constraint journal_pkey PRIMARY KEY (user_id, number),
  constraint journal_happens_once UNIQUE (user_id, kind, reference),
  constraint journal_kind_check CHECK (kind = ANY (ARRAY['card_payment'::text, 'bank_deposit'::text, 'manual_credit'::text, 'charge'::text, 'refund'::text, 'reversal'::text, 'transfer'::text])),
  constraint journal_of_a_send_names_its_hold CHECK ((kind = ANY (ARRAY['charge'::text, 'refund'::text])) = (hold_id IS NOT NULL) AND (hold_id IS NULL) = (hold_total_milli IS NULL)),
  constraint journal_reference_check CHECK (reference <> ''::text),
  constraint journal_reversal_names_its_journal CHECK ((kind = 'reversal'::text) = (reverses_number IS NOT NULL))
);
CREATE INDEX journal_newest_of_account ON public.journal USING btree (user_id, created_at DESC, journal_id DESC) WHERE (hold_id IS NULL);
CREATE INDEX journal_of_hold ON public.journal USING btree (user_id, hold_id, kind, number) WHERE (hold_id IS NOT NULL);
CREATE INDEX journal_of_payment ON public.journal USING btree (kind, reference) WHERE (kind = ANY (ARRAY['card_payment'::text, 'bank_deposit'::text]));
CREATE INDEX journal_of_transfer ON public.journal USING btree (reference) WHERE (kind = 'transfer'::text);
CREATE INDEX journal_period ON public.journal USING brin (created_at) WITH (pages_per_range='16');
CREATE INDEX journal_reversals ON public.journal USING btree (user_id, reverses_number) WHERE (reverses_number IS NOT NULL);
comment on table journal is 'tenant: every event that moved units; never changed, never deleted';

create table journal_entry (
  user_id uuid not null,
  number bigint not null,
  account text not null,
  amount_milli bigint not null,
  constraint journal_entry_pkey PRIMARY KEY (user_id, number, account),
  constraint journal_entry_account_check CHECK (account = ANY (ARRAY['customer'::text, 'card_clearing'::text, 'bank_clearing'::text, 'manual_credit'::text, 'sales'::text, 'refunds'::text, 'transfers'::text])),
  constraint journal_entry_amount_milli_check CHECK (amount_milli <> 0)
);
comment on table journal_entry is 'tenant: entries of the journals, which sum to zero; never changed, never deleted';

CREATE OR REPLACE FUNCTION public.refuse_ledger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% of % is refused: the ledger is append-only', tg_op, tg_table_name
    using errcode = 'restrict_violation', hint = 'A correction is a journal that names what it reverses.';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_unbalanced_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_invariants_since(since timestamp with time zone)
 RETURNS TABLE(name text, violations bigint)
 LANGUAGE sql
 STABLE
AS $function$
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
$function$;

create table idempotent_answer (
  actor_id uuid not null,
  scope text not null,
  key text not null,
  fingerprint bytea not null,
  status integer,
  body text,
  created_at timestamp with time zone default now() not null,
  constraint idempotent_answer_pkey PRIMARY KEY (actor_id, scope, key),
  constraint idempotent_answer_fingerprint_check CHECK (length(fingerprint) = 32)
);
CREATE INDEX idempotent_answer_oldest ON public.idempotent_answer USING btree (created_at);
comment on table idempotent_answer is 'tenant by actor: answers to requests that must not be carried out twice';

create sequence express_turn as bigint increment 1 minvalue 0 maxvalue 9223372036854775807 start 0 cache 1;

create sequence bulk_turn as bigint increment 1 minvalue 0 maxvalue 9223372036854775807 start 0 cache 1;

create table carrier (
  carrier_id smallint generated by default as identity not null,
  name text not null,
  prefixes text[] not null,
  weight double precision not null,
  priority smallint default 0 not null,
  bind_count smallint not null,
  is_enabled boolean default true not null,
  updated_at timestamp with time zone default now() not null,
  classes text[] default '{promotional,transactional}'::text[] not null,
  reaches_dnd boolean default false not null,
  constraint carrier_pkey PRIMARY KEY (carrier_id),
  constraint carrier_name_key UNIQUE (name),
  constraint carrier_bind_count_check CHECK (bind_count >= 1),
  constraint carrier_weight_check CHECK (weight >= 0::double precision)
);
comment on table carrier is 'directory: carriers; how they are reached stands in the configuration or in kept_carrier';

create table delivery_worker (
  worker_id uuid not null,
  lock_key integer not null,
  heartbeat_at timestamp with time zone not null,
  lease_until timestamp with time zone not null,
  flush_number bigint default 0 not null,
  constraint delivery_worker_pkey PRIMARY KEY (worker_id)
);
comment on table delivery_worker is 'directory: workers that may hold batches and binds';

create table carrier_bind (
  carrier_id smallint not null,
  bind_index smallint not null,
  worker_id uuid not null,
  is_up boolean default false not null,
  constraint carrier_bind_pkey PRIMARY KEY (carrier_id, bind_index)
);
comment on table carrier_bind is 'directory: which worker holds which bind';

create table message (
  user_id uuid not null,
  message_id uuid not null,
  user_name text not null,
  sender_name text not null,
  body text not null,
  code text not null,
  page_count smallint not null,
  price_milli bigint not null,
  recipient_count integer not null,
  hold_id uuid,
  state smallint not null,
  send_at timestamp with time zone,
  time_zone text,
  created_at timestamp with time zone not null,
  state_at timestamp with time zone not null,
  hidden_at timestamp with time zone,
  listed_id uuid,
  held_from smallint,
  held_at timestamp with time zone,
  is_merged boolean default false not null,
  honours_opt_outs boolean default true not null,
  is_transactional boolean default false not null,
  reaches_dnd boolean default false not null,
  review_note text,
  has_opt_out_link boolean default false not null,
  valid_until timestamp with time zone,
  is_validity_over boolean default false not null,
  has_expired boolean default false not null,
  repeat jsonb,
  is_test boolean default false not null,
  followers smallint default 0 not null,
  sealed_body bytea,
  origin text,
  reference text,
  sent_by uuid,
  awaits_approval boolean default false not null,
  decided_by uuid,
  constraint message_pkey PRIMARY KEY (user_id, message_id),
  constraint message_page_count_check CHECK (page_count >= 1),
  constraint message_price_milli_check CHECK (price_milli >= 0),
  constraint message_recipient_count_check CHECK (recipient_count >= 1),
  constraint message_reference_check CHECK (length(reference) <= 64),
  constraint message_state_check CHECK (state >= 0 AND state <= 5)
);
CREATE INDEX message_by_id ON public.message USING btree (message_id);
CREATE INDEX message_cancelled_of_all ON public.message USING btree (COALESCE(listed_id, message_id)) WHERE ((state = 3) AND (hidden_at IS NULL));
CREATE INDEX message_deleted ON public.message USING btree (user_id, COALESCE(listed_id, message_id)) WHERE ((state <> 0) AND (hidden_at IS NOT NULL) AND (NOT is_test));
CREATE INDEX message_deleted_of_all ON public.message USING btree (COALESCE(listed_id, message_id)) WHERE ((state <> 0) AND (hidden_at IS NOT NULL) AND (NOT is_test));
CREATE INDEX message_due ON public.message USING btree (send_at) WHERE (state = 0);
CREATE INDEX message_held ON public.message USING btree (message_id) WHERE (state = 4);
CREATE INDEX message_hidden ON public.message USING btree (user_id, COALESCE(listed_id, message_id)) WHERE ((state <> 0) AND (hidden_at IS NOT NULL));
CREATE INDEX message_hidden_of_all ON public.message USING btree (COALESCE(listed_id, message_id)) WHERE ((state <> 0) AND (hidden_at IS NOT NULL));
CREATE INDEX message_in_review ON public.message USING btree (message_id) WHERE (state = 5);
CREATE INDEX message_listed ON public.message USING btree (user_id, COALESCE(listed_id, message_id)) WHERE ((state <> 0) AND (hidden_at IS NULL));
CREATE INDEX message_listed_by_sender ON public.message USING btree (user_id, sender_name, COALESCE(listed_id, message_id)) WHERE ((state <> 0) AND (hidden_at IS NULL));
CREATE INDEX message_listed_cancelled ON public.message USING btree (user_id, COALESCE(listed_id, message_id)) WHERE ((state = 3) AND (hidden_at IS NULL));
CREATE INDEX message_listed_of_all ON public.message USING btree (COALESCE(listed_id, message_id)) WHERE ((state <> 0) AND (hidden_at IS NULL));
CREATE INDEX message_scheduled ON public.message USING btree (user_id, COALESCE(listed_id, message_id)) WHERE (state = 0);
CREATE INDEX message_sealed ON public.message USING btree (user_id, message_id) WHERE (sealed_body IS NOT NULL);
CREATE INDEX message_started_late ON public.message USING btree (state_at) INCLUDE (message_id) WHERE ((state <> 0) AND ((state_at - created_at) > '24:00:00'::interval));
CREATE INDEX message_test ON public.message USING btree (user_id, COALESCE(listed_id, message_id)) WHERE is_test;
CREATE INDEX message_validity ON public.message USING btree (valid_until) WHERE ((valid_until IS NOT NULL) AND (NOT is_validity_over));
comment on table message is 'tenant: messages as they were accepted';

create table message_count (
  user_id uuid not null,
  message_id uuid not null,
  waiting integer not null,
  sent integer default 0 not null,
  delivered integer default 0 not null,
  failed integer default 0 not null,
  dnd integer default 0 not null,
  unknown integer default 0 not null,
  cancelled integer default 0 not null,
  opted_out integer default 0 not null,
  constraint message_count_pkey PRIMARY KEY (user_id, message_id),
  constraint message_count_cancelled_check CHECK (cancelled >= 0),
  constraint message_count_delivered_check CHECK (delivered >= 0),
  constraint message_count_dnd_check CHECK (dnd >= 0),
  constraint message_count_failed_check CHECK (failed >= 0),
  constraint message_count_opted_out_check CHECK (opted_out >= 0),
  constraint message_count_sent_check CHECK (sent >= 0),
  constraint message_count_unknown_check CHECK (unknown >= 0),
  constraint message_count_waiting_check CHECK (waiting >= 0)
) with (fillfactor=20);
comment on table message_count is 'tenant: how many recipients of a message are in each state';

create table customer_turn (
  user_id uuid not null,
  express bigint default 0 not null,
  bulk bigint default 0 not null,
  constraint customer_turn_pkey PRIMARY KEY (user_id)
) with (fillfactor=50);
comment on table customer_turn is 'tenant: each customer''s place in the fair queue';

create table message_batch (
  user_id uuid not null,
  message_id uuid not null,
  batch_index integer not null,
  recipients bigint[] not null,
  recipient_count smallint not null,
  skipped smallint[] default '{}'::smallint[] not null,
  state smallint not null,
  is_express boolean,
  turn bigint not null,
  lane smallint not null,
  lease_owner uuid,
  attempt integer default 0 not null,
  intent_count smallint default 0 not null,
  redo smallint[] default '{}'::smallint[] not null,
  is_dirty boolean default false not null,
  stop smallint default 0 not null,
  earlier_intent_count smallint default 0 not null,
  merge_values text,
  page_counts smallint[],
  opted_out_offsets smallint[] default '{}'::smallint[] not null,
  dnd_offsets smallint[] default '{}'::smallint[] not null,
  waits_for smallint[],
  constraint message_batch_pkey PRIMARY KEY (user_id, message_id, batch_index),
  constraint message_batch_check CHECK ((lease_owner IS NOT NULL) = (state = 2)),
  constraint message_batch_recipient_count_check CHECK (recipient_count >= 1 AND recipient_count <= 500),
  constraint message_batch_state_check CHECK (state >= 0 AND state <= 4),
  constraint message_batch_stop_check CHECK (stop >= 0 AND stop <= 2)
) with (fillfactor=70, toast_tuple_target=512);
alter table message_batch alter column recipients set storage external;
CREATE INDEX message_batch_dirty ON public.message_batch USING btree (user_id, message_id) WHERE (is_dirty AND ((state + 0) < 3));
CREATE INDEX message_batch_leased ON public.message_batch USING btree (lease_owner) WHERE (state = 2);
CREATE INDEX message_batch_open ON public.message_batch USING btree (user_id, message_id) WHERE ((state + 0) < 3);
CREATE INDEX message_batch_queue ON public.message_batch USING btree (is_express, turn) INCLUDE (lane) WHERE ((state = 1) AND (waits_for IS NULL));
CREATE INDEX message_batch_ready ON public.message_batch USING btree (is_express, turn) INCLUDE (lane) WHERE (state = 1);
CREATE INDEX message_batch_waiting ON public.message_batch USING gin (waits_for) WHERE (waits_for IS NOT NULL);
comment on table message_batch is 'tenant: recipients in the pieces that workers lease';

create table delivery (
  user_id uuid not null,
  message_id uuid not null,
  "position" integer not null,
  phone_no bigint not null,
  state smallint not null,
  carrier_id smallint,
  delivered_parts integer default 0 not null,
  submitted_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  carrier_key text,
  error_code text,
  constraint delivery_pkey PRIMARY KEY (user_id, message_id, "position"),
  constraint delivery_state_check CHECK (state >= 1 AND state <= 6)
) partition by RANGE (message_id);
CREATE INDEX delivery_carrier_key ON ONLY public.delivery USING btree (carrier_key, carrier_id) WHERE (carrier_key IS NOT NULL);
CREATE INDEX delivery_submitted ON ONLY public.delivery USING brin (submitted_at) WITH (pages_per_range='64', autosummarize='on');
comment on table delivery is 'tenant: what became of each recipient';

create table delivery_default partition of delivery DEFAULT with (fillfactor=50);

create table delivery_part (
  user_id uuid not null,
  message_id uuid not null,
  "position" integer not null,
  part_index smallint not null,
  part_count smallint not null,
  carrier_id smallint not null,
  carrier_key text not null,
  submitted_at timestamp with time zone not null,
  constraint delivery_part_pkey PRIMARY KEY (user_id, message_id, "position", part_index)
) partition by RANGE (message_id);
CREATE INDEX delivery_part_carrier_key ON ONLY public.delivery_part USING btree (carrier_key, carrier_id);
comment on table delivery_part is 'tenant: the carrier''s ids of long messages';

create table delivery_part_default partition of delivery_part DEFAULT;

create table delivery_unknown (
  user_id uuid not null,
  message_id uuid not null,
  "position" integer not null,
  phone_no bigint not null,
  sender_name text not null,
  handed_over_at timestamp with time zone not null,
  release_at timestamp with time zone not null,
  constraint delivery_unknown_pkey PRIMARY KEY (user_id, message_id, "position")
);
CREATE INDEX delivery_unknown_phone_no ON public.delivery_unknown USING btree (phone_no);
CREATE INDEX delivery_unknown_release ON public.delivery_unknown USING btree (release_at);
comment on table delivery_unknown is 'tenant: deliveries whose answer was lost';

create table early_report (
  report_id bigint generated always as identity not null,
  carrier_id smallint not null,
  carrier_key text not null,
  state text not null,
  error_code text not null,
  phone_no bigint,
  sender_name text not null,
  received_at timestamp with time zone not null,
  next_try_at timestamp with time zone not null,
  possible_text jsonb,
  constraint early_report_pkey PRIMARY KEY (report_id)
);
CREATE INDEX early_report_key ON public.early_report USING btree (carrier_key, carrier_id);
CREATE INDEX early_report_next_try ON public.early_report USING btree (next_try_at);
CREATE INDEX early_report_phone_no ON public.early_report USING btree (phone_no);
comment on table early_report is 'directory: delivery reports that wait for what they are about';

create table dnd_number (
  phone_no bigint not null,
  source text not null,
  added_at timestamp with time zone default now() not null,
  constraint dnd_number_pkey PRIMARY KEY (phone_no)
);
CREATE INDEX dnd_number_newest ON public.dnd_number USING btree (added_at DESC, phone_no DESC);
comment on table dnd_number is 'directory: numbers that do not want to be disturbed';

create table sender_name (
  user_id uuid not null,
  name text not null,
  skeleton text not null,
  created_at timestamp with time zone not null,
  constraint sender_name_pkey PRIMARY KEY (user_id, name),
  constraint sender_name_is_sendable CHECK (name ~ '^[A-Za-z0-9 .&_-]{3,11}$'::text AND name ~ '[A-Za-z]'::text)
);
CREATE INDEX sender_name_skeleton ON public.sender_name USING btree (skeleton);
comment on table sender_name is 'tenant: names that each customer may send as';

create table approved_address (
  user_id uuid not null,
  address inet not null,
  created_at timestamp with time zone not null,
  constraint approved_address_pkey PRIMARY KEY (user_id, address)
);
comment on table approved_address is 'tenant: addresses that each customer''s programs may call from';

create table whitelist_request (
  user_id uuid not null,
  request_id uuid not null,
  sender_name text,
  skeleton text,
  address inet,
  state text default 'pending'::text not null,
  warnings text[] default '{}'::text[] not null,
  reason text default ''::text not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint whitelist_request_pkey PRIMARY KEY (user_id, request_id),
  constraint whitelist_request_asks_for_one_thing CHECK ((sender_name IS NULL) <> (address IS NULL)),
  constraint whitelist_request_decision_is_whole CHECK ((state = 'pending'::text) = (decided_by IS NULL) AND (state = 'pending'::text) = (decided_at IS NULL)),
  constraint whitelist_request_name_has_skeleton CHECK ((sender_name IS NULL) = (skeleton IS NULL)),
  constraint whitelist_request_state_check CHECK (state = ANY (ARRAY['pending'::text, 'approved'::text, 'declined'::text]))
);
CREATE INDEX whitelist_request_newest ON public.whitelist_request USING btree (request_id);
CREATE UNIQUE INDEX whitelist_request_open_address ON public.whitelist_request USING btree (user_id, address) WHERE ((state = 'pending'::text) AND (address IS NOT NULL));
CREATE UNIQUE INDEX whitelist_request_open_name ON public.whitelist_request USING btree (user_id, sender_name) WHERE ((state = 'pending'::text) AND (sender_name IS NOT NULL));
CREATE INDEX whitelist_request_pending ON public.whitelist_request USING btree (request_id) WHERE (state = 'pending'::text);
comment on table whitelist_request is 'tenant: requests for sender names and addresses';

create table daily_cap (
  user_id uuid not null,
  code text not null,
  recipients_max integer,
  day date default '-infinity'::date not null,
  recipients_used integer default 0 not null,
  constraint daily_cap_pkey PRIMARY KEY (user_id, code),
  constraint daily_cap_code_check CHECK (code ~ '^[1-9][0-9]{0,5}$'::text),
  constraint daily_cap_recipients_max_check CHECK (recipients_max >= 0),
  constraint daily_cap_recipients_used_check CHECK (recipients_used >= 0)
);
comment on table daily_cap is 'tenant: daily limits by country';

create table draft (
  user_id uuid not null,
  draft_id uuid not null,
  sender_name text not null,
  message text not null,
  phone_no text not null,
  code text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  recipients text,
  has_opt_out_link boolean default false not null,
  class text,
  dnd text,
  valid_until timestamp with time zone,
  constraint draft_pkey PRIMARY KEY (user_id, draft_id),
  constraint draft_class_check CHECK (class = ANY (ARRAY['promotional'::text, 'transactional'::text])),
  constraint draft_dnd_check CHECK (dnd = ANY (ARRAY['send'::text, 'skip'::text]))
);
CREATE INDEX draft_newest ON public.draft USING btree (draft_id);
comment on table draft is 'tenant: messages that are not sent yet';

create table admin (
  admin_id uuid not null,
  admin_name text not null,
  admin_full_name text not null,
  email text not null,
  contact text not null,
  role text default 'admin'::text not null,
  password_hash text not null,
  verified_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  approved_at timestamp with time zone,
  blocked_at timestamp with time zone,
  removed_at timestamp with time zone,
  last_sign_in_at timestamp with time zone,
  constraint admin_pkey PRIMARY KEY (admin_id),
  constraint admin_email_key UNIQUE (email),
  constraint admin_email_is_normal CHECK (email = lower(TRIM(BOTH FROM email)) AND email <> ''::text),
  constraint admin_role_is_known CHECK (role = ANY (ARRAY['owner'::text, 'admin'::text, 'finance'::text, 'support'::text, 'viewer'::text]))
);
comment on table admin is 'directory: administrators';

create table admin_otp (
  admin_id uuid not null,
  code_hash bytea not null,
  expires_at timestamp with time zone not null,
  wrong_tries integer default 0 not null,
  used_at timestamp with time zone,
  registered_at timestamp with time zone not null,
  registration_wrong_tries integer default 0 not null,
  constraint admin_otp_pkey PRIMARY KEY (admin_id),
  constraint admin_otp_registration_wrong_tries_check CHECK (registration_wrong_tries >= 0 AND registration_wrong_tries <= 10),
  constraint admin_otp_wrong_tries_check CHECK (wrong_tries >= 0 AND wrong_tries <= 5)
);
comment on table admin_otp is 'directory: codes in mails to administrators';

create table audit_entry (
  audit_id uuid not null,
  admin_id uuid,
  action text not null,
  subject_id uuid,
  before jsonb,
  after jsonb,
  client_address text not null,
  created_at timestamp with time zone not null,
  person_id uuid,
  constraint audit_entry_pkey PRIMARY KEY (audit_id),
  constraint audit_entry_actor_check CHECK ((admin_id IS NULL) <> (person_id IS NULL))
);
CREATE INDEX audit_entry_action ON public.audit_entry USING btree (action, created_at DESC);
CREATE INDEX audit_entry_admin ON public.audit_entry USING btree (admin_id, created_at DESC);
CREATE INDEX audit_entry_newest ON public.audit_entry USING btree (created_at DESC, audit_id DESC);
CREATE INDEX audit_entry_person ON public.audit_entry USING btree (person_id, created_at DESC) WHERE (person_id IS NOT NULL);
CREATE INDEX audit_entry_subject ON public.audit_entry USING btree (subject_id, created_at DESC);
comment on table audit_entry is 'directory: what administrators did, and what people did about their accounts; never changed, never deleted';

CREATE OR REPLACE FUNCTION public.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'audit_entry is append-only';
end $function$;

create table catalog (
  user_id uuid not null,
  catalog_id uuid not null,
  name text not null,
  code text not null,
  contact_count integer default 0 not null,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  columns jsonb default '[]'::jsonb not null,
  constraint catalog_pkey PRIMARY KEY (user_id, catalog_id),
  constraint catalog_code_is_dialling_code CHECK (code ~ '^[1-9][0-9]{0,5}$'::text),
  constraint catalog_columns_are_a_list CHECK (jsonb_typeof(columns) = 'array'::text),
  constraint catalog_holds_a_million CHECK (contact_count >= 0 AND contact_count <= 1000000),
  constraint catalog_name_check CHECK (name <> ''::text)
);
comment on table catalog is 'tenant: named lists of contacts';

create table contact_sheet (
  user_id uuid not null,
  catalog_id uuid not null,
  sheet_no integer not null,
  phone_nos text not null,
  contact_count integer not null,
  fields jsonb,
  constraint contact_sheet_pkey PRIMARY KEY (user_id, catalog_id, sheet_no),
  constraint contact_sheet_fields_have_keys CHECK (jsonb_typeof(fields) = 'object'::text),
  constraint contact_sheet_holds_numbers CHECK (phone_nos ~ '^[0-9]+(,[0-9]+)*$'::text),
  constraint contact_sheet_is_filled CHECK (contact_count >= 1 AND contact_count <= 1000)
);
alter table contact_sheet alter column phone_nos set storage external;
comment on table contact_sheet is 'tenant: contacts, up to a thousand in a row';

create table card_payment (
  user_id uuid not null,
  reference text collate "C" not null,
  units bigint not null,
  total_kobo bigint not null,
  state text not null,
  is_sandbox boolean not null,
  authorization_url text,
  provider_status text,
  problem text,
  channel text,
  provider_id text,
  next_check_at timestamp with time zone,
  check_count integer default 0 not null,
  created_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  is_automatic boolean default false not null,
  charged_at timestamp with time zone,
  constraint card_payment_pkey PRIMARY KEY (user_id, reference),
  constraint card_payment_is_asked_about_until_it_ends CHECK (next_check_at IS NULL OR (state = ANY (ARRAY['open'::text, 'failed'::text]))),
  constraint card_payment_is_paid_at_a_time CHECK ((state = ANY (ARRAY['paid'::text, 'frozen'::text, 'reversed'::text])) = (paid_at IS NOT NULL)),
  constraint card_payment_reference_check CHECK (reference ~ '^[A-Za-z0-9.=-]{1,100}$'::text),
  constraint card_payment_state_check CHECK (state = ANY (ARRAY['open'::text, 'failed'::text, 'paid'::text, 'ended'::text, 'frozen'::text, 'reversed'::text])),
  constraint card_payment_total_kobo_check CHECK (total_kobo >= 1),
  constraint card_payment_units_check CHECK (units >= 1)
);
CREATE INDEX card_payment_by_reference ON public.card_payment USING btree (reference);
CREATE INDEX card_payment_due ON public.card_payment USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX card_payment_paid ON public.card_payment USING btree (paid_at) WHERE (paid_at IS NOT NULL);
comment on table card_payment is 'tenant: card payments, from their beginning';

create table card_payment_claim (
  user_id uuid not null,
  claim_id uuid not null,
  reference text collate "C" not null,
  kind text not null,
  provider_id text,
  state text not null,
  amount_kobo bigint not null,
  units_milli bigint not null,
  hold_id uuid,
  frozen_milli bigint default 0 not null,
  taken_milli bigint default 0 not null,
  spent_milli bigint default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint card_payment_claim_pkey PRIMARY KEY (user_id, claim_id),
  constraint card_payment_claim_amount_kobo_check CHECK (amount_kobo >= 1),
  constraint card_payment_claim_freezes_while_open CHECK (state = 'open'::text OR frozen_milli = 0),
  constraint card_payment_claim_frozen_milli_check CHECK (frozen_milli >= 0),
  constraint card_payment_claim_is_no_more_than_its_units CHECK ((frozen_milli + taken_milli + spent_milli) <= units_milli),
  constraint card_payment_claim_kind_check CHECK (kind = ANY (ARRAY['refund'::text, 'dispute'::text])),
  constraint card_payment_claim_spent_milli_check CHECK (spent_milli >= 0),
  constraint card_payment_claim_state_check CHECK (state = ANY (ARRAY['open'::text, 'upheld'::text, 'dismissed'::text])),
  constraint card_payment_claim_taken_milli_check CHECK (taken_milli >= 0),
  constraint card_payment_claim_takes_when_upheld CHECK (state = 'upheld'::text OR taken_milli = 0),
  constraint card_payment_claim_units_milli_check CHECK (units_milli >= 0)
);
CREATE INDEX card_payment_claim_of_payment ON public.card_payment_claim USING btree (user_id, reference, created_at);
CREATE UNIQUE INDEX card_payment_claim_once ON public.card_payment_claim USING btree (user_id, reference, kind, provider_id) WHERE (provider_id IS NOT NULL);
comment on table card_payment_claim is 'tenant: refunds and disputes of card payments';

create table sandbox_transaction (
  access_code text not null,
  reference text not null,
  email text not null,
  amount_kobo bigint not null,
  callback_url text not null,
  status text not null,
  created_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  declines_later boolean default false not null,
  account_number text,
  fee_kobo bigint default 0 not null,
  constraint sandbox_transaction_pkey PRIMARY KEY (access_code),
  constraint sandbox_transaction_reference_key UNIQUE (reference),
  constraint sandbox_transaction_amount_kobo_check CHECK (amount_kobo >= 1),
  constraint sandbox_transaction_is_paid_at_a_time CHECK ((status = 'success'::text) = (paid_at IS NOT NULL)),
  constraint sandbox_transaction_status_check CHECK (status = ANY (ARRAY['abandoned'::text, 'failed'::text, 'success'::text]))
);
comment on table sandbox_transaction is 'directory: payments at the built-in card sandbox';

create table stored_file (
  user_id uuid not null,
  file_id uuid not null,
  extension text not null,
  content_type text not null,
  byte_count integer not null,
  created_at timestamp with time zone not null,
  kept_at timestamp with time zone,
  removing_at timestamp with time zone,
  constraint stored_file_pkey PRIMARY KEY (user_id, file_id),
  constraint stored_file_byte_count_check CHECK (byte_count > 0),
  constraint stored_file_extension_is_known CHECK (extension = ANY (ARRAY['pdf'::text, 'jpg'::text, 'png'::text, 'zip'::text])),
  constraint stored_file_is_kept_or_removed CHECK (kept_at IS NULL OR removing_at IS NULL)
);
CREATE INDEX stored_file_orphan ON public.stored_file USING btree (created_at) WHERE (kept_at IS NULL);
comment on table stored_file is 'tenant: uploaded files, whose bytes lie in the file store';

create table deposit (
  user_id uuid not null,
  deposit_id uuid not null,
  depositor_name text not null,
  amount_kobo bigint not null,
  phone_no text not null,
  teller_id text not null,
  teller_key text not null,
  transaction_date date not null,
  bank text not null,
  file_id uuid not null,
  receipt_hash bytea not null,
  is_flagged boolean default false not null,
  state text default 'pending'::text not null,
  proposed_milli bigint,
  proposed_by uuid,
  proposed_at timestamp with time zone,
  credited_milli bigint,
  reason text default ''::text not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  hidden_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint deposit_pkey PRIMARY KEY (user_id, deposit_id),
  constraint deposit_amount_kobo_check CHECK (amount_kobo > 0),
  constraint deposit_credit_is_verified CHECK ((state = 'verified'::text) = (credited_milli IS NOT NULL)),
  constraint deposit_credited_milli_check CHECK (credited_milli > 0),
  constraint deposit_decision_is_whole CHECK ((state = 'pending'::text) = (decided_at IS NULL) AND (state = ANY (ARRAY['verified'::text, 'declined'::text])) = (decided_by IS NOT NULL)),
  constraint deposit_proposal_is_whole CHECK ((proposed_milli IS NULL) = (proposed_by IS NULL) AND (proposed_milli IS NULL) = (proposed_at IS NULL)),
  constraint deposit_proposal_waits CHECK (proposed_milli IS NULL OR state = 'pending'::text),
  constraint deposit_proposed_milli_check CHECK (proposed_milli > 0),
  constraint deposit_receipt_hash_check CHECK (length(receipt_hash) = 32),
  constraint deposit_state_check CHECK (state = ANY (ARRAY['pending'::text, 'verified'::text, 'declined'::text, 'withdrawn'::text])),
  constraint deposit_withdrawn_is_hidden CHECK (state <> 'withdrawn'::text OR hidden_at IS NOT NULL)
);
CREATE UNIQUE INDEX deposit_file ON public.deposit USING btree (user_id, file_id);
CREATE INDEX deposit_flagged ON public.deposit USING btree (deposit_id) WHERE is_flagged;
CREATE INDEX deposit_newest ON public.deposit USING btree (deposit_id);
CREATE INDEX deposit_receipt ON public.deposit USING btree (receipt_hash);
CREATE INDEX deposit_shown ON public.deposit USING btree (user_id, deposit_id) WHERE (hidden_at IS NULL);
CREATE INDEX deposit_state ON public.deposit USING btree (state, deposit_id);
CREATE INDEX deposit_teller ON public.deposit USING btree (teller_key);
comment on table deposit is 'tenant: bank transfers that customers report';

create table announcement (
  announcement_id uuid not null,
  hint text not null,
  message text not null,
  admin_id uuid not null,
  created_at timestamp with time zone not null,
  version integer default 1 not null,
  edited_at timestamp with time zone,
  constraint announcement_pkey PRIMARY KEY (announcement_id),
  constraint announcement_hint_check CHECK (hint <> ''::text),
  constraint announcement_message_check CHECK (message <> ''::text),
  constraint announcement_version_check CHECK (version >= 1)
);
comment on table announcement is 'directory: what administrators tell everybody';

create table tally (
  name text not null,
  total bigint not null,
  constraint tally_pkey PRIMARY KEY (name)
);
comment on table tally is 'directory: counts up to the last time that changes were added up';

create table tally_change (
  change_id bigint generated always as identity not null,
  name text not null,
  amount bigint not null,
  constraint tally_change_pkey PRIMARY KEY (change_id)
);
comment on table tally_change is 'directory: changes of counts since then';

CREATE OR REPLACE FUNCTION public.tally_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change bigint;
begin
  select count(*) into change from new_rows where state <> 0 and hidden_at is null;
  if tg_op = 'UPDATE' then
    change := change - (select count(*) from old_rows where state <> 0 and hidden_at is null);
  end if;
  if change <> 0 then
    insert into tally_change (name, amount) values ('messages', change);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tally_drafts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change bigint;
begin
  if tg_op = 'INSERT' then
    select count(*) into change from new_rows;
  else
    select -count(*) into change from old_rows;
  end if;
  if change <> 0 then
    insert into tally_change (name, amount) values ('drafts', change);
  end if;
  return null;
end $function$;

create table traffic_hour (
  hour timestamp with time zone not null,
  network text not null,
  sent bigint not null,
  delivered bigint not null,
  failed bigint not null,
  dnd bigint not null,
  unknown bigint not null,
  constraint traffic_hour_pkey PRIMARY KEY (hour, network)
);
comment on table traffic_hour is 'directory: recipients by hour and network, added up by a job';

create table customer_day (
  user_id uuid not null,
  day date not null,
  sold_milli bigint not null,
  used_milli bigint not null,
  constraint customer_day_pkey PRIMARY KEY (user_id, day)
);
CREATE INDEX customer_day_of_all ON public.customer_day USING btree (day) INCLUDE (sold_milli, used_milli);
comment on table customer_day is 'tenant: units of each customer and day, added up by a job';

create table overview_refresh (
  is_only boolean default true not null,
  refreshed_at timestamp with time zone not null,
  constraint overview_refresh_pkey PRIMARY KEY (is_only),
  constraint overview_refresh_is_only_check CHECK (is_only)
);
comment on table overview_refresh is 'directory: when traffic_hour and customer_day were added up last';

create table api_key (
  key_id uuid not null,
  user_id uuid not null,
  name text not null,
  key_hash bytea,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  kind text default 'api'::text not null,
  mode text default 'live'::text not null,
  scopes text[] default '{messages:send,messages:read,contacts,billing:read,webhooks,inbox}'::text[] not null,
  addresses text[] default '{}'::text[] not null,
  public_name text,
  binds integer,
  per_second integer,
  last_used_from text,
  sealed_secret bytea,
  constraint api_key_pkey PRIMARY KEY (key_id),
  constraint api_key_hash_key UNIQUE (key_hash),
  constraint api_key_binds_check CHECK (binds >= 1 AND binds <= 20),
  constraint api_key_kind_check CHECK (kind = ANY (ARRAY['api'::text, 'twilio'::text, 'smpp'::text])),
  constraint api_key_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  constraint api_key_per_second_check CHECK (per_second >= 1 AND per_second <= 10000),
  constraint api_key_secret_check CHECK (
CASE kind
    WHEN 'api'::text THEN key_hash IS NOT NULL AND public_name IS NULL AND sealed_secret IS NULL
    WHEN 'twilio'::text THEN key_hash IS NOT NULL AND public_name IS NOT NULL AND sealed_secret IS NOT NULL
    ELSE key_hash IS NULL AND public_name IS NOT NULL AND sealed_secret IS NOT NULL
END)
);
CREATE UNIQUE INDEX api_key_public_name ON public.api_key USING btree (public_name) WHERE (public_name IS NOT NULL);
CREATE INDEX api_key_user ON public.api_key USING btree (user_id, key_id DESC);
comment on table api_key is 'directory: keys of customers'' programs; revoking one deletes its row';

create table rate_edit (
  rate_edit_id uuid not null,
  code text not null,
  rate_milli bigint,
  effective_at timestamp with time zone not null,
  admin_id uuid not null,
  created_at timestamp with time zone not null,
  withdrawn_at timestamp with time zone,
  class text,
  constraint rate_edit_pkey PRIMARY KEY (rate_edit_id),
  constraint rate_edit_check CHECK (withdrawn_at < effective_at),
  constraint rate_edit_class_check CHECK (class = ANY (ARRAY['promotional'::text, 'transactional'::text])),
  constraint rate_edit_code_check CHECK (code ~ '^[1-9][0-9]{0,5}$'::text),
  constraint rate_edit_rate_milli_check CHECK (rate_milli >= 1 AND rate_milli <= 1000000)
);
CREATE INDEX rate_edit_by_code ON public.rate_edit USING btree (code, effective_at DESC, rate_edit_id DESC) INCLUDE (rate_milli) WHERE (withdrawn_at IS NULL);
comment on table rate_edit is 'directory: edits of the rate table, and from when they hold';

create table kept_carrier (
  kept_carrier_id uuid not null,
  name text not null,
  host text not null,
  port integer not null,
  system_id text not null,
  sealed_password bytea not null,
  system_type text not null,
  has_tls boolean not null,
  bind_count smallint not null,
  window_size integer not null,
  messages_per_second double precision not null,
  prefixes text[] not null,
  weight double precision not null,
  priority smallint not null,
  receipt_ids text not null,
  long_messages text not null,
  dnd_error_codes text[] not null,
  is_enabled boolean default true not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  classes text[] default '{promotional,transactional}'::text[] not null,
  reaches_dnd boolean default false not null,
  constraint kept_carrier_pkey PRIMARY KEY (kept_carrier_id),
  constraint kept_carrier_name_key UNIQUE (name),
  constraint kept_carrier_bind_count_check CHECK (bind_count >= 1 AND bind_count <= 16),
  constraint kept_carrier_long_messages_check CHECK (long_messages = ANY (ARRAY['udh8'::text, 'udh16'::text, 'sar'::text, 'payload'::text])),
  constraint kept_carrier_messages_per_second_check CHECK (messages_per_second > 0::double precision),
  constraint kept_carrier_port_check CHECK (port >= 1 AND port <= 65535),
  constraint kept_carrier_receipt_ids_check CHECK (receipt_ids = ANY (ARRAY['asIs'::text, 'hexToDec'::text, 'decToHex'::text])),
  constraint kept_carrier_weight_check CHECK (weight >= 0::double precision),
  constraint kept_carrier_window_size_check CHECK (window_size >= 1 AND window_size <= 10000)
);
comment on table kept_carrier is 'directory: SMPP carriers that administrators keep';

create unlogged table carrier_health (
  carrier_id smallint not null,
  worker_id uuid not null,
  bound_count smallint not null,
  held_count smallint not null,
  changed_at timestamp with time zone not null,
  last_error text,
  last_error_at timestamp with time zone,
  messages_per_second double precision not null,
  in_flight integer not null,
  good_count bigint not null,
  bad_count bigint not null,
  constraint carrier_health_pkey PRIMARY KEY (carrier_id, worker_id)
);
comment on table carrier_health is 'directory: how each worker sees each carrier';

create table known_device (
  kind text not null,
  actor_id uuid not null,
  mark_hash bytea not null,
  last_seen_at timestamp with time zone not null,
  constraint known_device_pkey PRIMARY KEY (kind, actor_id, mark_hash),
  constraint known_device_kind_check CHECK (kind = ANY (ARRAY['user'::text, 'admin'::text]))
);
comment on table known_device is 'directory: devices that customers and administrators signed in from; the newest fifty of each';

create table second_factor (
  kind text not null,
  actor_id uuid not null,
  sealed_secret bytea not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  used_steps bigint[] default '{}'::bigint[] not null,
  constraint second_factor_pkey PRIMARY KEY (kind, actor_id),
  constraint second_factor_kind_check CHECK (kind = ANY (ARRAY['user'::text, 'admin'::text]))
);
comment on table second_factor is 'directory: second factors of customers and administrators; turning one off deletes its row';

create table recovery_code (
  kind text not null,
  actor_id uuid not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_code_pkey PRIMARY KEY (kind, actor_id, code_hash)
);
comment on table recovery_code is 'directory: what opens an account once when the phone is lost';

create table approval (
  approval_id uuid not null,
  kind text not null,
  subject_key text not null,
  subject_id uuid not null,
  subject_email text not null,
  what text not null,
  details jsonb not null,
  asked_by uuid not null,
  state text default 'waiting'::text not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint approval_pkey PRIMARY KEY (approval_id),
  constraint approval_decision_is_whole CHECK ((state = 'waiting'::text) = (decided_at IS NULL) AND (state = ANY (ARRAY['approved'::text, 'declined'::text])) = (decided_by IS NOT NULL)),
  constraint approval_has_two_people CHECK (decided_by IS NULL OR decided_by <> asked_by),
  constraint approval_kind_is_known CHECK (kind = ANY (ARRAY['credit'::text, 'deposit'::text, 'sender'::text, 'role'::text])),
  constraint approval_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'approved'::text, 'declined'::text, 'lapsed'::text])),
  constraint approval_what_check CHECK (what <> ''::text)
);
CREATE INDEX approval_waiting ON public.approval USING btree (created_at, approval_id) WHERE (state = 'waiting'::text);
CREATE UNIQUE INDEX approval_waits_once ON public.approval USING btree (kind, subject_key) WHERE (state = 'waiting'::text);
comment on table approval is 'directory: what waits for a second administrator';

create table audit_link (
  entry_number bigint not null,
  audit_id uuid not null,
  previous_hash bytea not null,
  hash bytea not null,
  constraint audit_link_pkey PRIMARY KEY (entry_number),
  constraint audit_link_audit_id_key UNIQUE (audit_id)
);
comment on table audit_link is 'directory: the chain of the audit, one link an entry; never changed, never deleted';

create table audit_chain (
  is_only boolean default true not null,
  entry_count bigint not null,
  hash bytea not null,
  checked_at timestamp with time zone,
  is_whole boolean,
  constraint audit_chain_pkey PRIMARY KEY (is_only),
  constraint audit_chain_is_only_check CHECK (is_only)
);
comment on table audit_chain is 'directory: the end of the chain of the audit and what its last check found; one row';

CREATE OR REPLACE FUNCTION public.audit_hash(entry audit_entry, previous_hash bytea)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(concat_ws(chr(10),
    encode(previous_hash, 'hex'), entry.audit_id::text, coalesce(entry.admin_id, entry.person_id)::text, entry.action, coalesce(entry.subject_id::text, ''),
    coalesce(entry.before::text, ''), coalesce(entry.after::text, ''), entry.client_address,
    to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION public.link_audit_entry(entry audit_entry)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  chain audit_chain;
  new_hash bytea;
begin
  select * into strict chain from audit_chain for update;
  new_hash := audit_hash(entry, chain.hash);
  insert into audit_link (entry_number, audit_id, previous_hash, hash) values (chain.entry_count + 1, entry.audit_id, chain.hash, new_hash);
  update audit_chain set entry_count = chain.entry_count + 1, hash = new_hash;
end $function$;

CREATE OR REPLACE FUNCTION public.link_new_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform link_audit_entry(new);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_audit_link_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'audit_link is append-only';
end $function$;

create table send_epoch (
  epoch_number integer not null,
  epoch_id uuid not null,
  installation_id uuid not null,
  generation bigint not null,
  system_identifier text not null,
  timeline text not null,
  database_oid oid not null,
  table_oid oid not null,
  began_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  reason text not null,
  held_count integer not null,
  is_current boolean not null,
  constraint send_epoch_pkey PRIMARY KEY (epoch_number),
  constraint send_epoch_epoch_id_key UNIQUE (epoch_id)
) with (fillfactor=50);
CREATE UNIQUE INDEX send_epoch_current ON public.send_epoch USING btree (is_current) WHERE is_current;
comment on table send_epoch is 'directory: times between restores, and the mark that tells them apart';

create table inbound_message (
  inbound_id uuid not null,
  carrier_id smallint not null,
  from_address text not null,
  to_address text not null,
  body text not null,
  received_at timestamp with time zone not null,
  constraint inbound_message_pkey PRIMARY KEY (inbound_id)
);
comment on table inbound_message is 'directory: messages from phones that are nobody''s';

create table inbound_part (
  part_id uuid not null,
  carrier_id smallint not null,
  from_address text not null,
  to_address text not null,
  reference integer not null,
  part_count smallint not null,
  part_number smallint not null,
  data_coding smallint not null,
  octets bytea not null,
  is_joined boolean default false not null,
  received_at timestamp with time zone not null,
  constraint inbound_part_pkey PRIMARY KEY (part_id),
  constraint inbound_part_check CHECK (part_number >= 1 AND part_number <= part_count)
);
CREATE INDEX inbound_part_joined ON public.inbound_part USING btree (received_at) WHERE is_joined;
CREATE INDEX inbound_part_open ON public.inbound_part USING btree (carrier_id, from_address, to_address, reference, part_count) WHERE (NOT is_joined);
CREATE UNIQUE INDEX inbound_part_same ON public.inbound_part USING btree (carrier_id, from_address, to_address, reference, part_count, part_number, md5(octets));
comment on table inbound_part is 'directory: parts of long messages from phones';

create table admin_invitation (
  email text not null,
  role text not null,
  invited_by uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint admin_invitation_pkey PRIMARY KEY (email),
  constraint admin_invitation_email_check CHECK (email = lower(TRIM(BOTH FROM email)) AND email <> ''::text),
  constraint admin_invitation_role_check CHECK (role = ANY (ARRAY['owner'::text, 'admin'::text, 'finance'::text, 'support'::text, 'viewer'::text]))
);
comment on table admin_invitation is 'directory: mailboxes that may become administrators; the registration that it lets in deletes it';

create table announcement_dismissal (
  user_id uuid not null,
  announcement_id uuid not null,
  version integer not null,
  dismissed_at timestamp with time zone not null,
  constraint announcement_dismissal_pkey PRIMARY KEY (user_id, announcement_id),
  constraint announcement_dismissal_version_check CHECK (version >= 1)
);
CREATE INDEX announcement_dismissal_of_announcement ON public.announcement_dismissal USING btree (announcement_id);
comment on table announcement_dismissal is 'tenant: announcements that a customer does not want to see any more, in the version that they saw';

create table message_breakdown (
  user_id uuid not null,
  message_id uuid not null,
  claimed_at timestamp with time zone not null,
  counted_at timestamp with time zone,
  breakdown jsonb,
  constraint message_breakdown_pkey PRIMARY KEY (user_id, message_id),
  constraint message_breakdown_check CHECK ((counted_at IS NULL) = (breakdown IS NULL))
);
comment on table message_breakdown is 'tenant: a message''s deliveries by time, network and reason, as they were counted last';

CREATE OR REPLACE FUNCTION public.move_holds(asked_users uuid[], asked_holds uuid[], asked_charges bigint[], asked_releases bigint[], asked_journals uuid[])
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  moved_count integer;
begin
  perform from ledger_account where user_id = any (asked_users) order by user_id for no key update;
  with wanted as (
    select * from unnest(asked_users, asked_holds, asked_charges, asked_releases, asked_journals)
      as w (user_id, hold_id, charge_milli, release_milli, journal_id)
  ), moved as (
    update hold h
    set captured_milli = h.captured_milli + w.charge_milli, released_milli = h.released_milli + w.release_milli,
      charge_count = h.charge_count + (w.charge_milli > 0)::int
    from wanted w
    where h.user_id = w.user_id and h.hold_id = w.hold_id and h.open_milli >= w.charge_milli + w.release_milli
    returning h.user_id, h.hold_id, h.captured_milli, h.charge_count, w.charge_milli, w.release_milli, w.journal_id
  ), charged as materialized (
    select m.*, a.journal_count + row_number() over one as number,
      (a.balance_milli - sum(m.charge_milli) over one)::bigint as balance_after_milli
    from moved m join ledger_account a using (user_id) where m.charge_milli > 0
    window one as (partition by user_id order by m.hold_id)
  ), posted as (
    insert into journal (user_id, number, journal_id, kind, reference, hold_id, hold_total_milli, balance_after_milli, created_at)
    select user_id, number, journal_id, 'charge', hold_id || ':' || charge_count, hold_id, captured_milli, balance_after_milli,
      clock_timestamp()
    from charged
  ), entered as (
    insert into journal_entry (user_id, number, account, amount_milli)
    select user_id, number, 'customer', -charge_milli from charged
    union all
    select user_id, number, 'sales', charge_milli from charged
  ), settled as (
    update ledger_account a
    set balance_milli = a.balance_milli - t.charge_milli, held_milli = a.held_milli - t.charge_milli - t.release_milli,
      journal_count = a.journal_count + t.journal_count
    from (
      select user_id, sum(charge_milli)::bigint as charge_milli, sum(release_milli)::bigint as release_milli,
        count(*) filter (where charge_milli > 0) as journal_count
      from moved group by user_id
    ) t
    where a.user_id = t.user_id
  )
  select count(*) into moved_count from moved;
  return moved_count;
end $function$;

CREATE OR REPLACE FUNCTION public.is_our_database(known_epoch uuid, known_generation bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select 1 from send_epoch
    where is_current and epoch_id = known_epoch and generation >= known_generation and timeline = left(pg_walfile_name(pg_current_wal_lsn()), 8))
$function$;

CREATE OR REPLACE FUNCTION public.record_answers(worker uuid, flush bigint, known_epoch uuid, known_generation bigint, asked_users uuid[], asked_messages uuid[], asked_batches integer[], asked_attempts integer[], asked_intents smallint[], asked_redos text[], asked_leaves smallint[], answer_places integer[], answer_offsets integer[], answer_phones bigint[], answer_states smallint[], answer_carriers smallint[], answer_parts integer[], answer_keys text[], answer_errors text[])
 RETURNS TABLE(place integer, left_state smallint, asked_stop smallint)
 LANGUAGE plpgsql
AS $function$
begin
  if not is_our_database(known_epoch, known_generation) then
    return;
  end if;
  update delivery_worker set flush_number = flush where worker_id = worker and flush_number < flush;
  if not found then
    if exists (select from delivery_worker where worker_id = worker) then
      raise exception 'flush % of this worker is recorded already', flush using errcode = 'P0E02';
    end if;
    return;
  end if;
  return query
    with wanted as (
      select asked.user_id, asked.message_id, asked.batch_index, asked.attempt, asked.intent_count, asked.redo::smallint[] as redo, asked.leave,
        asked.number
      from unnest(asked_users, asked_messages, asked_batches, asked_attempts, asked_intents, asked_redos, asked_leaves)
        with ordinality as asked (user_id, message_id, batch_index, attempt, intent_count, redo, leave, number)
    ), fenced as (
      -- leave: 0 stays, 1 done, 2 given back.
      update message_batch batch
      set intent_count = wanted.intent_count, redo = wanted.redo, is_dirty = false,
        state = case when wanted.leave = 0 then batch.state
          when wanted.leave = 1 then 3
          when batch.stop = 0 then 1
          when batch.stop = 1 then 0
          else 4 end,
        lease_owner = case when wanted.leave = 0 then batch.lease_owner end
      from wanted
      where batch.user_id = wanted.user_id and batch.message_id = wanted.message_id and batch.batch_index = wanted.batch_index
        and batch.state = 2 and batch.lease_owner = worker and batch.attempt = wanted.attempt
      returning wanted.number, batch.user_id, batch.message_id, batch.batch_index, batch.state, batch.stop
    ), recorded as (
      insert into delivery (user_id, message_id, position, phone_no, state, carrier_id, delivered_parts, submitted_at, updated_at, carrier_key, error_code)
      select fenced.user_id, fenced.message_id, fenced.batch_index * 500 + answer.place_in_batch, answer.phone_no,
        answer.state, nullif(answer.carrier_id, 0), coalesce(answer.delivered_parts, 0), now(), now(), answer.carrier_key, answer.error_code
      from unnest(answer_places, answer_offsets, answer_phones, answer_states, answer_carriers, answer_parts, answer_keys, answer_errors)
        as answer (number, place_in_batch, phone_no, state, carrier_id, delivered_parts, carrier_key, error_code)
      join fenced on fenced.number = answer.number + 1
    )
    select (fenced.number - 1)::integer, fenced.state, fenced.stop from fenced;
end $function$;

CREATE OR REPLACE FUNCTION public.record_delivered(known_epoch uuid, known_generation bigint, asked_users uuid[], asked_messages uuid[], asked_counts integer[], asked_positions integer[])
 RETURNS integer[]
 LANGUAGE plpgsql
AS $function$
declare
  moved_counts integer[] := '{}';
  moved_count integer;
  first integer := 1;
  nothing integer[] := array_fill(0, array[cardinality(asked_messages)]);
begin
  if not is_our_database(known_epoch, known_generation) then
    raise exception 'the database is not the one that the worker knows' using errcode = 'P0E01';
  end if;
  for number in 1 .. cardinality(asked_messages) loop
    update delivery set delivered_parts = 1, state = 2, error_code = null, updated_at = now()
    where user_id = asked_users[number] and message_id = asked_messages[number]
      and position = any (asked_positions[first : first + asked_counts[number] - 1]) and state = 1;
    get diagnostics moved_count = row_count;
    moved_counts := moved_counts || moved_count;
    first := first + asked_counts[number];
  end loop;
  perform move_message_counts(asked_users, asked_messages, nothing, (select array_agg(-one) from unnest(moved_counts) as one), moved_counts,
    nothing, nothing, nothing, nothing);
  return moved_counts;
end $function$;

create table commit_guard (
  guard_id smallint not null,
  constraint commit_guard_pkey PRIMARY KEY (guard_id)
);
comment on table commit_guard is 'directory: always empty; who deletes from it commits on all servers or on none';

CREATE OR REPLACE FUNCTION public.commit_as_one()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if pg_current_xact_id_if_assigned() is not null then
    delete from commit_guard where guard_id = 0;
  end if;
end
$function$;

create table customer_count (
  user_id uuid not null,
  messages bigint default 0 not null,
  counted_at timestamp with time zone default now() not null,
  constraint customer_count_pkey PRIMARY KEY (user_id)
) with (fillfactor=50);
CREATE INDEX customer_count_stalest ON public.customer_count USING btree (counted_at);
comment on table customer_count is 'tenant: how many messages of each customer stand in the history';

create table ledger_seal (
  user_id uuid not null,
  number bigint not null,
  balance_milli bigint not null,
  hash bytea not null,
  reread_number bigint not null,
  reread_hash bytea not null,
  constraint ledger_seal_pkey PRIMARY KEY (user_id),
  constraint ledger_seal_check CHECK (reread_number >= 0 AND reread_number <= number),
  constraint ledger_seal_number_check CHECK (number >= 0)
);
comment on table ledger_seal is 'tenant: up to which journal each customer''s ledger is sealed, and the hash of what is';

create table ledger_sealed_point (
  is_only boolean default true not null,
  sealed_at timestamp with time zone not null,
  reread_user_id uuid,
  mark bytea not null,
  constraint ledger_sealed_point_pkey PRIMARY KEY (is_only),
  constraint ledger_sealed_point_is_only_check CHECK (is_only)
);
comment on table ledger_sealed_point is 'directory: when the ledger was sealed, and a mark that proves who did it; one row';

create table message_template (
  user_id uuid not null,
  template_id uuid not null,
  name text not null,
  message text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint message_template_pkey PRIMARY KEY (user_id, template_id),
  constraint message_template_message_check CHECK (message <> ''::text),
  constraint message_template_name_check CHECK (name <> ''::text)
);
comment on table message_template is 'tenant: texts that customers keep to send again';

create table wrong_rows (
  user_id uuid not null,
  wrong_rows_id uuid not null,
  csv text not null,
  created_at timestamp with time zone not null,
  constraint wrong_rows_pkey PRIMARY KEY (user_id, wrong_rows_id)
);
CREATE INDEX wrong_rows_created ON public.wrong_rows USING btree (created_at);
comment on table wrong_rows is 'tenant: rows of uploaded files that could not be taken, for a day';

create table inbound_number (
  number_id uuid not null,
  number text not null,
  keyword text default ''::text not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  constraint inbound_number_pkey PRIMARY KEY (number_id),
  constraint inbound_number_is_taken UNIQUE (number, keyword),
  constraint inbound_number_is_digits CHECK (number ~ '^[0-9]{3,15}$'::text)
);
CREATE INDEX inbound_number_of_customer ON public.inbound_number USING btree (user_id);
comment on table inbound_number is 'directory: whose each number for messages from phones is';

create table inbox_message (
  user_id uuid not null,
  inbound_id uuid not null,
  from_address text not null,
  to_address text not null,
  body text not null,
  keyword text,
  message_id uuid,
  received_at timestamp with time zone not null,
  constraint inbox_message_pkey PRIMARY KEY (user_id, inbound_id)
);
CREATE INDEX inbox_message_of_person ON public.inbox_message USING btree (user_id, from_address, inbound_id);
comment on table inbox_message is 'tenant: messages from phones to each customer';

create table conversation (
  user_id uuid not null,
  from_address text not null,
  last_inbound_id uuid not null,
  message_count integer not null,
  constraint conversation_pkey PRIMARY KEY (user_id, from_address)
);
CREATE INDEX conversation_newest ON public.conversation USING btree (user_id, last_inbound_id);
comment on table conversation is 'tenant: who wrote to each customer, and when last';

create table inbox_reply (
  user_id uuid not null,
  message_id uuid not null,
  person_address text not null,
  inbound_id uuid not null,
  constraint inbox_reply_pkey PRIMARY KEY (user_id, message_id)
);
CREATE INDEX inbox_reply_to_person ON public.inbox_reply USING btree (user_id, person_address, message_id);
comment on table inbox_reply is 'tenant: messages that answer one person';

create table opt_out (
  user_id uuid not null,
  phone_no bigint not null,
  source text not null,
  created_at timestamp with time zone not null,
  message_id uuid,
  constraint opt_out_pkey PRIMARY KEY (user_id, phone_no),
  constraint opt_out_source_check CHECK (source = ANY (ARRAY['sms'::text, 'link'::text, 'page'::text, 'api'::text, 'import'::text]))
);
CREATE INDEX opt_out_newest ON public.opt_out USING btree (user_id, created_at, phone_no);
CREATE INDEX opt_out_of_message ON public.opt_out USING btree (user_id, message_id) WHERE (message_id IS NOT NULL);
comment on table opt_out is 'tenant: numbers that a customer never sends to';

create table opt_out_answer (
  user_id uuid not null,
  phone_no bigint not null,
  answered_at timestamp with time zone not null,
  constraint opt_out_answer_pkey PRIMARY KEY (user_id, phone_no)
);
comment on table opt_out_answer is 'tenant: who was answered when they opted out';

CREATE OR REPLACE FUNCTION public.move_message_counts(asked_users uuid[], asked_messages uuid[], waiting_moves integer[], sent_moves integer[], delivered_moves integer[], failed_moves integer[], dnd_moves integer[], unknown_moves integer[], cancelled_moves integer[], opted_out_moves integer[] DEFAULT '{}'::integer[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  with moved as materialized (
    select *
    from unnest(asked_users, asked_messages, waiting_moves, sent_moves, delivered_moves, failed_moves, dnd_moves, unknown_moves, cancelled_moves,
        opted_out_moves)
      as moved (user_id, message_id, waiting, sent, delivered, failed, dnd, unknown, cancelled, opted_out)
  ), locked as materialized (
    select user_id, message_id from message_count join moved using (user_id, message_id)
    order by user_id, message_id for no key update of message_count
  )
  update message_count own
  set waiting = own.waiting + moved.waiting, sent = own.sent + moved.sent, delivered = own.delivered + moved.delivered,
    failed = own.failed + moved.failed, dnd = own.dnd + moved.dnd, unknown = own.unknown + moved.unknown, cancelled = own.cancelled + moved.cancelled,
    opted_out = own.opted_out + coalesce(moved.opted_out, 0)
  from moved join locked using (user_id, message_id)
  where own.user_id = moved.user_id and own.message_id = moved.message_id;
end $function$;

CREATE OR REPLACE FUNCTION public.record_flush(worker uuid, flush bigint, known_epoch uuid, known_generation bigint, asked_users uuid[], asked_messages uuid[], asked_batches integer[], asked_attempts integer[], asked_intents smallint[], asked_redos text[], asked_leaves smallint[], answer_places integer[], answer_offsets integer[], answer_phones bigint[], answer_states smallint[], answer_carriers smallint[], answer_parts integer[], answer_keys text[], answer_errors text[], part_users uuid[], part_messages uuid[], part_positions integer[], part_indexes smallint[], part_counts smallint[], part_carriers smallint[], part_keys text[], count_users uuid[], count_messages uuid[], waiting_moves integer[], sent_moves integer[], delivered_moves integer[], failed_moves integer[], dnd_moves integer[], unknown_moves integer[], cancelled_moves integer[], opted_out_moves integer[], hold_users uuid[], hold_ids uuid[], hold_charges bigint[], hold_releases bigint[], hold_journals uuid[])
 RETURNS smallint[]
 LANGUAGE plpgsql
AS $function$
declare
  stops smallint[];
begin
  select array_agg(asked_stop order by place) into stops
  from record_answers(worker, flush, known_epoch, known_generation,
    asked_users, asked_messages, asked_batches, asked_attempts, asked_intents, asked_redos, asked_leaves,
    answer_places, answer_offsets, answer_phones, answer_states, answer_carriers, answer_parts, answer_keys, answer_errors);
  if coalesce(cardinality(stops), 0) <> cardinality(asked_batches) then
    raise exception 'some of the batches are not this worker''s any more' using errcode = 'P0E01';
  end if;
  if cardinality(part_keys) > 0 then
    insert into delivery_part (user_id, message_id, position, part_index, part_count, carrier_id, carrier_key, submitted_at)
    select part.*, now()
    from unnest(part_users, part_messages, part_positions, part_indexes, part_counts, part_carriers, part_keys) as part;
  end if;
  if cardinality(count_messages) > 0 then
    perform move_message_counts(count_users, count_messages, waiting_moves, sent_moves, delivered_moves, failed_moves, dnd_moves,
      unknown_moves, cancelled_moves, opted_out_moves);
  end if;
  if cardinality(hold_ids) > 0
    and move_holds(hold_users, hold_ids, hold_charges, hold_releases, hold_journals) <> cardinality(hold_ids) then
    raise exception 'some of the holds are unknown or have too little left' using errcode = 'P0E01';
  end if;
  return stops;
end $function$;

create table quiet_hours (
  quiet_hours_id uuid not null,
  code text not null,
  time_zone text not null,
  opens_at text not null,
  closes_at text not null,
  updated_at timestamp with time zone not null,
  constraint quiet_hours_pkey PRIMARY KEY (quiet_hours_id),
  constraint quiet_hours_code_key UNIQUE (code)
);
comment on table quiet_hours is 'directory: hours in which promotional messages leave, by country';

create table content_rule (
  rule_id uuid not null,
  pattern text not null,
  place text not null,
  countries text[] not null,
  networks text[] not null,
  action text not null,
  note text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  is_enabled boolean default true not null,
  constraint content_rule_pkey PRIMARY KEY (rule_id),
  constraint content_rule_action_check CHECK (action = ANY (ARRAY['refuse'::text, 'review'::text, 'warn'::text])),
  constraint content_rule_place_check CHECK (place = ANY (ARRAY['text'::text, 'link'::text, 'sender'::text]))
);
comment on table content_rule is 'directory: what may be sent, as administrators keep it';

create sequence link_block_number as bigint increment 1 minvalue 1 maxvalue 9223372036854775807 start 1 cache 1;

create table link_key (
  is_only boolean default true not null,
  key bytea not null,
  constraint link_key_pkey PRIMARY KEY (is_only),
  constraint link_key_is_only_check CHECK (is_only),
  constraint link_key_key_check CHECK (octet_length(key) = 16)
);
comment on table link_key is 'directory: what the codes of links are made with; without it no link of the past leads anywhere';

create table link_block (
  block_id bigint not null,
  user_id uuid not null,
  message_id uuid not null,
  batch_index integer not null,
  slot smallint not null,
  is_opt_out boolean not null,
  constraint link_block_pkey PRIMARY KEY (block_id)
);
comment on table link_block is 'directory: of which batch each block of links is';

create table link_click (
  user_id uuid not null,
  message_id uuid not null,
  "position" integer not null,
  clicks integer not null,
  constraint link_click_pkey PRIMARY KEY (user_id, message_id, "position"),
  constraint link_click_clicks_check CHECK (clicks > 0)
);
comment on table link_click is 'tenant: how often each recipient of a message followed its short links';

create table link_click_total (
  user_id uuid not null,
  message_id uuid not null,
  shard smallint not null,
  total integer default 0 not null,
  recipients integer default 0 not null,
  previews integer default 0 not null,
  constraint link_click_total_pkey PRIMARY KEY (user_id, message_id, shard)
);
comment on table link_click_total is 'tenant: how often the short links of a message were followed, and looked at by known bots';

create table result_count (
  user_id uuid not null,
  subject text not null,
  claimed_at timestamp with time zone not null,
  tally text,
  counted jsonb,
  constraint result_count_pkey PRIMARY KEY (user_id, subject),
  constraint result_count_check CHECK ((tally IS NULL) = (counted IS NULL))
);
comment on table result_count is 'tenant: deliveries by reason, network and hour, as they were counted last';

create table notification (
  user_id uuid not null,
  has_weekly_mail boolean not null,
  balance_below_milli bigint,
  is_below boolean default false not null,
  has_new_device_mail boolean default true not null,
  constraint notification_pkey PRIMARY KEY (user_id),
  constraint notification_balance_below_milli_check CHECK (balance_below_milli > 0)
);
CREATE INDEX notification_with_alert ON public.notification USING btree (user_id) WHERE (balance_below_milli IS NOT NULL);
comment on table notification is 'tenant: which mails a customer wants';

create table weekly_mail (
  user_id uuid not null,
  week date not null,
  constraint weekly_mail_pkey PRIMARY KEY (user_id, week)
);
comment on table weekly_mail is 'tenant: for which weeks customers were told what came of their messages';

create table test_report (
  carrier_key text not null,
  phone_no bigint not null,
  sender_name text not null,
  due_at timestamp with time zone not null,
  constraint test_report_pkey PRIMARY KEY (carrier_key)
);
CREATE INDEX test_report_due ON public.test_report USING btree (due_at);
comment on table test_report is 'directory: delivery reports that the carrier of tests owes';

create table program_call (
  user_id uuid not null,
  call_id uuid not null,
  key_id uuid not null,
  method text not null,
  path text not null,
  status smallint not null,
  code text,
  duration_ms integer not null,
  called_at timestamp with time zone not null,
  constraint program_call_pkey PRIMARY KEY (user_id, call_id)
);
CREATE INDEX program_call_by_time ON public.program_call USING brin (called_at) WITH (autosummarize='on');
CREATE INDEX program_call_of_key ON public.program_call USING btree (user_id, key_id, call_id);
CREATE INDEX program_call_refused ON public.program_call USING btree (user_id, call_id) WHERE (status >= 400);
comment on table program_call is 'tenant: calls of programs, for seven days';

create table program_usage (
  user_id uuid not null,
  key_id uuid not null,
  day date not null,
  calls bigint not null,
  errors bigint not null,
  constraint program_usage_pkey PRIMARY KEY (user_id, key_id, day)
);
comment on table program_usage is 'tenant: calls and errors of each key by day';

create table webhook_endpoint (
  user_id uuid not null,
  endpoint_id uuid not null,
  url text not null,
  events integer not null,
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamp with time zone,
  is_on boolean default true not null,
  off_reason text,
  failing_since timestamp with time zone,
  created_at timestamp with time zone not null,
  lease_owner uuid,
  lease_until timestamp with time zone,
  constraint webhook_endpoint_pkey PRIMARY KEY (user_id, endpoint_id),
  constraint webhook_endpoint_check CHECK ((old_secret IS NULL) = (old_secret_until IS NULL))
);
comment on table webhook_endpoint is 'tenant: addresses that events are posted to';

create table webhook_event (
  user_id uuid not null,
  event_id uuid not null,
  type text not null,
  body text not null,
  created_at timestamp with time zone default now() not null,
  constraint webhook_event_pkey PRIMARY KEY (user_id, event_id)
);
CREATE INDEX webhook_event_by_time ON public.webhook_event USING btree (created_at);
comment on table webhook_event is 'tenant: what happened, for programs';

create table webhook_delivery (
  user_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  state smallint default 0 not null,
  try_count integer default 0 not null,
  first_tried_at timestamp with time zone,
  next_try_at timestamp with time zone default now() not null,
  created_at timestamp with time zone default now() not null,
  constraint webhook_delivery_pkey PRIMARY KEY (user_id, endpoint_id, event_id),
  constraint webhook_delivery_state_check CHECK (state >= 0 AND state <= 2)
);
CREATE INDEX webhook_delivery_by_time ON public.webhook_delivery USING btree (user_id, endpoint_id, created_at);
CREATE INDEX webhook_delivery_waiting ON public.webhook_delivery USING btree (user_id, endpoint_id, next_try_at, event_id) WHERE (state = 0);
comment on table webhook_delivery is 'tenant: events on their way to endpoints';

create table webhook_attempt (
  user_id uuid not null,
  endpoint_id uuid not null,
  attempt_id uuid not null,
  event_id uuid not null,
  type text not null,
  attempted_at timestamp with time zone not null,
  status smallint not null,
  duration_ms integer not null,
  answer text not null,
  is_delivered boolean not null,
  constraint webhook_attempt_pkey PRIMARY KEY (user_id, endpoint_id, attempt_id)
);
CREATE INDEX webhook_attempt_by_time ON public.webhook_attempt USING btree (attempted_at);
CREATE INDEX webhook_attempt_failed ON public.webhook_attempt USING btree (user_id, endpoint_id, attempt_id) WHERE (NOT is_delivered);
comment on table webhook_attempt is 'tenant: tries to deliver events, and what was answered';

create sequence report_feed_order as bigint increment 1 minvalue 1 maxvalue 9223372036854775807 start 1 cache 1;

create table report_feed (
  user_id uuid not null,
  follower smallint not null,
  feed_id bigint default nextval('report_feed_order'::regclass) not null,
  message_id uuid not null,
  state smallint not null,
  positions integer[] not null,
  phone_nos bigint[] not null,
  error_codes text[],
  ends_batch boolean default false not null,
  happened_at timestamp with time zone default now() not null,
  read_count smallint default 0 not null,
  constraint report_feed_pkey PRIMARY KEY (user_id, follower, feed_id)
);
CREATE INDEX report_feed_unread ON public.report_feed USING btree (follower, feed_id);
comment on table report_feed is 'tenant: what became of recipients that a program follows';

CREATE OR REPLACE FUNCTION public.record_delivered(known_epoch uuid, known_generation bigint, asked_users uuid[], asked_messages uuid[], asked_counts integer[], asked_positions integer[], asked_followers smallint[])
 RETURNS integer[]
 LANGUAGE plpgsql
AS $function$
declare
  moved_counts integer[] := '{}';
  moved_count integer;
  first integer := 1;
  nothing integer[] := array_fill(0, array[cardinality(asked_messages)]);
begin
  if not is_our_database(known_epoch, known_generation) then
    raise exception 'the database is not the one that the worker knows' using errcode = 'P0E01';
  end if;
  for number in 1 .. cardinality(asked_messages) loop
    if asked_followers[number] = 0 then
      update delivery set delivered_parts = 1, state = 2, error_code = null, updated_at = now()
      where user_id = asked_users[number] and message_id = asked_messages[number]
        and position = any (asked_positions[first : first + asked_counts[number] - 1]) and state = 1;
      get diagnostics moved_count = row_count;
    else
      with moved as (
        update delivery set delivered_parts = 1, state = 2, error_code = null, updated_at = now()
        where user_id = asked_users[number] and message_id = asked_messages[number]
          and position = any (asked_positions[first : first + asked_counts[number] - 1]) and state = 1
        returning position, phone_no
      ), together as materialized (
        select count(*)::integer as moved_count, array_agg(position) as positions, array_agg(phone_no) as phone_nos from moved
      ), fed as (
        insert into report_feed (user_id, follower, message_id, state, positions, phone_nos)
        select asked_users[number], follower, asked_messages[number], 2, positions, phone_nos
        from together cross join unnest(array[1, 2, 4]::smallint[]) as follower
        where together.moved_count > 0 and asked_followers[number] & follower <> 0
      )
      select together.moved_count into moved_count from together;
    end if;
    moved_counts := moved_counts || moved_count;
    first := first + asked_counts[number];
  end loop;
  perform move_message_counts(asked_users, asked_messages, nothing, (select array_agg(-one) from unnest(moved_counts) as one), moved_counts,
    nothing, nothing, nothing, nothing);
  return moved_counts;
end $function$;

create table webhook_finish (
  user_id uuid not null,
  message_id uuid not null,
  due_at timestamp with time zone not null,
  constraint webhook_finish_pkey PRIMARY KEY (user_id, message_id)
);
CREATE INDEX webhook_finish_due ON public.webhook_finish USING btree (due_at);
comment on table webhook_finish is 'tenant: messages that programs will be told have finished';

create table verification (
  user_id uuid not null,
  verification_id uuid not null,
  mode text not null,
  phone_no bigint not null,
  message_id uuid not null,
  code_hash bytea not null,
  state text default 'pending'::text not null,
  tries_left smallint not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  constraint verification_pkey PRIMARY KEY (user_id, verification_id),
  constraint verification_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  constraint verification_state_check CHECK (state = ANY (ARRAY['pending'::text, 'verified'::text, 'ended'::text])),
  constraint verification_tries_left_check CHECK (tries_left >= 0)
);
CREATE INDEX verification_by_day ON public.verification USING btree (user_id, mode, created_at);
CREATE UNIQUE INDEX verification_message ON public.verification USING btree (user_id, message_id);
CREATE INDEX verification_neighbours ON public.verification USING btree (user_id, ((phone_no / 100)), created_at);
comment on table verification is 'tenant: codes that were sent to people, and whether they came back';

create table twilio_message (
  user_id uuid not null,
  message_id uuid not null,
  accepted_id uuid not null,
  key_id uuid not null,
  account_sid text not null,
  mode text not null,
  phone_no bigint not null,
  sender_name text not null,
  status_callback text,
  is_sent_told boolean default false not null,
  created_at timestamp with time zone not null,
  constraint twilio_message_pkey PRIMARY KEY (user_id, message_id),
  constraint twilio_message_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text]))
);
CREATE INDEX twilio_message_newest ON public.twilio_message USING btree (user_id, mode, accepted_id);
CREATE INDEX twilio_message_to ON public.twilio_message USING btree (user_id, mode, phone_no, accepted_id);
comment on table twilio_message is 'tenant: messages that came by Twilio''s API';

create table twilio_callback (
  user_id uuid not null,
  message_id uuid not null,
  callback_id bigint generated always as identity not null,
  status text not null,
  error_code integer,
  tries smallint default 0 not null,
  next_try_at timestamp with time zone not null,
  constraint twilio_callback_pkey PRIMARY KEY (user_id, message_id, callback_id),
  constraint twilio_callback_status_check CHECK (status = ANY (ARRAY['sent'::text, 'delivered'::text, 'undelivered'::text, 'failed'::text, 'canceled'::text]))
);
CREATE INDEX twilio_callback_due ON public.twilio_callback USING btree (next_try_at);
comment on table twilio_callback is 'tenant: states that a Twilio client is to be told';

create table smpp_host (
  host_id uuid not null,
  lock_key integer not null,
  seen_at timestamp with time zone default now() not null,
  constraint smpp_host_pkey PRIMARY KEY (host_id)
);
comment on table smpp_host is 'directory: processes that SMPP clients bind to';

create table smpp_bind (
  user_id uuid not null,
  bind_id uuid not null,
  key_id uuid not null,
  host_id uuid not null,
  role text not null,
  remote_address text not null,
  bound_at timestamp with time zone default now() not null,
  constraint smpp_bind_pkey PRIMARY KEY (user_id, bind_id),
  constraint smpp_bind_role_check CHECK (role = ANY (ARRAY['transmitter'::text, 'receiver'::text, 'transceiver'::text]))
);
CREATE INDEX smpp_bind_of_host ON public.smpp_bind USING btree (host_id);
CREATE INDEX smpp_bind_of_key ON public.smpp_bind USING btree (user_id, key_id);
comment on table smpp_bind is 'tenant: SMPP clients that are bound now';

create table smpp_pace (
  user_id uuid not null,
  key_id uuid not null,
  used_until timestamp with time zone not null,
  constraint smpp_pace_pkey PRIMARY KEY (user_id, key_id)
) with (fillfactor=50);
comment on table smpp_pace is 'tenant: the pace of SMPP keys';

create table smpp_submit (
  user_id uuid not null,
  submit_id uuid not null,
  key_id uuid not null,
  message_id uuid,
  set_id uuid,
  receipt smallint not null,
  source_ton smallint not null,
  source_npi smallint not null,
  source text not null,
  destination_ton smallint not null,
  destination_npi smallint not null,
  destination text not null,
  text_start text not null,
  submitted_at timestamp with time zone not null,
  forget_at timestamp with time zone not null,
  is_scheduled boolean default false not null,
  has_expired boolean default false not null,
  constraint smpp_submit_pkey PRIMARY KEY (user_id, submit_id)
);
CREATE INDEX smpp_submit_of_message ON public.smpp_submit USING btree (user_id, message_id) WHERE (set_id IS NOT NULL);
CREATE INDEX smpp_submit_of_set ON public.smpp_submit USING btree (user_id, set_id) WHERE (set_id IS NOT NULL);
CREATE INDEX smpp_submit_scheduled ON public.smpp_submit USING btree (user_id, destination) WHERE is_scheduled;
CREATE INDEX smpp_submit_to_forget ON public.smpp_submit USING brin (forget_at);
comment on table smpp_submit is 'tenant: messages and parts that were submitted by SMPP';

create table smpp_part_set (
  user_id uuid not null,
  set_id uuid not null,
  key_id uuid not null,
  addresses text not null,
  reference integer not null,
  part_count smallint not null,
  expires_at timestamp with time zone not null,
  constraint smpp_part_set_pkey PRIMARY KEY (user_id, set_id)
);
CREATE UNIQUE INDEX smpp_part_set_by_parts ON public.smpp_part_set USING btree (user_id, key_id, addresses, reference, part_count);
CREATE INDEX smpp_part_set_due ON public.smpp_part_set USING btree (expires_at);
comment on table smpp_part_set is 'tenant: long messages by SMPP whose parts have not all come';

create table smpp_part (
  user_id uuid not null,
  set_id uuid not null,
  part_number smallint not null,
  submit_id uuid not null,
  data_coding smallint not null,
  octets bytea not null,
  constraint smpp_part_pkey PRIMARY KEY (user_id, set_id, part_number)
);
comment on table smpp_part is 'tenant: parts of long messages by SMPP that have not all come';

create sequence smpp_delivery_order as bigint increment 1 minvalue 1 maxvalue 9223372036854775807 start 1 cache 1;

create table smpp_delivery (
  user_id uuid not null,
  delivery_id bigint default nextval('smpp_delivery_order'::regclass) not null,
  key_id uuid not null,
  submit_id uuid,
  state smallint,
  error_code text,
  from_address text,
  to_address text,
  body text,
  happened_at timestamp with time zone not null,
  lease_host uuid,
  due_at timestamp with time zone default now() not null,
  try_count integer default 0 not null,
  constraint smpp_delivery_pkey PRIMARY KEY (user_id, delivery_id),
  constraint smpp_delivery_check CHECK ((submit_id IS NULL) = (body IS NOT NULL) AND (submit_id IS NULL) = (state IS NULL))
);
CREATE INDEX smpp_delivery_leased ON public.smpp_delivery USING btree (lease_host) WHERE (lease_host IS NOT NULL);
CREATE INDEX smpp_delivery_of_key ON public.smpp_delivery USING btree (user_id, key_id, delivery_id);
comment on table smpp_delivery is 'tenant: receipts and messages on their way to SMPP clients';

create table kept_http_carrier (
  kept_carrier_id uuid not null,
  name text not null,
  facts jsonb not null,
  sealed_link bytea not null,
  report_secret_hash bytea,
  is_enabled boolean not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint kept_http_carrier_pkey PRIMARY KEY (kept_carrier_id),
  constraint kept_http_carrier_name_key UNIQUE (name),
  constraint kept_http_carrier_report_secret_key UNIQUE (report_secret_hash)
);
comment on table kept_http_carrier is 'directory: carriers over HTTP that administrators keep';

create table carrier_report (
  report_id bigint generated always as identity not null,
  carrier_id smallint not null,
  carrier_key text not null,
  state text not null,
  error_code text not null,
  phone_no bigint,
  sender_name text not null,
  due_at timestamp with time zone not null,
  constraint carrier_report_pkey PRIMARY KEY (report_id)
);
CREATE INDEX carrier_report_due ON public.carrier_report USING btree (due_at);
comment on table carrier_report is 'directory: reports of carriers over HTTP that no worker has recorded yet';

create table account_member (
  user_id uuid not null,
  member_id uuid not null,
  email text not null,
  role text not null,
  person_id uuid,
  is_home boolean default false not null,
  invited_by uuid not null,
  created_at timestamp with time zone not null,
  joined_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint account_member_pkey PRIMARY KEY (user_id, member_id),
  constraint account_member_check CHECK (person_id <> user_id),
  constraint account_member_check1 CHECK ((person_id IS NULL) = (joined_at IS NULL)),
  constraint account_member_check2 CHECK (person_id IS NOT NULL OR NOT is_home),
  constraint account_member_role_check CHECK (role = ANY (ARRAY['viewer'::text, 'sender'::text, 'approver'::text, 'owner'::text]))
);
CREATE UNIQUE INDEX account_member_home ON public.account_member USING btree (person_id) WHERE is_home;
CREATE UNIQUE INDEX account_member_invitation ON public.account_member USING btree (user_id, email) WHERE (person_id IS NULL);
CREATE INDEX account_member_invited ON public.account_member USING btree (email) WHERE (person_id IS NULL);
CREATE INDEX account_member_person ON public.account_member USING btree (person_id, user_id);
comment on table account_member is 'directory: people who act for a customer''s account, and mailboxes that are invited to';

create table unit_use (
  user_id uuid not null,
  day date not null,
  used_milli bigint default 0 not null,
  constraint unit_use_pkey PRIMARY KEY (user_id),
  constraint unit_use_used_milli_check CHECK (used_milli >= 0)
);
comment on table unit_use is 'tenant: units that an account with a cap has spent on a day';

create table customer_price (
  user_id uuid not null,
  customer_price_id uuid not null,
  code text not null,
  class text,
  rate_milli bigint,
  effective_at timestamp with time zone not null,
  admin_id uuid not null,
  created_at timestamp with time zone not null,
  constraint customer_price_pkey PRIMARY KEY (user_id, customer_price_id),
  constraint customer_price_class_check CHECK (class = ANY (ARRAY['promotional'::text, 'transactional'::text])),
  constraint customer_price_code_check CHECK (code ~ '^[1-9][0-9]{0,5}$'::text),
  constraint customer_price_rate_milli_check CHECK (rate_milli >= 1 AND rate_milli <= 1000000)
);
CREATE INDEX customer_price_by_code ON public.customer_price USING btree (user_id, code, effective_at DESC, customer_price_id DESC) INCLUDE (class, rate_milli);
comment on table customer_price is 'tenant: what a customer pays for a page in place of the list''s rate';

create table price_tier (
  units_per_month_milli bigint not null,
  discount_basis_points integer not null,
  constraint price_tier_pkey PRIMARY KEY (units_per_month_milli),
  constraint price_tier_discount_basis_points_check CHECK (discount_basis_points >= 1 AND discount_basis_points <= 9000),
  constraint price_tier_units_per_month_milli_check CHECK (units_per_month_milli >= 0)
);
comment on table price_tier is 'directory: discounts by the units that a customer uses in a month';

create table carrier_cost (
  carrier_name text not null,
  prefix text not null,
  effective_at timestamp with time zone not null,
  cost_milli bigint,
  admin_id uuid not null,
  constraint carrier_cost_pkey PRIMARY KEY (carrier_name, prefix, effective_at),
  constraint carrier_cost_cost_milli_check CHECK (cost_milli >= 0 AND cost_milli <= 1000000),
  constraint carrier_cost_prefix_check CHECK (prefix ~ '^[0-9]{0,15}$'::text)
);
comment on table carrier_cost is 'directory: what carriers bill us for a part, by the beginning of the number';

create table margin_hour (
  user_id uuid not null,
  hour timestamp with time zone not null,
  carrier_id smallint not null,
  code text not null,
  messages bigint not null,
  parts bigint not null,
  revenue_milli bigint not null,
  cost_milli bigint not null,
  uncosted bigint not null,
  constraint margin_hour_pkey PRIMARY KEY (user_id, hour, carrier_id, code)
);
CREATE INDEX margin_hour_of_all ON public.margin_hour USING btree (hour);
comment on table margin_hour is 'tenant: what carriers accepted of a customer in an hour, with what it brought and cost; added up by a job';

create table invoice_counter (
  year smallint not null,
  last_number integer not null,
  constraint invoice_counter_pkey PRIMARY KEY (year),
  constraint invoice_counter_last_number_check CHECK (last_number >= 1)
);
comment on table invoice_counter is 'directory: the last number of an invoice in each year';

create table invoice (
  user_id uuid not null,
  invoice_id uuid not null,
  year smallint not null,
  number integer not null,
  kind text not null,
  reference text not null,
  gross_kobo bigint not null,
  net_kobo bigint not null,
  vat_kobo bigint not null,
  vat_basis_points integer not null,
  units_milli bigint not null,
  is_sandbox boolean default false not null,
  seller_name text not null,
  seller_address text not null,
  buyer_name text not null,
  buyer_email text not null,
  issued_at timestamp with time zone not null,
  constraint invoice_pkey PRIMARY KEY (user_id, invoice_id),
  constraint invoice_user_id_kind_reference_key UNIQUE (user_id, kind, reference),
  constraint invoice_user_id_year_number_key UNIQUE (user_id, year, number),
  constraint invoice_check CHECK (vat_kobo >= 0 AND (net_kobo + vat_kobo) = gross_kobo),
  constraint invoice_gross_kobo_check CHECK (gross_kobo >= 0),
  constraint invoice_kind_check CHECK (kind = ANY (ARRAY['card'::text, 'deposit'::text, 'transfer'::text])),
  constraint invoice_vat_basis_points_check CHECK (vat_basis_points >= 0 AND vat_basis_points <= 10000)
);
comment on table invoice is 'tenant: invoices of payments, as they were issued';

create table account_access (
  user_id uuid not null,
  access_id uuid not null,
  admin_name text not null,
  reason text not null,
  began_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  constraint account_access_pkey PRIMARY KEY (user_id, access_id),
  constraint account_access_reason_check CHECK (reason <> ''::text)
);
comment on table account_access is 'tenant: when administrators looked at the account, and why';

create table alarm (
  alarm_id uuid not null,
  kind text not null,
  subject text not null,
  detail text not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  told_at timestamp with time zone,
  silenced_until timestamp with time zone,
  constraint alarm_pkey PRIMARY KEY (alarm_id),
  constraint alarm_check CHECK (closed_at IS NULL OR closed_at >= opened_at)
);
CREATE INDEX alarm_by_subject ON public.alarm USING btree (kind, subject, alarm_id DESC);
CREATE UNIQUE INDEX alarm_is_open_once ON public.alarm USING btree (kind, subject) WHERE (closed_at IS NULL);
comment on table alarm is 'directory: what an operator must know, and when it was over';

create table backup_state (
  is_only boolean default true not null,
  watched_since timestamp with time zone not null,
  made_at timestamp with time zone,
  constraint backup_state_pkey PRIMARY KEY (is_only),
  constraint backup_state_is_only_check CHECK (is_only)
);
comment on table backup_state is 'directory: when the last back-up was made';

create table privacy_request (
  request_id uuid not null,
  kind text not null,
  user_id uuid,
  asked_by uuid not null,
  phone_no bigint,
  state text default 'waiting'::text not null,
  step text default ''::text not null,
  after_id uuid,
  file_id uuid,
  byte_count bigint,
  created_at timestamp with time zone not null,
  done_at timestamp with time zone,
  constraint privacy_request_pkey PRIMARY KEY (request_id),
  constraint privacy_request_check CHECK ((kind = 'export'::text) = (user_id IS NOT NULL)),
  constraint privacy_request_check1 CHECK (kind = 'export'::text OR (state = 'waiting'::text) = (phone_no IS NOT NULL)),
  constraint privacy_request_kind_check CHECK (kind = ANY (ARRAY['export'::text, 'erase-number'::text])),
  constraint privacy_request_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text]))
);
CREATE INDEX privacy_request_newest ON public.privacy_request USING btree (user_id, created_at) WHERE (kind = 'export'::text);
CREATE UNIQUE INDEX privacy_request_one_export ON public.privacy_request USING btree (user_id) WHERE ((kind = 'export'::text) AND (state = 'waiting'::text));
CREATE UNIQUE INDEX privacy_request_one_number ON public.privacy_request USING btree (phone_no) WHERE ((kind = 'erase-number'::text) AND (state = 'waiting'::text));
comment on table privacy_request is 'directory: exports of a customer''s data and numbers that are erased, while they are made and after';

create table export_download (
  request_id uuid not null,
  session_id uuid not null,
  downloaded_at timestamp with time zone not null,
  constraint export_download_pkey PRIMARY KEY (request_id, session_id)
);
comment on table export_download is 'directory: sessions in which an export was loaded';

create table retention_point (
  kind text not null,
  message_id uuid not null,
  constraint retention_point_pkey PRIMARY KEY (kind),
  constraint retention_point_kind_check CHECK (kind = ANY (ARRAY['texts'::text, 'numbers'::text]))
);
comment on table retention_point is 'directory: up to which message what was kept long enough is removed';

create table passkey (
  kind text not null,
  actor_id uuid not null,
  passkey_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  is_backed_up boolean not null,
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkey_pkey PRIMARY KEY (kind, actor_id, passkey_id),
  constraint passkey_credential_id_key UNIQUE (credential_id),
  constraint passkey_kind_check CHECK (kind = ANY (ARRAY['user'::text, 'admin'::text])),
  constraint passkey_name_check CHECK (name <> ''::text)
);
comment on table passkey is 'directory: passkeys of customers and administrators; removing one deletes its row';

create table passkey_challenge (
  challenge bytea not null,
  session_id uuid,
  expires_at timestamp with time zone not null,
  constraint passkey_challenge_pkey PRIMARY KEY (challenge)
);
CREATE INDEX passkey_challenge_expires ON public.passkey_challenge USING btree (expires_at);
comment on table passkey_challenge is 'directory: challenges of the last minutes that no device has answered';

create table delivery_figure (
  name text not null,
  carrier text not null,
  class text not null,
  kind text not null,
  counts bigint[] not null,
  written_at timestamp with time zone not null,
  constraint delivery_figure_pkey PRIMARY KEY (name, carrier, class, kind)
);
comment on table delivery_figure is 'directory: what was counted of messages and carriers, for /metrics';

create table auto_top_up (
  user_id uuid not null,
  sealed_authorization bytea not null,
  card_email text not null,
  card_brand text not null,
  card_last4 text not null,
  card_expires text not null,
  is_sandbox boolean not null,
  is_on boolean default false not null,
  below_milli bigint,
  units bigint,
  per_day_max integer,
  is_below boolean default false not null,
  reference text,
  declined_count integer default 0 not null,
  not_before timestamp with time zone,
  switched_off_at timestamp with time zone,
  constraint auto_top_up_pkey PRIMARY KEY (user_id),
  constraint auto_top_up_below_milli_check CHECK (below_milli > 0),
  constraint auto_top_up_knows_what_to_buy CHECK (NOT is_on OR below_milli IS NOT NULL AND units IS NOT NULL AND per_day_max IS NOT NULL),
  constraint auto_top_up_per_day_max_check CHECK (per_day_max >= 1),
  constraint auto_top_up_units_check CHECK (units >= 1)
);
CREATE INDEX auto_top_up_on ON public.auto_top_up USING btree (user_id) WHERE is_on;
comment on table auto_top_up is 'tenant: the kept card of a customer, and when it is charged by itself';

create table virtual_account (
  user_id uuid not null,
  is_sandbox boolean not null,
  account_number text collate "C",
  account_name text,
  bank text,
  opening_at timestamp with time zone not null,
  constraint virtual_account_pkey PRIMARY KEY (user_id, is_sandbox),
  constraint virtual_account_is_whole CHECK ((account_number IS NULL) = (account_name IS NULL) AND (account_number IS NULL) = (bank IS NULL))
);
CREATE INDEX virtual_account_by_number ON public.virtual_account USING btree (account_number) WHERE (account_number IS NOT NULL);
comment on table virtual_account is 'tenant: account numbers that customers transfer money to';

create table account_transfer (
  user_id uuid not null,
  reference text collate "C" not null,
  amount_kobo bigint not null,
  fee_kobo bigint not null,
  is_sandbox boolean not null,
  provider_id text,
  credited_at timestamp with time zone not null,
  constraint account_transfer_pkey PRIMARY KEY (user_id, reference),
  constraint account_transfer_amount_kobo_check CHECK (amount_kobo >= 1),
  constraint account_transfer_check CHECK (fee_kobo >= 0 AND fee_kobo < amount_kobo),
  constraint account_transfer_reference_check CHECK (length(reference) >= 1 AND length(reference) <= 100)
);
comment on table account_transfer is 'tenant: transfers to account numbers of customers, as they were credited';

create table sandbox_account (
  account_number text not null,
  customer_code text not null,
  email text not null,
  constraint sandbox_account_pkey PRIMARY KEY (account_number),
  constraint sandbox_account_customer_key UNIQUE (customer_code)
);
comment on table sandbox_account is 'directory: account numbers at the built-in card sandbox';

create table credit_note_counter (
  year smallint not null,
  last_number integer not null,
  constraint credit_note_counter_pkey PRIMARY KEY (year),
  constraint credit_note_counter_last_number_check CHECK (last_number >= 1)
);
comment on table credit_note_counter is 'directory: the last number of a credit note in each year';

create table credit_note (
  user_id uuid not null,
  credit_note_id uuid not null,
  year smallint not null,
  number integer not null,
  invoice_id uuid not null,
  claim_id uuid not null,
  gross_kobo bigint not null,
  net_kobo bigint not null,
  vat_kobo bigint not null,
  issued_at timestamp with time zone not null,
  constraint credit_note_pkey PRIMARY KEY (user_id, credit_note_id),
  constraint credit_note_user_id_claim_id_key UNIQUE (user_id, claim_id),
  constraint credit_note_user_id_year_number_key UNIQUE (user_id, year, number),
  constraint credit_note_check CHECK (vat_kobo >= 0 AND (net_kobo + vat_kobo) = gross_kobo),
  constraint credit_note_gross_kobo_check CHECK (gross_kobo >= 1)
);
CREATE INDEX credit_note_of_invoice ON public.credit_note USING btree (user_id, invoice_id);
comment on table credit_note is 'tenant: corrections of invoices, as they were issued';

create view ledger_movement as
 SELECT hold.user_id,
    hold.hold_id AS movement_id,
    hold.created_at,
        CASE
            WHEN hold.freeze_reference IS NULL THEN 'message'::text
            ELSE 'freeze'::text
        END AS cause,
    COALESCE(hold.freeze_reference, hold.send_id::text, hold.hold_id::text) AS reference,
    hold.released_milli - hold.amount_milli AS amount_milli,
    NOT hold.is_open AS is_final
   FROM hold
UNION ALL
 SELECT hold.user_id,
    hold.refund_id AS movement_id,
    hold.refunded_at AS created_at,
    'refund'::text AS cause,
    COALESCE(hold.send_id, hold.hold_id)::text AS reference,
    hold.refunded_milli AS amount_milli,
    hold.refunded_milli = hold.captured_milli AND NOT hold.is_open AS is_final
   FROM hold
  WHERE hold.refunded_at IS NOT NULL
UNION ALL
 SELECT j.user_id,
    j.journal_id AS movement_id,
    j.created_at,
        CASE j.kind
            WHEN 'card_payment'::text THEN 'payment'::text
            WHEN 'bank_deposit'::text THEN 'deposit'::text
            WHEN 'manual_credit'::text THEN 'credit'::text
            ELSE j.kind
        END AS cause,
    COALESCE(reversed.reference, j.reference) AS reference,
    e.amount_milli,
    true AS is_final
   FROM journal j
     JOIN journal_entry e ON e.user_id = j.user_id AND e.number = j.number AND e.account = 'customer'::text
     LEFT JOIN journal reversed ON reversed.user_id = j.user_id AND reversed.number = j.reverses_number
  WHERE j.hold_id IS NULL;

create view payment_ledger_invariants as
 SELECT 'each card payment is credited exactly when it is paid'::text AS name,
    count(*) AS violations
   FROM card_payment p
     LEFT JOIN journal j ON j.user_id = p.user_id AND j.kind = 'card_payment'::text AND j.reference = p.reference
     LEFT JOIN journal_entry e ON e.user_id = j.user_id AND e.number = j.number AND e.account = 'customer'::text
  WHERE COALESCE(e.amount_milli, 0::bigint) <>
        CASE
            WHEN p.paid_at IS NULL THEN 0::bigint
            ELSE p.units * 1000
        END
UNION ALL
 SELECT 'no top-up is taken back beyond its amount'::text AS name,
    count(*) AS violations
   FROM ( SELECT j.user_id,
            j.reverses_number,
            sum(e_1.amount_milli) AS taken_milli
           FROM journal j
             JOIN journal_entry e_1 ON e_1.user_id = j.user_id AND e_1.number = j.number AND e_1.account = 'customer'::text
          WHERE j.reverses_number IS NOT NULL
          GROUP BY j.user_id, j.reverses_number) t
     JOIN journal_entry e ON e.user_id = t.user_id AND e.number = t.reverses_number AND e.account = 'customer'::text
  WHERE (e.amount_milli::numeric + t.taken_milli) < 0::numeric
UNION ALL
 SELECT 'each open refund and dispute has its units set aside'::text AS name,
    count(*) AS violations
   FROM card_payment_claim c
     LEFT JOIN hold h ON h.user_id = c.user_id AND h.hold_id = c.hold_id
  WHERE c.frozen_milli <> COALESCE(h.open_milli, 0::bigint)
UNION ALL
 SELECT 'each transfer left one account and reached another'::text AS name,
    count(*) AS violations
   FROM ( SELECT j.reference
           FROM journal j
             JOIN journal_entry e ON e.user_id = j.user_id AND e.number = j.number AND e.account = 'customer'::text
          WHERE j.kind = 'transfer'::text
          GROUP BY j.reference
         HAVING count(*) <> 2 OR sum(e.amount_milli) <> 0::numeric) lost
UNION ALL
 SELECT 'each transfer to an account number is credited less its fee'::text AS name,
    count(*) AS violations
   FROM account_transfer t
     LEFT JOIN journal j ON j.user_id = t.user_id AND j.kind = 'bank_deposit'::text AND j.reference = t.reference
     LEFT JOIN journal_entry e ON e.user_id = j.user_id AND e.number = j.number AND e.account = 'customer'::text
  WHERE COALESCE(e.amount_milli, 0::bigint) <> ((t.amount_kobo - t.fee_kobo) * 10);

create view delivery_ledger_invariants as
 WITH unsettled AS (
         SELECT delivery_unknown.user_id,
            delivery_unknown.message_id,
            count(*) AS recipients
           FROM delivery_unknown
          GROUP BY delivery_unknown.user_id, delivery_unknown.message_id
        ), open_pages AS (
         SELECT batch.user_id,
            batch.message_id,
            sum(own.pages) AS pages
           FROM message_batch batch
             CROSS JOIN LATERAL unnest(batch.page_counts) WITH ORDINALITY own(pages, number)
             LEFT JOIN delivery d ON d.user_id = batch.user_id AND d.message_id = batch.message_id AND d."position" = (batch.batch_index * 500 + own.number - 1)
             LEFT JOIN delivery_unknown u ON u.user_id = batch.user_id AND u.message_id = batch.message_id AND u."position" = (batch.batch_index * 500 + own.number - 1)
          WHERE u."position" IS NOT NULL OR batch.state < 3 AND d."position" IS NULL AND ((own.number - 1)::smallint <> ALL (batch.skipped))
          GROUP BY batch.user_id, batch.message_id
        )
 SELECT 'each message counts every recipient once'::text AS name,
    count(*) AS violations
   FROM message
     JOIN message_count USING (user_id, message_id)
  WHERE (message_count.waiting + message_count.sent + message_count.delivered + message_count.failed + message_count.dnd + message_count.unknown + message_count.cancelled + message_count.opted_out) <> message.recipient_count
UNION ALL
 SELECT 'each hold keeps open what waiting and unsettled recipients cost'::text AS name,
    count(*) AS violations
   FROM message
     JOIN message_count USING (user_id, message_id)
     JOIN hold USING (user_id, hold_id)
     LEFT JOIN unsettled USING (user_id, message_id)
  WHERE NOT message.is_merged AND hold.open_milli <> (message.price_milli * (message_count.waiting + COALESCE(unsettled.recipients, 0::bigint)))
UNION ALL
 SELECT 'each hold keeps open what the recipients of a merged message that wait or are unsettled cost'::text AS name,
    count(*) AS violations
   FROM message
     JOIN hold USING (user_id, hold_id)
     LEFT JOIN open_pages USING (user_id, message_id)
  WHERE message.is_merged AND hold.open_milli <> (message.price_milli / message.page_count * COALESCE(open_pages.pages, 0::bigint))
UNION ALL
 SELECT payment_ledger_invariants.name,
    payment_ledger_invariants.violations
   FROM payment_ledger_invariants;

create view ledger_invariants as
 WITH posted AS MATERIALIZED (
         SELECT journal_entry.user_id,
            journal_entry.number,
            sum(journal_entry.amount_milli) AS total_milli,
            count(*) AS entry_count,
            COALESCE(sum(journal_entry.amount_milli) FILTER (WHERE journal_entry.account = 'customer'::text), 0::numeric) AS customer_milli
           FROM journal_entry
          GROUP BY journal_entry.user_id, journal_entry.number
        ), customer AS MATERIALIZED (
         SELECT posted.user_id,
            sum(posted.customer_milli) AS balance_milli,
            count(*) AS journal_count
           FROM posted
          GROUP BY posted.user_id
        ), chain AS (
         SELECT j.number,
            j.balance_after_milli,
            p.customer_milli,
            lag(j.number, 1, 0::bigint) OVER account AS earlier_number,
            lag(j.balance_after_milli, 1, 0::bigint) OVER account AS earlier_balance_milli
           FROM journal j
             LEFT JOIN posted p USING (user_id, number)
          WINDOW account AS (PARTITION BY j.user_id ORDER BY j.number)
        ), settled AS (
         SELECT j.user_id,
            j.hold_id,
            COALESCE(- sum(p.customer_milli) FILTER (WHERE j.kind = 'charge'::text), 0::numeric) AS captured_milli,
            COALESCE(sum(p.customer_milli) FILTER (WHERE j.kind = 'refund'::text), 0::numeric) AS refunded_milli,
            count(*) FILTER (WHERE j.kind = 'charge'::text) AS charge_count
           FROM journal j
             JOIN posted p USING (user_id, number)
          WHERE j.hold_id IS NOT NULL
          GROUP BY j.user_id, j.hold_id
        )
 SELECT 'all entries sum to zero'::text AS name,
    (COALESCE(sum(posted.total_milli), 0::numeric) <> 0::numeric)::integer::bigint AS violations
   FROM posted
UNION ALL
 SELECT 'each journal balances and has two entries or more'::text AS name,
    count(*) AS violations
   FROM journal j
     LEFT JOIN posted p USING (user_id, number)
  WHERE COALESCE(p.entry_count, 0::bigint) < 2 OR p.total_milli <> 0::numeric
UNION ALL
 SELECT 'each balance is the sum of its entries'::text AS name,
    count(*) AS violations
   FROM ledger_account a
     LEFT JOIN customer c USING (user_id)
  WHERE a.balance_milli::numeric <> COALESCE(c.balance_milli, 0::numeric) OR a.journal_count <> COALESCE(c.journal_count, 0::bigint)
UNION ALL
 SELECT 'journals are numbered without gaps and carry their balance'::text AS name,
    count(*) AS violations
   FROM chain
  WHERE chain.number <> (chain.earlier_number + 1) OR chain.balance_after_milli::numeric IS DISTINCT FROM (chain.earlier_balance_milli::numeric + chain.customer_milli)
UNION ALL
 SELECT 'held units are the open holds'::text AS name,
    count(*) AS violations
   FROM ledger_account a
     LEFT JOIN ( SELECT hold.user_id,
            sum(hold.open_milli) AS open_milli
           FROM hold
          WHERE hold.is_open
          GROUP BY hold.user_id) h USING (user_id)
  WHERE a.held_milli::numeric <> COALESCE(h.open_milli, 0::numeric)
UNION ALL
 SELECT 'no customer is negative'::text AS name,
    count(*) AS violations
   FROM ledger_account
  WHERE ledger_account.balance_milli < 0 OR ledger_account.held_milli < 0 OR ledger_account.balance_milli < ledger_account.held_milli
UNION ALL
 SELECT 'each hold is captured, released and open, as its journals say'::text AS name,
    count(*) AS violations
   FROM hold h
     LEFT JOIN settled s USING (user_id, hold_id)
  WHERE h.amount_milli <> (h.captured_milli + h.released_milli + h.open_milli) OR LEAST(h.captured_milli, h.released_milli, h.open_milli) < 0 OR h.captured_milli::numeric <> COALESCE(s.captured_milli, 0::numeric) OR h.refunded_milli::numeric <> COALESCE(s.refunded_milli, 0::numeric) OR h.charge_count <> COALESCE(s.charge_count, 0::bigint)
UNION ALL
 SELECT 'each statement ends at the free units'::text AS name,
    count(*) AS violations
   FROM ledger_account a
     LEFT JOIN ( SELECT ledger_movement.user_id,
            sum(ledger_movement.amount_milli) AS free_milli
           FROM ledger_movement
          GROUP BY ledger_movement.user_id) m USING (user_id)
  WHERE (a.balance_milli - a.held_milli)::numeric <> COALESCE(m.free_milli, 0::numeric)
UNION ALL
 SELECT 'each payment and deposit reached one customer'::text AS name,
    count(*) AS violations
   FROM ( SELECT journal.kind,
            journal.reference
           FROM journal
          WHERE journal.kind = ANY (ARRAY['card_payment'::text, 'bank_deposit'::text])
          GROUP BY journal.kind, journal.reference
         HAVING count(*) > 1) twice
UNION ALL
 SELECT delivery_ledger_invariants.name,
    delivery_ledger_invariants.violations
   FROM delivery_ledger_invariants;

alter table account_access add constraint account_access_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table account_member add constraint account_member_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES app_user(user_id);
alter table account_member add constraint account_member_person_id_fkey FOREIGN KEY (person_id) REFERENCES app_user(user_id);
alter table account_member add constraint account_member_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table account_transfer add constraint account_transfer_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table admin_invitation add constraint admin_invitation_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES admin(admin_id);
alter table admin_otp add constraint admin_otp_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES admin(admin_id);
alter table announcement add constraint announcement_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES admin(admin_id);
alter table api_key add constraint api_key_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table app_user add constraint app_user_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES app_user(user_id);
alter table approval add constraint approval_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES admin(admin_id);
alter table approval add constraint approval_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES admin(admin_id);
alter table approved_address add constraint approved_address_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table audit_entry add constraint audit_entry_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES admin(admin_id);
alter table audit_link add constraint audit_link_audit_id_fkey FOREIGN KEY (audit_id) REFERENCES audit_entry(audit_id);
alter table auto_top_up add constraint auto_top_up_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table card_payment add constraint card_payment_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table card_payment_claim add constraint card_payment_claim_user_id_reference_fkey FOREIGN KEY (user_id, reference) REFERENCES card_payment(user_id, reference);
alter table carrier_bind add constraint carrier_bind_carrier_id_fkey FOREIGN KEY (carrier_id) REFERENCES carrier(carrier_id) ON DELETE CASCADE;
alter table carrier_bind add constraint carrier_bind_worker_id_fkey FOREIGN KEY (worker_id) REFERENCES delivery_worker(worker_id) ON DELETE CASCADE;
alter table carrier_health add constraint carrier_health_carrier_id_fkey FOREIGN KEY (carrier_id) REFERENCES carrier(carrier_id) ON DELETE CASCADE;
alter table carrier_health add constraint carrier_health_worker_id_fkey FOREIGN KEY (worker_id) REFERENCES delivery_worker(worker_id) ON DELETE CASCADE;
alter table catalog add constraint catalog_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table contact_sheet add constraint contact_sheet_user_id_catalog_id_fkey FOREIGN KEY (user_id, catalog_id) REFERENCES catalog(user_id, catalog_id) ON DELETE CASCADE;
alter table credit_note add constraint credit_note_user_id_invoice_id_fkey FOREIGN KEY (user_id, invoice_id) REFERENCES invoice(user_id, invoice_id);
alter table customer_day add constraint customer_day_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table customer_price add constraint customer_price_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table daily_cap add constraint daily_cap_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table deposit add constraint deposit_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES admin(admin_id);
alter table deposit add constraint deposit_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES admin(admin_id);
alter table deposit add constraint deposit_receipt_is_the_customers FOREIGN KEY (user_id, file_id) REFERENCES stored_file(user_id, file_id);
alter table deposit add constraint deposit_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table draft add constraint draft_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table export_download add constraint export_download_request_id_fkey FOREIGN KEY (request_id) REFERENCES privacy_request(request_id) ON DELETE CASCADE;
alter table hold add constraint hold_user_id_fkey FOREIGN KEY (user_id) REFERENCES ledger_account(user_id);
alter table inbound_message add constraint inbound_message_carrier_id_fkey FOREIGN KEY (carrier_id) REFERENCES carrier(carrier_id);
alter table inbound_number add constraint inbound_number_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table inbound_part add constraint inbound_part_carrier_id_fkey FOREIGN KEY (carrier_id) REFERENCES carrier(carrier_id);
alter table inbox_message add constraint inbox_message_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table invoice add constraint invoice_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table journal add constraint journal_user_id_fkey FOREIGN KEY (user_id) REFERENCES ledger_account(user_id);
alter table journal add constraint journal_user_id_hold_id_fkey FOREIGN KEY (user_id, hold_id) REFERENCES hold(user_id, hold_id);
alter table journal add constraint journal_user_id_reverses_number_fkey FOREIGN KEY (user_id, reverses_number) REFERENCES journal(user_id, number);
alter table journal_entry add constraint journal_entry_user_id_number_fkey FOREIGN KEY (user_id, number) REFERENCES journal(user_id, number);
alter table ledger_account add constraint ledger_account_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table ledger_seal add constraint ledger_seal_user_id_fkey FOREIGN KEY (user_id) REFERENCES ledger_account(user_id);
alter table message add constraint message_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table message_template add constraint message_template_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table notification add constraint notification_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table opt_out add constraint opt_out_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table privacy_request add constraint privacy_request_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table program_call add constraint program_call_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table program_usage add constraint program_usage_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table rate_edit add constraint rate_edit_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES admin(admin_id);
alter table recovery_code add constraint recovery_code_kind_actor_id_fkey FOREIGN KEY (kind, actor_id) REFERENCES second_factor(kind, actor_id) ON DELETE CASCADE;
alter table sender_name add constraint sender_name_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table smpp_part add constraint smpp_part_user_id_set_id_fkey FOREIGN KEY (user_id, set_id) REFERENCES smpp_part_set(user_id, set_id) ON DELETE CASCADE;
alter table stored_file add constraint stored_file_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table twilio_message add constraint twilio_message_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table unit_use add constraint unit_use_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table verification add constraint verification_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table virtual_account add constraint virtual_account_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table webhook_endpoint add constraint webhook_endpoint_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table whitelist_request add constraint whitelist_request_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
alter table wrong_rows add constraint wrong_rows_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(user_id);
CREATE TRIGGER audit_entry_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE CONSTRAINT TRIGGER audit_entry_is_linked AFTER INSERT ON audit_entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION link_new_audit_entry();
CREATE TRIGGER audit_link_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_link FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_link_change();
CREATE TRIGGER draft_delete_is_tallied AFTER DELETE ON draft REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_drafts();
CREATE TRIGGER draft_insert_is_tallied AFTER INSERT ON draft REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_drafts();
CREATE TRIGGER hold_is_kept BEFORE DELETE OR TRUNCATE ON hold FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
alter table hold enable always trigger hold_is_kept;
CREATE TRIGGER hold_keeps_its_terms BEFORE UPDATE OF user_id, hold_id, amount_milli, created_at, freeze_reference, send_id ON hold FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
alter table hold enable always trigger hold_keeps_its_terms;
CREATE TRIGGER hold_only_grows BEFORE UPDATE ON hold FOR EACH ROW WHEN (new.captured_milli < old.captured_milli OR new.released_milli < old.released_milli OR new.refunded_milli < old.refunded_milli) EXECUTE FUNCTION refuse_ledger_change();
alter table hold enable always trigger hold_only_grows;
CREATE TRIGGER journal_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON journal FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
alter table journal enable always trigger journal_is_append_only;
CREATE TRIGGER journal_entries_balance AFTER INSERT ON journal_entry REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION refuse_unbalanced_entries();
alter table journal_entry enable always trigger journal_entries_balance;
CREATE TRIGGER journal_entry_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON journal_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
alter table journal_entry enable always trigger journal_entry_is_append_only;
CREATE TRIGGER ledger_account_is_kept BEFORE DELETE OR TRUNCATE ON ledger_account FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
alter table ledger_account enable always trigger ledger_account_is_kept;
CREATE TRIGGER ledger_seal_is_kept BEFORE DELETE OR TRUNCATE ON ledger_seal FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
alter table ledger_seal enable always trigger ledger_seal_is_kept;
CREATE TRIGGER ledger_sealed_point_is_kept BEFORE DELETE OR TRUNCATE ON ledger_sealed_point FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
alter table ledger_sealed_point enable always trigger ledger_sealed_point_is_kept;
CREATE TRIGGER message_insert_is_tallied AFTER INSERT ON message REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_messages();
CREATE TRIGGER message_update_is_tallied AFTER UPDATE ON message REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tally_messages();