-- Who people are and how they prove it, and what all processes share: mail, counters, secrets, heartbeats.
--
-- These are directory tables: an e-mail address must be unique among all customers, so none of them can be split by
-- customer. On a distributed PostgreSQL they are reference tables, to which the tenant tables' foreign keys may point.

create table app_user (
  user_id uuid primary key,
  user_name text not null,
  full_name text not null,
  email text not null constraint app_user_email_key unique,
  -- Without the prefix 234 and without leading zeros.
  phone_no text not null,
  password_hash text not null,
  verified_at timestamptz,
  -- A flag of its own: verifying the mailbox again never unblocks.
  blocked_at timestamptz,
  is_approved boolean not null default false,
  -- When true, sends from the dashboard need an approved address as well.
  is_address_restricted boolean not null default false,
  created_at timestamptz not null,
  constraint app_user_email_is_normal check (email = lower(trim(email)) and email <> '')
);
comment on table app_user is 'directory: customers';

create table session (
  session_id uuid primary key,
  kind text not null check (kind in ('user', 'admin')),
  -- A customer's or an administrator's id, as the kind says.
  actor_id uuid not null,
  created_at timestamptz not null,
  -- Moved by a person's actions only, and at most once a minute.
  last_active_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table session is 'directory: live sessions; ending one deletes its row';

create index session_actor on session (actor_id, kind);
create index session_expires on session (expires_at);

create table one_time_token (
  -- SHA-256 of the 256 random bits that the link carries; the link itself is never stored.
  token_hash bytea primary key,
  purpose text not null check (purpose in ('verify-user', 'reset-password', 'admin-otp', 'verify-admin')),
  actor_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
comment on table one_time_token is 'directory: links in mails';

create index one_time_token_actor on one_time_token (actor_id, purpose);
create index one_time_token_expires on one_time_token (expires_at);

create table mail (
  mail_id uuid primary key,
  recipient text not null,
  reply_to text,
  subject text not null,
  -- Cleared once the mail is sent or given up: they carry live links.
  text_body text,
  html_body text,
  created_at timestamptz not null,
  attempts integer not null default 0,
  sent_at timestamptz,
  given_up_at timestamptz,
  constraint mail_ends_once check (sent_at is null or given_up_at is null),
  constraint mail_headers_are_lines check (recipient !~ '[\r\n]' and subject !~ '[\r\n]' and coalesce(reply_to, '') !~ '[\r\n]'),
  constraint mail_has_bodies check ((text_body is null) = (html_body is null) and (text_body is not null or coalesce(sent_at, given_up_at) is not null))
);
comment on table mail is 'directory: mails to send';

create index mail_unsent on mail (created_at) where sent_at is null and given_up_at is null;
create index mail_created on mail (created_at);

-- Counters outlive no crash on purpose: writing them ahead would double the cost of every guarded call.
create unlogged table rate_limit (
  -- SHA-256 of the rule's name and what it counts by: addresses and e-mails do not lie around here.
  key_hash bytea primary key,
  hits integer not null,
  resets_at timestamptz not null
);
comment on table rate_limit is 'directory: counters of guarded calls';

create index rate_limit_resets on rate_limit (resets_at);

create table app_secret (
  name text primary key,
  value bytea not null,
  created_at timestamptz not null
);
comment on table app_secret is 'directory: keys that all processes share';

create table process_heartbeat (
  process_id uuid primary key,
  roles text[] not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);
comment on table process_heartbeat is 'directory: processes that are alive';
