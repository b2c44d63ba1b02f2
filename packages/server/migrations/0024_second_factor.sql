-- Second factors: codes of an authenticator app, for customers and administrators, and the codes that stand in when the phone is lost.

create table second_factor (
  kind text not null check (kind in ('user', 'admin')),
  -- A customer's or an administrator's id, as the kind says.
  actor_id uuid not null,
  -- Encrypted with the key of SECRETS_KEY for this person.
  sealed_secret bytea not null,
  created_at timestamptz not null,
  -- Null until the person has shown a code of it; until then it asks nobody for anything.
  confirmed_at timestamptz,
  -- Steps of 30 s whose code was taken, those of the last minutes: a code that somebody saw opens nothing.
  used_steps bigint[] not null default '{}',
  primary key (kind, actor_id)
);
comment on table second_factor is 'directory: second factors of customers and administrators; turning one off deletes its row';

create table recovery_code (
  kind text not null,
  actor_id uuid not null,
  -- SHA-256 of the person's id and the code, which has 80 random bits; the code itself is shown once and never stored.
  code_hash bytea not null,
  used_at timestamptz,
  primary key (kind, actor_id, code_hash),
  foreign key (kind, actor_id) references second_factor on delete cascade
);
comment on table recovery_code is 'directory: what opens an account once when the phone is lost';

-- When the second factor was last shown in this session; null when it was not.
alter table session add column factor_at timestamptz;
