-- What came of a message, or of all messages of a day, as it was counted last from their recipients; `tally` tells whether that still holds.
create table result_count (
  user_id uuid not null,
  -- A message's id, or a day of Lagos.
  subject text not null,
  claimed_at timestamptz not null,
  tally text,
  counted jsonb,
  primary key (user_id, subject),
  check ((tally is null) = (counted is null))
);
comment on table result_count is 'tenant: deliveries by reason, network and hour, as they were counted last';

-- Which mails a customer gets by itself; no row is all of them.
create table notification (
  user_id uuid primary key references app_user (user_id),
  has_weekly_mail boolean not null
);
comment on table notification is 'tenant: which mails a customer wants';

-- Each customer's mail of a week is written once.
create table weekly_mail (
  user_id uuid not null,
  -- The Monday with which the week begins, in Lagos.
  week date not null,
  primary key (user_id, week)
);
comment on table weekly_mail is 'tenant: for which weeks customers were told what came of their messages';
