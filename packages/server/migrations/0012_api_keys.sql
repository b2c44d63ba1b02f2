-- Keys of customers' programs. A directory table: a key is looked up by its hash before anybody knows whose it is.

create table api_key (
  key_id uuid primary key,
  user_id uuid not null references app_user (user_id),
  name text not null,
  -- SHA-256 of the key, which has 256 random bits; the key itself is shown once and never stored.
  key_hash bytea not null constraint api_key_hash_key unique,
  created_at timestamptz not null,
  last_used_at timestamptz
);
comment on table api_key is 'directory: keys of customers'' programs; revoking one deletes its row';

create index api_key_user on api_key (user_id, key_id desc);
