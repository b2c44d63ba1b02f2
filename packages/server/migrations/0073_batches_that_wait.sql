-- A batch of which only recipients are left that no carrier can take now waits beside the queue, so that no claim finds it again and again while
-- others wait behind it. Any worker puts it back when it can use one of these carriers.
alter table message_batch add column waits_for smallint[];
-- Claims walk this one. `message_batch_ready` counts what is ready, and serves workers of the version before.
create index message_batch_queue on message_batch (is_express, turn) include (lane) where state = 1 and waits_for is null;
create index message_batch_waiting on message_batch using gin (waits_for) where waits_for is not null;
