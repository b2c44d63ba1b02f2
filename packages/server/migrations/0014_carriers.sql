-- Carriers that administrators keep, beside those of the configuration. Workers read them every second. The row of `carrier`
-- with the same name is what messages and binds refer to; it stays when this one is removed.
create table kept_carrier (
  kept_carrier_id uuid primary key,
  name text not null constraint kept_carrier_name_key unique,
  host text not null,
  port integer not null check (port between 1 and 65535),
  system_id text not null,
  -- Encrypted with a key that is not in this database.
  sealed_password bytea not null,
  system_type text not null,
  has_tls boolean not null,
  bind_count smallint not null check (bind_count between 1 and 16),
  window_size integer not null check (window_size between 1 and 10000),
  messages_per_second double precision not null check (messages_per_second > 0),
  prefixes text[] not null,
  weight double precision not null check (weight >= 0),
  priority smallint not null,
  receipt_ids text not null check (receipt_ids in ('asIs', 'hexToDec', 'decToHex')),
  long_messages text not null check (long_messages in ('udh8', 'udh16', 'sar', 'payload')),
  dnd_error_codes text[] not null,
  is_enabled boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table kept_carrier is 'directory: SMPP carriers that administrators keep';

-- What each worker sees of each carrier. Unlogged: after a crash the workers say it again within a second.
create unlogged table carrier_health (
  carrier_id smallint not null references carrier (carrier_id) on delete cascade,
  worker_id uuid not null references delivery_worker (worker_id) on delete cascade,
  bound_count smallint not null,
  held_count smallint not null,
  -- Since when bound_count is above zero, or zero.
  changed_at timestamptz not null,
  last_error text,
  last_error_at timestamptz,
  messages_per_second double precision not null,
  in_flight integer not null,
  -- Of the last 15 minutes.
  good_count bigint not null,
  bad_count bigint not null,
  primary key (carrier_id, worker_id)
);
comment on table carrier_health is 'directory: how each worker sees each carrier';

comment on table carrier is 'directory: carriers; how they are reached stands in the configuration or in kept_carrier';
