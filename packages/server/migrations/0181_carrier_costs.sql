-- What a carrier bills us for one SMS part to numbers that begin with a prefix, from a time on. A null cost ends it.
create table carrier_cost (
  -- Carriers of the configuration have no id; all have a name of their own.
  carrier_name text not null,
  -- Empty: every number.
  prefix text not null check (prefix ~ '^[0-9]{0,15}$'),
  effective_at timestamptz not null,
  cost_milli bigint check (cost_milli between 0 and 1000000),
  admin_id uuid not null,
  primary key (carrier_name, prefix, effective_at)
);
comment on table carrier_cost is 'directory: what carriers bill us for a part, by the beginning of the number';

create table margin_hour (
  user_id uuid not null,
  hour timestamptz not null,
  carrier_id smallint not null,
  code text not null,
  messages bigint not null,
  parts bigint not null,
  revenue_milli bigint not null,
  cost_milli bigint not null,
  -- Of the messages, those that no cost was known for.
  uncosted bigint not null,
  primary key (user_id, hour, carrier_id, code)
);
create index margin_hour_of_all on margin_hour (hour);
comment on table margin_hour is 'tenant: what carriers accepted of a customer in an hour, with what it brought and cost; added up by a job';
