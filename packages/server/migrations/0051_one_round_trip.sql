-- A flush in one round trip. As seven statements it was a chain in which the server waited for the turn of a busy worker after each, with
-- its rows locked; as one function it is one statement, which is its own transaction. Customers' rows that lie on other servers of a cluster are
-- written customer by customer instead, by the statements in flush-store.ts.
--
-- Numbers of states are those of features/delivery/states.ts.

-- Charges and releases units of holds, each hold once: a charge writes a journal, a release adds to the free units. The accounts are locked
-- first, and only then is it seen what other transactions did to them. Returns how many holds had enough left; if that is not all of them,
-- the caller must roll back.
create function move_holds(asked_users uuid[], asked_holds uuid[], asked_charges bigint[], asked_releases bigint[], asked_journals uuid[])
returns integer language plpgsql as $$
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
end $$;

-- Moves the counts of any number of messages, in the order of their ids: two workers that report about the same messages wait for each other
-- and never deadlock.
create function move_message_counts(
  asked_users uuid[], asked_messages uuid[],
  waiting_moves integer[], sent_moves integer[], delivered_moves integer[], failed_moves integer[], dnd_moves integer[], unknown_moves integer[],
  cancelled_moves integer[]
) returns void language plpgsql as $$
begin
  with moved as materialized (
    select *
    from unnest(asked_users, asked_messages, waiting_moves, sent_moves, delivered_moves, failed_moves, dnd_moves, unknown_moves, cancelled_moves)
      as moved (user_id, message_id, waiting, sent, delivered, failed, dnd, unknown, cancelled)
  ), locked as materialized (
    select user_id, message_id from message_count join moved using (user_id, message_id)
    order by user_id, message_id for no key update of message_count
  )
  update message_count own
  set waiting = own.waiting + moved.waiting, sent = own.sent + moved.sent, delivered = own.delivered + moved.delivered,
    failed = own.failed + moved.failed, dnd = own.dnd + moved.dnd, unknown = own.unknown + moved.unknown, cancelled = own.cancelled + moved.cancelled
  from moved join locked using (user_id, message_id)
  where own.user_id = moved.user_id and own.message_id = moved.message_id;
end $$;

-- Whether the database is the one that a worker knows: same epoch, not older, no other server promoted in its place.
create function is_our_database(known_epoch uuid, known_generation bigint) returns boolean language sql stable as $$
  select exists (
    select 1 from send_epoch
    where is_current and epoch_id = known_epoch and generation >= known_generation and timeline = left(pg_walfile_name(pg_current_wal_lsn()), 8))
$$;

-- Intents and answers of batches that a worker still holds, and the flush's number; the other batches are not touched and not returned. Nothing
-- at all when the database is another one than the worker knows. A flush that is there already is refused (P0E02): the request of one whose
-- connection was lost may arrive late.
create function record_answers(
  worker uuid, flush bigint, known_epoch uuid, known_generation bigint,
  asked_users uuid[], asked_messages uuid[], asked_batches integer[], asked_attempts integer[], asked_intents smallint[], asked_redos text[],
  asked_leaves smallint[],
  answer_places integer[], answer_offsets integer[], answer_phones bigint[], answer_states smallint[], answer_carriers smallint[],
  answer_parts integer[], answer_keys text[], answer_errors text[]
) returns table (place integer, left_state smallint, asked_stop smallint) language plpgsql as $$
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
end $$;

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
  cancelled_moves integer[],
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
      unknown_moves, cancelled_moves);
  end if;
  if cardinality(hold_ids) > 0
    and move_holds(hold_users, hold_ids, hold_charges, hold_releases, hold_journals) <> cardinality(hold_ids) then
    raise exception 'some of the holds are unknown or have too little left' using errcode = 'P0E01';
  end if;
  return stops;
end $$;

-- Moves sent recipients of some messages on to delivered: short ones, of one part. Each message's positions are one piece of `asked_positions`;
-- one scan of the index for each piece. Those that are final already stay as they are. Returns how many of each message were moved.
create function record_delivered(
  known_epoch uuid, known_generation bigint, asked_users uuid[], asked_messages uuid[], asked_counts integer[], asked_positions integer[]
) returns integer[] language plpgsql as $$
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
end $$;
