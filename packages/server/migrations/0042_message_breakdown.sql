-- What a message's page draws: deliveries over time, by network, and reasons of failure. Counted from the deliveries now and then while
-- somebody looks, never on every look: for 1,000,000 recipients it takes a second. What was counted outlives the deliveries, which
-- are removed after some months.
create table message_breakdown (
  user_id uuid not null,
  message_id uuid not null,
  -- Who counts writes this first, so that two never count at once.
  claimed_at timestamptz not null,
  counted_at timestamptz,
  breakdown jsonb,
  primary key (user_id, message_id),
  check ((counted_at is null) = (breakdown is null))
);
comment on table message_breakdown is 'tenant: a message''s deliveries by time, network and reason, as they were counted last';
