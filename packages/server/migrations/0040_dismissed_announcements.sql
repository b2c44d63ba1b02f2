-- An edit makes another version, which is shown again to those who dismissed the one before.
alter table announcement
  add column version integer not null default 1 check (version >= 1),
  add column edited_at timestamptz;

create table announcement_dismissal (
  user_id uuid not null,
  announcement_id uuid not null,
  version integer not null check (version >= 1),
  dismissed_at timestamptz not null,
  primary key (user_id, announcement_id)
);
-- A cleared announcement takes its dismissals along.
create index announcement_dismissal_of_announcement on announcement_dismissal (announcement_id);
comment on table announcement_dismissal is 'tenant: announcements that a customer does not want to see any more, in the version that they saw';
