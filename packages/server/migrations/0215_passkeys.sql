-- Passkeys (WebAuthn): keys in people's devices that open their account without password and code.

create table passkey (
  kind text not null check (kind in ('user', 'admin')),
  -- A customer's or an administrator's id, as the kind says.
  actor_id uuid not null,
  passkey_id uuid not null,
  -- How the device names it; nobody else's is the same.
  credential_id bytea not null unique,
  -- In COSE, as the device gave it.
  public_key bytea not null,
  -- How often it signed, where the device counts; a lower number later means that there is a copy.
  sign_count bigint not null,
  transports text[] not null,
  is_backed_up boolean not null,
  name text not null check (name <> ''),
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (kind, actor_id, passkey_id)
);
comment on table passkey is 'directory: passkeys of customers and administrators; removing one deletes its row';

-- What a device was asked to sign. Whoever takes one deletes it.
create table passkey_challenge (
  challenge bytea primary key,
  -- The session that adds a passkey; null for a sign-in, which anybody may begin.
  session_id uuid,
  expires_at timestamptz not null
);
create index passkey_challenge_expires on passkey_challenge (expires_at);
comment on table passkey_challenge is 'directory: challenges of the last minutes that no device has answered';
