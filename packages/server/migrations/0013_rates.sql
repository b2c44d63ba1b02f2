-- What administrators changed about the specified rates. The newest edit whose time has come holds, those of the same time in
-- the order in which they were made; a code without any costs what the program says. Nothing is ever edited here but withdrawn.
create table rate_edit (
  rate_edit_id uuid primary key,
  code text not null check (code ~ '^[1-9][0-9]{0,5}$'),
  -- Null: what the program says.
  rate_milli bigint check (rate_milli between 1 and 1000000),
  -- From when it holds.
  effective_at timestamptz not null,
  admin_id uuid not null references admin (admin_id),
  created_at timestamptz not null,
  -- A planned rate that was taken back before its time.
  withdrawn_at timestamptz check (withdrawn_at < effective_at)
);
comment on table rate_edit is 'directory: edits of the rate table, and from when they hold';

create index rate_edit_by_code on rate_edit (code, effective_at desc, rate_edit_id desc) include (rate_milli) where withdrawn_at is null;
