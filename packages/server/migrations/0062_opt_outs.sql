-- Who wants no more messages from a customer.
create table opt_out (
  user_id uuid not null references app_user (user_id),
  phone_no bigint not null,
  source text not null check (source in ('sms', 'link', 'page', 'api', 'import')),
  created_at timestamptz not null,
  primary key (user_id, phone_no)
);
comment on table opt_out is 'tenant: numbers that a customer never sends to';
create index opt_out_newest on opt_out (user_id, created_at, phone_no);

-- Who was told that they get no more. A word that takes the number off the list takes this away as well.
create table opt_out_answer (
  user_id uuid not null,
  phone_no bigint not null,
  answered_at timestamptz not null,
  primary key (user_id, phone_no)
);
comment on table opt_out_answer is 'tenant: who was answered when they opted out';

-- False for the one answer to an opt-out: it goes to somebody who has just opted out.
alter table message add column honours_opt_outs boolean not null default true;
-- Those of `skipped` that were skipped because they opted out.
alter table message_batch add column opted_out_offsets smallint[] not null default '{}';
alter table message_count add column opted_out integer not null default 0 check (opted_out >= 0);
-- 6: opted out after the message was accepted, and was left out when its turn came.
alter table delivery drop constraint delivery_state_check;
alter table delivery add constraint delivery_state_check check (state between 1 and 6) not valid;

-- The functions of a flush, as 0051_one_round_trip.sql has them, with who was left out when their turn came. `record_delivered`, which moves nobody
-- there, calls the first as before.
drop function move_message_counts(uuid[], uuid[], integer[], integer[], integer[], integer[], integer[], integer[], integer[]);
create function move_message_counts(
  asked_users uuid[], asked_messages uuid[],
  waiting_moves integer[], sent_moves integer[], delivered_moves integer[], failed_moves integer[], dnd_moves integer[], unknown_moves integer[],
  cancelled_moves integer[], opted_out_moves integer[] default '{}'
) returns void language plpgsql as $$
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
end $$;

drop function record_flush(uuid, bigint, uuid, bigint, uuid[], uuid[], integer[], integer[], smallint[], text[], smallint[], integer[], integer[], bigint[], smallint[], smallint[],
  integer[], text[], text[], uuid[], uuid[], integer[], smallint[], smallint[], smallint[], text[], uuid[], uuid[], integer[], integer[], integer[], integer[], integer[], integer[], integer[],
  uuid[], uuid[], bigint[], bigint[], uuid[]);
-- A whole flush of answers, when all of its batches are still the worker's: else it is refused as a whole (P0E01), and written in steps that
-- look at what each has brought. Returns what the customers ask of the batches, in the order of the batches.
create function record_flush(
  worker uuid, flush bigint, known_epoch uuid, known_generation bigint,
  asked_users uuid[], asked_messages uuid[], asked_batches integer[], asked_attempts integer[], asked_intents smallint[], asked_redos text[],
  asked_leaves smallint[],
  answer_places integer[], answer_offsets integer[], answer_phones bigint[], answer_states smallint[], answer_carriers smallint[],
  answer_parts integer[], answer_keys text[], answer_errors text[],
  part_users uuid[], part_messages uuid[], part_positions integer[], part_indexes smallint[], part_counts smallint[], part_carriers smallint[],
  part_keys text[],
  count_users uuid[], count_messages uuid[],
  waiting_moves integer[], sent_moves integer[], delivered_moves integer[], failed_moves integer[], dnd_moves integer[], unknown_moves integer[],
  cancelled_moves integer[], opted_out_moves integer[],
  hold_users uuid[], hold_ids uuid[], hold_charges bigint[], hold_releases bigint[], hold_journals uuid[]
) returns smallint[] language plpgsql as $$
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
end $$;

-- As 0058_merged_messages.sql has it, with who opted out among the recipients.
create or replace view delivery_ledger_invariants (name, violations) as
with unsettled as (
  select user_id, message_id, count(*) as recipients from delivery_unknown group by user_id, message_id
), open_pages as (
  select batch.user_id, batch.message_id, sum(own.pages) as pages
  from message_batch batch
  cross join lateral unnest(batch.page_counts) with ordinality as own (pages, number)
  left join delivery d on d.user_id = batch.user_id and d.message_id = batch.message_id
    and d.position = batch.batch_index * 500 + own.number - 1
  left join delivery_unknown u on u.user_id = batch.user_id and u.message_id = batch.message_id
    and u.position = batch.batch_index * 500 + own.number - 1
  where u.position is not null
    or batch.state < 3 and d.position is null and (own.number - 1)::smallint <> all (batch.skipped)
  group by batch.user_id, batch.message_id
)
select 'each message counts every recipient once', count(*)
from message join message_count using (user_id, message_id)
where waiting + sent + delivered + failed + dnd + unknown + cancelled + opted_out <> recipient_count
union all
select 'each hold keeps open what waiting and unsettled recipients cost', count(*)
from message join message_count using (user_id, message_id) join hold using (user_id, hold_id)
  left join unsettled using (user_id, message_id)
where not is_merged and hold.open_milli <> price_milli * (waiting + coalesce(unsettled.recipients, 0))
union all
select 'each hold keeps open what the recipients of a merged message that wait or are unsettled cost', count(*)
from message join hold using (user_id, hold_id) left join open_pages using (user_id, message_id)
where is_merged and hold.open_milli <> price_milli / page_count * coalesce(open_pages.pages, 0)
union all
select name, violations from payment_ledger_invariants;
