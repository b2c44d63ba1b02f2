-- When a message ends by itself: who was not handed over by then gets nothing, and the units come back.
alter table message add column valid_until timestamptz;
-- Its time was over and was looked at once, whether or not anybody was left.
alter table message add column is_validity_over boolean not null default false;
-- Somebody was: those that its counts call cancelled have expired.
alter table message add column has_expired boolean not null default false;
create index message_validity on message (valid_until) where valid_until is not null and not is_validity_over;

-- When a scheduled message is sent again: {every, on, until, at}; `at` is the time of day in its time zone. Its row waits for the next time, and
-- what goes out each time is a message of its own.
alter table message add column repeat jsonb;
