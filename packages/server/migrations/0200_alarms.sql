-- What an operator must know. A kind and what it is about have one open alarm at most.
create table alarm (
  alarm_id uuid primary key,
  kind text not null,
  -- The carrier or the host that it is about; empty where there is only one.
  subject text not null,
  detail text not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  -- When it was mailed and posted; null while it was silenced from its beginning.
  told_at timestamptz,
  silenced_until timestamptz,
  check (closed_at is null or closed_at >= opened_at)
);
create unique index alarm_is_open_once on alarm (kind, subject) where closed_at is null;
create index alarm_by_subject on alarm (kind, subject, alarm_id desc);
comment on table alarm is 'directory: what an operator must know, and when it was over';

-- What each process sees of its machine and of the database, for the alarms.
alter table process_heartbeat
  add column host text,
  add column disk_free_percent smallint,
  add column database_lost_at timestamptz,
  add column database_back_at timestamptz;

create table backup_state (
  is_only boolean primary key default true check (is_only),
  watched_since timestamptz not null,
  made_at timestamptz
);
comment on table backup_state is 'directory: when the last back-up was made';
