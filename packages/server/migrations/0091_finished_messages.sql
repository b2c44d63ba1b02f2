-- Followed messages in which nobody waits any more: told as finished when every report is there, or after a moment.
create table webhook_finish (
  user_id uuid not null,
  message_id uuid not null,
  due_at timestamptz not null,
  primary key (user_id, message_id)
);
comment on table webhook_finish is 'tenant: messages that programs will be told have finished';
create index webhook_finish_due on webhook_finish (due_at);
