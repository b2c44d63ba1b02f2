-- Devices from which somebody has signed in: a stranger's guesses do not slow them, and a new one is told to the owner by mail.

create table known_device (
  kind text not null check (kind in ('user', 'admin')),
  -- A customer's or an administrator's id, as the kind says.
  actor_id uuid not null,
  -- SHA-256 of the random mark in the browser's cookie; or of network and program, for those that keep no cookies.
  mark_hash bytea not null,
  last_seen_at timestamptz not null,
  primary key (kind, actor_id, mark_hash)
);
comment on table known_device is 'directory: devices that customers and administrators signed in from; the newest fifty of each';
