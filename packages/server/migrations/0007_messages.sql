-- Scheduled messages and a searchable history.
--
-- Lists are in the order of coalesce(listed_id, message_id): ids are in order of time. A message that was sent at once is
-- listed by its own id. A scheduled one has an id of the time it is for (so that its deliveries lie in that month's
-- partition), and is listed by another one: of the moment it was scheduled, and then of the moment it started.
alter table message add column listed_id uuid;

drop index message_newest;
drop index message_scheduled;
create index message_listed on message (user_id, (coalesce(listed_id, message_id))) where state <> 0 and hidden_at is null;
create index message_listed_by_sender on message (user_id, sender_name, (coalesce(listed_id, message_id)))
  where state <> 0 and hidden_at is null;
create index message_listed_cancelled on message (user_id, (coalesce(listed_id, message_id))) where state = 3 and hidden_at is null;
-- The administrators' list of everybody's messages.
create index message_listed_of_all on message ((coalesce(listed_id, message_id))) where state <> 0 and hidden_at is null;
create index message_scheduled on message (user_id, (coalesce(listed_id, message_id))) where state = 0;
-- Reports are looked up among the ids of the last days; these messages may have been handed over with an older one.
create index message_started_late on message (state_at) include (message_id)
  where state <> 0 and state_at - created_at > interval '24 hours';

-- Which messages somebody still waits in: few, also of a customer with a million messages. Written so that the planner does
-- not see that a ready batch is an open one, and never takes this index for a claim, which walks another.
create index message_batch_open on message_batch (user_id, message_id) where state + 0 < 3;
-- Without it the planner takes every third batch for open.
create statistics message_batch_open_share on (state + 0) from message_batch;

-- The administrators' list of the do-not-disturb numbers, newest first.
create index dnd_number_newest on dnd_number (added_at desc, phone_no desc);
