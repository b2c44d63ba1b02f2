-- What customers may send as and from where, how much a day, and what they have drafted. Tenant tables: the customer's id
-- comes first in every key.

-- The names that a customer may send as, compared exactly.
create table sender_name (
  user_id uuid not null references app_user (user_id),
  name text not null constraint sender_name_is_sendable check (name ~ '^[A-Za-z0-9 .&_-]{3,11}$' and name ~ '[A-Za-z]'),
  -- The name as a hasty reader sees it: names that look alike share it. See sender-name.ts.
  skeleton text not null,
  created_at timestamptz not null,
  primary key (user_id, name)
);
comment on table sender_name is 'tenant: names that each customer may send as';

create index sender_name_skeleton on sender_name (skeleton);

-- Where programs with a customer's key may call from.
create table approved_address (
  user_id uuid not null references app_user (user_id),
  address inet not null,
  created_at timestamptz not null,
  primary key (user_id, address)
);
comment on table approved_address is 'tenant: addresses that each customer''s programs may call from';

-- pending -> approved | declined, once.
create table whitelist_request (
  user_id uuid not null references app_user (user_id),
  request_id uuid not null,
  sender_name text,
  skeleton text,
  address inet,
  state text not null default 'pending' check (state in ('pending', 'approved', 'declined')),
  -- Sentences for the administrator: why to look twice.
  warnings text[] not null default '{}',
  -- Of a decline, in the administrator's words.
  reason text not null default '',
  decided_by uuid,
  decided_at timestamptz,
  created_at timestamptz not null,
  primary key (user_id, request_id),
  constraint whitelist_request_asks_for_one_thing check ((sender_name is null) <> (address is null)),
  constraint whitelist_request_name_has_skeleton check ((sender_name is null) = (skeleton is null)),
  constraint whitelist_request_decision_is_whole check (
    (state = 'pending') = (decided_by is null) and (state = 'pending') = (decided_at is null)
  )
);
comment on table whitelist_request is 'tenant: requests for sender names and addresses';

-- Ids are in order of time: the administrators' lists of everybody's requests.
create index whitelist_request_newest on whitelist_request (request_id);
create index whitelist_request_pending on whitelist_request (request_id) where state = 'pending';
-- Asking twice makes one request.
create unique index whitelist_request_open_name on whitelist_request (user_id, sender_name) where state = 'pending' and sender_name is not null;
create unique index whitelist_request_open_address on whitelist_request (user_id, address) where state = 'pending' and address is not null;

-- How many recipients of one country a customer may send to in a day, where somebody has set a limit. No row, no limit.
create table daily_cap (
  user_id uuid not null references app_user (user_id),
  -- The dialling code, digits only.
  code text not null check (code ~ '^[1-9][0-9]{0,5}$'),
  recipients_max integer not null check (recipients_max >= 0),
  -- The day that recipients_used counts; with the first send of another day it begins again.
  day date not null default '-infinity',
  recipients_used integer not null default 0 check (recipients_used >= 0),
  primary key (user_id, code)
);
comment on table daily_cap is 'tenant: daily limits by country';

create table draft (
  user_id uuid not null references app_user (user_id),
  draft_id uuid not null,
  sender_name text not null,
  message text not null,
  -- As it was typed or pasted.
  phone_no text not null,
  code text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (user_id, draft_id)
);
comment on table draft is 'tenant: messages that are not sent yet';

-- Ids are in order of time: the administrators' list of everybody's drafts.
create index draft_newest on draft (draft_id);
