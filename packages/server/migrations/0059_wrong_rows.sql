-- The wrong rows of an uploaded file with their reasons, as a file that can be corrected and uploaded again. Kept for a day.
create table wrong_rows (
  user_id uuid not null references app_user,
  wrong_rows_id uuid not null,
  csv text not null,
  created_at timestamptz not null,
  primary key (user_id, wrong_rows_id)
);
create index wrong_rows_created on wrong_rows (created_at);
comment on table wrong_rows is 'tenant: rows of uploaded files that could not be taken, for a day';
