-- Promotional and transactional messages, and when promotional ones may leave.
alter table app_user add column may_send_transactional boolean not null default false;

alter table message add column is_transactional boolean not null default false;
-- True of a transactional message that goes to do-not-disturb numbers, too, where a carrier reaches them.
alter table message add column reaches_dnd boolean not null default false;
-- Offsets of do-not-disturb numbers that are sent to, by carriers that reach them alone.
alter table message_batch add column dnd_offsets smallint[] not null default '{}';

alter table carrier add column classes text[] not null default '{promotional,transactional}';
alter table carrier add column reaches_dnd boolean not null default false;
alter table kept_carrier add column classes text[] not null default '{promotional,transactional}';
alter table kept_carrier add column reaches_dnd boolean not null default false;

-- Null: the rate is that of both classes.
alter table rate_edit add column class text check (class in ('promotional', 'transactional'));

-- By the clock of a zone; 'HH:MM' or 'HH:MM:SS'. A row that closes before it opens is open over midnight.
create table quiet_hours (
  quiet_hours_id uuid primary key,
  code text not null unique,
  time_zone text not null,
  opens_at text not null,
  closes_at text not null,
  updated_at timestamptz not null
);
insert into quiet_hours values (gen_random_uuid(), '234', 'Africa/Lagos', '08:00', '20:00', now());
