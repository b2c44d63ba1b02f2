-- An account that its owner has closed. It is blocked, too, which is what every way in asks for; an administrator who unblocks it within 30 days
-- opens it again. When its erasure begins, nothing leads back.
alter table app_user
  add column closed_at timestamptz,
  add column erasing_at timestamptz,
  add column erased_at timestamptz;
create index app_user_closed on app_user (closed_at) where closed_at is not null and erased_at is null;

-- What was asked for about people's data, and how far it is. A number is kept here only until it is erased everywhere.
create table privacy_request (
  request_id uuid primary key,
  kind text not null check (kind in ('export', 'erase-number')),
  user_id uuid references app_user (user_id),
  asked_by uuid not null,
  phone_no bigint,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  step text not null default '',
  after_id uuid,
  file_id uuid,
  byte_count bigint,
  created_at timestamptz not null,
  done_at timestamptz,
  check ((kind = 'export') = (user_id is not null)),
  check (kind = 'export' or (state = 'waiting') = (phone_no is not null))
);
create unique index privacy_request_one_export on privacy_request (user_id) where kind = 'export' and state = 'waiting';
create unique index privacy_request_one_number on privacy_request (phone_no) where kind = 'erase-number' and state = 'waiting';
create index privacy_request_newest on privacy_request (user_id, created_at) where kind = 'export';
comment on table privacy_request is 'directory: exports of a customer''s data and numbers that are erased, while they are made and after';

-- In which sessions an export was loaded: once in each.
create table export_download (
  request_id uuid not null references privacy_request (request_id) on delete cascade,
  session_id uuid not null,
  downloaded_at timestamptz not null,
  primary key (request_id, session_id)
);
comment on table export_download is 'directory: sessions in which an export was loaded';

-- Up to which message texts and numbers are removed, so that no night looks at the same ones again.
create table retention_point (
  kind text primary key check (kind in ('texts', 'numbers')),
  message_id uuid not null
);
comment on table retention_point is 'directory: up to which message what was kept long enough is removed';

-- An export is one file.
alter table stored_file drop constraint stored_file_extension_is_known,
  add constraint stored_file_extension_is_known check (extension in ('pdf', 'jpg', 'png', 'zip')) not valid;
alter table stored_file validate constraint stored_file_extension_is_known;
