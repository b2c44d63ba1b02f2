-- How a message came in: dashboard, program, smpp, repeat; null for those from before.
alter table message add column origin text;

-- A process that customers' SMPP clients bind to; it holds a lock for as long as it lives.
create table smpp_host (
  host_id uuid primary key,
  lock_key integer not null,
  seen_at timestamptz not null default now()
);
comment on table smpp_host is 'directory: processes that SMPP clients bind to';

-- A bind of a customer's client, at one of the hosts.
create table smpp_bind (
  user_id uuid not null,
  bind_id uuid not null,
  key_id uuid not null,
  host_id uuid not null,
  role text not null check (role in ('transmitter', 'receiver', 'transceiver')),
  remote_address text not null,
  bound_at timestamptz not null default now(),
  primary key (user_id, bind_id)
);
comment on table smpp_bind is 'tenant: SMPP clients that are bound now';
create index smpp_bind_of_key on smpp_bind (user_id, key_id);
create index smpp_bind_of_host on smpp_bind (host_id);

-- When a key's allowance is used up to: each submit moves it on by 1 / its pace, and it is never further ahead than a second.
create table smpp_pace (
  user_id uuid not null,
  key_id uuid not null,
  used_until timestamptz not null,
  primary key (user_id, key_id)
) with (fillfactor = 50);
comment on table smpp_pace is 'tenant: the pace of SMPP keys';

-- A submit_sm that was accepted, by the id in its answer.
create table smpp_submit (
  user_id uuid not null,
  -- The message's own id, but for parts of long messages.
  submit_id uuid not null,
  key_id uuid not null,
  -- Null for a part of a message that is not complete.
  message_id uuid,
  -- The long message that it is a part of.
  set_id uuid,
  -- What it asked for: 0 no receipt, 1 any final one, 2 failures, 3 successes.
  receipt smallint not null,
  -- Addresses as they were written: type of number, numbering plan, address.
  source_ton smallint not null,
  source_npi smallint not null,
  source text not null,
  destination_ton smallint not null,
  destination_npi smallint not null,
  destination text not null,
  -- The beginning of the text, for the receipt.
  text_start text not null,
  submitted_at timestamptz not null,
  forget_at timestamptz not null,
  is_scheduled boolean not null default false,
  has_expired boolean not null default false,
  primary key (user_id, submit_id)
);
comment on table smpp_submit is 'tenant: messages and parts that were submitted by SMPP';
-- What a cancel_sm without an id may mean.
create index smpp_submit_scheduled on smpp_submit (user_id, destination) where is_scheduled;
create index smpp_submit_to_forget on smpp_submit using brin (forget_at);
create index smpp_submit_of_message on smpp_submit (user_id, message_id) where set_id is not null;
create index smpp_submit_of_set on smpp_submit (user_id, set_id) where set_id is not null;

-- A long message whose parts arrive. Open sets are found by what their parts have in common.
create table smpp_part_set (
  user_id uuid not null,
  set_id uuid not null,
  key_id uuid not null,
  addresses text not null,
  reference integer not null,
  part_count smallint not null,
  expires_at timestamptz not null,
  primary key (user_id, set_id)
);
comment on table smpp_part_set is 'tenant: long messages by SMPP whose parts have not all come';
create unique index smpp_part_set_by_parts on smpp_part_set (user_id, key_id, addresses, reference, part_count);
create index smpp_part_set_due on smpp_part_set (expires_at);

create table smpp_part (
  user_id uuid not null,
  set_id uuid not null,
  part_number smallint not null,
  submit_id uuid not null,
  data_coding smallint not null,
  octets bytea not null,
  primary key (user_id, set_id, part_number),
  foreign key (user_id, set_id) references smpp_part_set (user_id, set_id) on delete cascade
);
comment on table smpp_part is 'tenant: parts of long messages by SMPP that have not all come';

-- A deliver_sm until its client has acknowledged it: a receipt, or a message from a phone.
create sequence smpp_delivery_order;
create table smpp_delivery (
  user_id uuid not null,
  delivery_id bigint not null default nextval('smpp_delivery_order'),
  key_id uuid not null,
  -- Of a receipt: the submit, its final state as SMPP numbers it, and the reason.
  submit_id uuid,
  state smallint,
  error_code text,
  -- Of a message from a phone.
  from_address text,
  to_address text,
  body text,
  happened_at timestamptz not null,
  -- Which host has given it to a bind, and until when nobody else does.
  lease_host uuid,
  due_at timestamptz not null default now(),
  try_count integer not null default 0,
  primary key (user_id, delivery_id),
  check ((submit_id is null) = (body is not null) and (submit_id is null) = (state is null))
);
comment on table smpp_delivery is 'tenant: receipts and messages on their way to SMPP clients';
create index smpp_delivery_of_key on smpp_delivery (user_id, key_id, delivery_id);
create index smpp_delivery_leased on smpp_delivery (lease_host) where lease_host is not null;
