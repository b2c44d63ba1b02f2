-- Whoever shares an account: a person who signs in with an e-mail of their own, or a mailbox that is invited and has not registered yet.
create table account_member (
  user_id uuid not null references app_user (user_id),
  member_id uuid not null,
  email text not null,
  role text not null check (role in ('viewer', 'sender', 'approver', 'owner')),
  -- Null while the mailbox is only invited.
  person_id uuid references app_user (user_id),
  -- Came by the invitation: their sessions are for this account, not for one of their own.
  is_home boolean not null default false,
  invited_by uuid not null references app_user (user_id),
  created_at timestamptz not null,
  joined_at timestamptz,
  -- An invitation is over then.
  expires_at timestamptz not null,
  primary key (user_id, member_id),
  unique (user_id, email),
  check (person_id <> user_id),
  check ((person_id is null) = (joined_at is null)),
  check (person_id is not null or not is_home)
);
create index account_member_person on account_member (person_id, user_id);
create unique index account_member_home on account_member (person_id) where is_home;
create index account_member_invited on account_member (email) where person_id is null;
comment on table account_member is 'directory: people who act for a customer''s account, and mailboxes that are invited to';

-- Whose account the session is for, when it is not the person's own.
alter table session add column account_id uuid;
create index session_account on session (account_id) where account_id is not null;
