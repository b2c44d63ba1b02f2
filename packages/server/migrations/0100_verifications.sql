-- Codes that customers' programs send to people and check. A code is only kept as a keyed hash.
create table verification (
  user_id uuid not null references app_user (user_id),
  verification_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  phone_no bigint not null,
  message_id uuid not null,
  code_hash bytea not null,
  -- ended: a newer code to the same number has taken its place.
  state text not null default 'pending' check (state in ('pending', 'verified', 'ended')),
  tries_left smallint not null check (tries_left >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  primary key (user_id, verification_id)
);
comment on table verification is 'tenant: codes that were sent to people, and whether they came back';
create unique index verification_message on verification (user_id, message_id);
-- Numbers that differ in the last two digits alone stand together here, and each number's codes among them.
create index verification_neighbours on verification (user_id, (phone_no / 100), created_at);
create index verification_by_day on verification (user_id, mode, created_at);

-- What the phone gets, where `body` shows bullets: sealed with the installation's key, and gone once the message's validity is over.
alter table message add column sealed_body bytea;
create index message_sealed on message (user_id, message_id) where sealed_body is not null;
