-- Links in texts, one code for each recipient and link. A code is the number of its recipient in disguise: blocks of 512 numbers belong to batches, and
-- the key below turns a number into seven letters and digits that tell nobody their neighbours.
create sequence link_block_number as bigint;

create table link_key (
  is_only boolean primary key default true check (is_only),
  key bytea not null check (octet_length(key) = 16)
);
comment on table link_key is 'directory: what the codes of links are made with; without it no link of the past leads anywhere';
insert into link_key (key) select substring(sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea) from 1 for 16);

create table link_block (
  block_id bigint primary key,
  user_id uuid not null,
  message_id uuid not null,
  batch_index integer not null,
  -- The place of the link in the texts, from 0; an opt-out link stands behind the last that any text of the message has.
  slot smallint not null,
  is_opt_out boolean not null
);
comment on table link_block is 'directory: of which batch each block of links is';

alter table message add column has_opt_out_link boolean not null default false;
alter table draft add column has_opt_out_link boolean not null default false;

-- By which message somebody opted out: the one whose link was pressed, or the last one that the person got before the answer.
alter table opt_out add column message_id uuid;
create index opt_out_of_message on opt_out (user_id, message_id) where message_id is not null;

-- Who followed a short link, and how often.
create table link_click (
  user_id uuid not null,
  message_id uuid not null,
  position integer not null,
  clicks integer not null check (clicks > 0),
  primary key (user_id, message_id, position)
);
comment on table link_click is 'tenant: how often each recipient of a message followed its short links';

-- The same of each message. Thousands may press at the same moment: each adds to one of a few rows.
create table link_click_total (
  user_id uuid not null,
  message_id uuid not null,
  shard smallint not null,
  total integer not null default 0,
  recipients integer not null default 0,
  previews integer not null default 0,
  primary key (user_id, message_id, shard)
);
comment on table link_click_total is 'tenant: how often the short links of a message were followed, and looked at by known bots';
