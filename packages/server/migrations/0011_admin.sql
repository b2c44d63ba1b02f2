-- What administrators need: customers found at once among many, announcements, and the figures of the overview.

-- A part of a name in the middle of a text is found by its groups of three letters.
create extension if not exists pg_trgm;

-- When the customer signed in last; sessions leave no trace once they are over.
alter table app_user add column last_sign_in_at timestamptz;

create index app_user_search on app_user using gin (lower(user_name || ' ' || full_name || ' ' || email || ' ' || phone_no) gin_trgm_ops);
create index app_user_by_user_name on app_user (lower(user_name), user_id);
create index app_user_by_full_name on app_user (lower(full_name), user_id);
create index app_user_blocked on app_user (user_id) where blocked_at is not null;
create index app_user_unverified on app_user (user_id) where verified_at is null;

create table announcement (
  announcement_id uuid primary key,
  -- Its title.
  hint text not null check (hint <> ''),
  message text not null check (message <> ''),
  admin_id uuid not null references admin (admin_id),
  created_at timestamptz not null
);
comment on table announcement is 'directory: what administrators tell everybody';

-- How many rows of a kind there are, where counting them would take too long. A row that every send changes would be
-- everybody's queue; so each statement adds its own change, and a job adds them up. Total and changes together are exact.
create table tally (
  name text primary key,
  total bigint not null
);
comment on table tally is 'directory: counts up to the last time that changes were added up';

create table tally_change (
  change_id bigint generated always as identity primary key,
  name text not null,
  amount bigint not null
);
comment on table tally_change is 'directory: changes of counts since then';

-- Sent messages that their customers still see.
create function tally_messages() returns trigger language plpgsql as $$
declare
  change bigint;
begin
  select count(*) into change from new_rows where state <> 0 and hidden_at is null;
  if tg_op = 'UPDATE' then
    change := change - (select count(*) from old_rows where state <> 0 and hidden_at is null);
  end if;
  if change <> 0 then
    insert into tally_change (name, amount) values ('messages', change);
  end if;
  return null;
end $$;

create trigger message_insert_is_tallied after insert on message referencing new table as new_rows
  for each statement execute function tally_messages();
create trigger message_update_is_tallied after update on message referencing old table as old_rows new table as new_rows
  for each statement execute function tally_messages();

create function tally_drafts() returns trigger language plpgsql as $$
declare
  change bigint;
begin
  if tg_op = 'INSERT' then
    select count(*) into change from new_rows;
  else
    select -count(*) into change from old_rows;
  end if;
  if change <> 0 then
    insert into tally_change (name, amount) values ('drafts', change);
  end if;
  return null;
end $$;

create trigger draft_insert_is_tallied after insert on draft referencing new table as new_rows
  for each statement execute function tally_drafts();
create trigger draft_delete_is_tallied after delete on draft referencing old table as old_rows
  for each statement execute function tally_drafts();

-- The triggers hold other writers off until this file is done, so nothing is counted twice or missed.
insert into tally (name, total)
  select 'messages', count(*) from message where state <> 0 and hidden_at is null
  union all
  select 'drafts', count(*) from draft;

-- What became of recipients, by the hour in which they were handed over. A job adds the last hours up again and again,
-- because reports come later; rows of delivery arrive in order of time, so a summary of each block range finds the hours.
create index delivery_submitted on delivery using brin (submitted_at) with (pages_per_range = 64, autosummarize = on);

create table traffic_hour (
  hour timestamptz not null,
  -- A Nigerian network's name, or Abroad.
  network text not null,
  sent bigint not null,
  delivered bigint not null,
  failed bigint not null,
  dnd bigint not null,
  unknown bigint not null,
  primary key (hour, network)
);
comment on table traffic_hour is 'directory: recipients by hour and network, added up by a job';

-- Units that came and went, by the day of Lagos.
create table customer_day (
  user_id uuid not null references app_user (user_id),
  day date not null,
  -- Payments, deposits and credits, less what was reversed.
  sold_milli bigint not null,
  -- Charges less refunds.
  used_milli bigint not null,
  primary key (user_id, day)
);
comment on table customer_day is 'tenant: units of each customer and day, added up by a job';

create index customer_day_of_all on customer_day (day) include (sold_milli, used_milli);

-- One row: when the job was done last.
create table overview_refresh (
  is_only boolean primary key default true check (is_only),
  refreshed_at timestamptz not null
);
comment on table overview_refresh is 'directory: when traffic_hour and customer_day were added up last';
