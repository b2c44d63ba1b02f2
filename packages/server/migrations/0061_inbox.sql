-- Whose a number is that people write to, or one keyword of it. Asked for every message from a phone, before its customer is known.
create table inbound_number (
  number_id uuid primary key,
  -- Digits: with the country code and no plus, or a short code.
  number text not null constraint inbound_number_is_digits check (number ~ '^[0-9]{3,15}$'),
  -- In capitals; empty for the owner of all that no keyword claims.
  keyword text not null default '',
  user_id uuid not null references app_user (user_id),
  created_at timestamptz not null,
  constraint inbound_number_is_taken unique (number, keyword)
);
comment on table inbound_number is 'directory: whose each number for messages from phones is';
create index inbound_number_of_customer on inbound_number (user_id);

-- Messages from phones to a customer's number. Those to nobody's are in inbound_message.
create table inbox_message (
  user_id uuid not null references app_user (user_id),
  inbound_id uuid not null,
  from_address text not null,
  to_address text not null,
  body text not null,
  -- By which it became this customer's; null where the whole number is theirs.
  keyword text,
  -- The customer's message from that number that this person got last.
  message_id uuid,
  received_at timestamptz not null,
  primary key (user_id, inbound_id)
);
comment on table inbox_message is 'tenant: messages from phones to each customer';
create index inbox_message_of_person on inbox_message (user_id, from_address, inbound_id);

-- One row for each person who wrote to a customer: the list of conversations goes by the newest message of each.
create table conversation (
  user_id uuid not null,
  from_address text not null,
  last_inbound_id uuid not null,
  message_count integer not null,
  primary key (user_id, from_address)
);
comment on table conversation is 'tenant: who wrote to each customer, and when last';
create index conversation_newest on conversation (user_id, last_inbound_id);

-- What left from the customer's number to one person: replies, and what the product answers by itself.
create table inbox_reply (
  user_id uuid not null,
  message_id uuid not null,
  person_address text not null,
  -- What it answers.
  inbound_id uuid not null,
  primary key (user_id, message_id)
);
comment on table inbox_reply is 'tenant: messages that answer one person';
create index inbox_reply_to_person on inbox_reply (user_id, person_address, message_id);
