-- What programs are told: the kinds of events that any endpoint of a customer asks for, one bit each (outbox/event-types.ts). It stands here because
-- every send reads this row: who has no endpoint pays for none.
alter table app_user add column followed_events integer not null default 0;

-- An address of a customer's program that events are posted to.
create table webhook_endpoint (
  user_id uuid not null references app_user (user_id),
  endpoint_id uuid not null,
  url text not null,
  -- A bit for each kind, see outbox/event-types.ts.
  events integer not null,
  -- Sealed, see secrets/seal-secret.ts.
  secret bytea not null,
  -- The one before, which signs as well until then.
  old_secret bytea,
  old_secret_until timestamptz,
  is_on boolean not null default true,
  -- Why it was switched off by itself.
  off_reason text,
  -- Since when nothing has arrived there; null when the last delivery did.
  failing_since timestamptz,
  created_at timestamptz not null,
  -- One worker at a time delivers to it.
  lease_owner uuid,
  lease_until timestamptz,
  primary key (user_id, endpoint_id),
  check ((old_secret is null) = (old_secret_until is null))
);
comment on table webhook_endpoint is 'tenant: addresses that events are posted to';

-- What happened, as it is posted; written in the transaction in which it happened.
create table webhook_event (
  user_id uuid not null,
  event_id uuid not null,
  type text not null,
  body text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, event_id)
);
comment on table webhook_event is 'tenant: what happened, for programs';
create index webhook_event_by_time on webhook_event (created_at);

-- An event on its way to one endpoint. state: 0 waits, 1 delivered, 2 given up.
create table webhook_delivery (
  user_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  state smallint not null default 0 check (state between 0 and 2),
  try_count integer not null default 0,
  first_tried_at timestamptz,
  next_try_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (user_id, endpoint_id, event_id)
);
comment on table webhook_delivery is 'tenant: events on their way to endpoints';
-- The next ones of an endpoint, and whether it has any.
create index webhook_delivery_waiting on webhook_delivery (user_id, endpoint_id, next_try_at, event_id) where state = 0;
create index webhook_delivery_by_time on webhook_delivery (user_id, endpoint_id, created_at);

-- One try, and what the endpoint answered.
create table webhook_attempt (
  user_id uuid not null,
  endpoint_id uuid not null,
  attempt_id uuid not null,
  event_id uuid not null,
  type text not null,
  attempted_at timestamptz not null,
  -- 0 without an answer.
  status smallint not null,
  duration_ms integer not null,
  answer text not null,
  is_delivered boolean not null,
  primary key (user_id, endpoint_id, attempt_id)
);
comment on table webhook_attempt is 'tenant: tries to deliver events, and what was answered';
create index webhook_attempt_failed on webhook_attempt (user_id, endpoint_id, attempt_id) where not is_delivered;
create index webhook_attempt_by_time on webhook_attempt (attempted_at);

-- Who is told what becomes of a message's recipients, one bit each (delivery/feed/report-feed.ts); 0 for most.
alter table message add column followers smallint not null default 0;

-- What became of recipients of messages that somebody follows, until each follower has read it.
create sequence report_feed_order;
create table report_feed (
  user_id uuid not null,
  -- One bit: who is to read it.
  follower smallint not null,
  feed_id bigint not null default nextval('report_feed_order'),
  message_id uuid not null,
  -- As in `delivery`, and 7 for those who got nothing because the message ended.
  state smallint not null,
  positions integer[] not null,
  phone_nos bigint[] not null,
  -- Null where no recipient has any.
  error_codes text[],
  -- A batch ended with it: the message may have, too.
  ends_batch boolean not null default false,
  happened_at timestamptz not null default now(),
  -- How many of the recipients were read already.
  read_count smallint not null default 0,
  primary key (user_id, follower, feed_id)
);
comment on table report_feed is 'tenant: what became of recipients that a program follows';
create index report_feed_unread on report_feed (follower, feed_id);

-- As `record_delivered` of 0051_one_round_trip.sql, for messages of which some are followed: those are told who it was.
create function record_delivered(
  known_epoch uuid, known_generation bigint, asked_users uuid[], asked_messages uuid[], asked_counts integer[], asked_positions integer[],
  asked_followers smallint[]
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
end $$;
