-- What may be sent, as administrators keep it, and messages that wait for an administrator before they are sent.
create table content_rule (
  rule_id uuid primary key,
  pattern text not null,
  place text not null check (place in ('text', 'link', 'sender')),
  -- Dialling codes, and names of networks; empty: all.
  countries text[] not null,
  networks text[] not null,
  action text not null check (action in ('refuse', 'review', 'warn')),
  note text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- 5: in review. What it was accepted as, and when, stand in held_from and held_at, as of a message that is held after a restore.
alter table message drop constraint message_state_check;
alter table message add constraint message_state_check check (state between 0 and 5) not valid;
-- Why an administrator is to look at it.
alter table message add column review_note text;
create index message_in_review on message (message_id) where state = 5;
