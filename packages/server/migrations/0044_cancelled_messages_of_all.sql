-- Administrators list the cancelled messages of all customers. They are few among many: without an index of their own a page would read
-- the whole list. The index holds cancelled messages alone, so that building it reads the table once and writes little.
create index message_cancelled_of_all on message (coalesce(listed_id, message_id)) where state = 3 and hidden_at is null;
