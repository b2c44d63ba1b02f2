-- Whether this database is the one that workers have sent from, and as late as they left it. A restored, copied or promoted
-- one is not: what may have gone out meanwhile is held until an administrator has looked; see features/delivery/send-mark.
create table send_epoch (
  -- The newest is the current one. A new one begins each time it turns out that time went back.
  epoch_number integer primary key,
  epoch_id uuid not null unique,
  installation_id uuid not null,
  -- Moved once a second by each worker, and kept beside the database too: a database that has less is an older one.
  generation bigint not null,
  -- Which server, which database in it, and which table: a dump that was restored has others.
  system_identifier text not null,
  timeline text not null,
  database_oid oid not null,
  table_oid oid not null,
  began_at timestamptz not null,
  seen_at timestamptz not null,
  -- Why it began, in words for the operator.
  reason text not null,
  held_count integer not null,
  is_current boolean not null
) with (fillfactor = 50);
comment on table send_epoch is 'directory: times between restores, and the mark that tells them apart';
create unique index send_epoch_current on send_epoch (is_current) where is_current;

-- 4 held: after a restore, until an administrator releases or refuses it.
alter table message drop constraint message_state_check;
alter table message add constraint message_state_check check (state between 0 and 4) not valid;
alter table message validate constraint message_state_check;
-- What it was before, and when it was held; they stay when it was decided.
alter table message add column held_from smallint;
alter table message add column held_at timestamptz;
create index message_held on message (message_id) where state = 4;
