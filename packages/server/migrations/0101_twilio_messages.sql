-- Messages that came by Twilio's API, in the order in which they were accepted, with where their states are told. A message's SM sid is its id.
create table twilio_message (
  user_id uuid not null references app_user (user_id),
  message_id uuid not null,
  accepted_id uuid not null,
  key_id uuid not null,
  account_sid text not null,
  mode text not null check (mode in ('live', 'test')),
  phone_no bigint not null,
  sender_name text not null,
  status_callback text,
  -- A report may come before the carrier's answer is recorded: clients hear "sent" first all the same.
  is_sent_told boolean not null default false,
  created_at timestamptz not null,
  primary key (user_id, message_id)
);
comment on table twilio_message is 'tenant: messages that came by Twilio''s API';
create index twilio_message_newest on twilio_message (user_id, mode, accepted_id);
create index twilio_message_to on twilio_message (user_id, mode, phone_no, accepted_id);

-- States of such messages that are to be told, in order; the row is deleted when it was told, or given up.
create table twilio_callback (
  user_id uuid not null,
  message_id uuid not null,
  callback_id bigint generated always as identity,
  status text not null check (status in ('sent', 'delivered', 'undelivered', 'failed', 'canceled')),
  error_code integer,
  tries smallint not null default 0,
  next_try_at timestamptz not null,
  primary key (user_id, message_id, callback_id)
);
comment on table twilio_callback is 'tenant: states that a Twilio client is to be told';
create index twilio_callback_due on twilio_callback (next_try_at);
