-- What a customer deleted is hidden from the customer alone: the lists of administrators hold it. They are merged from the
-- indexes over what is not hidden and these; few messages are, so these are small and quickly built.
create index message_hidden on message (user_id, (coalesce(listed_id, message_id))) where state <> 0 and hidden_at is not null;
create index message_hidden_of_all on message ((coalesce(listed_id, message_id))) where state <> 0 and hidden_at is not null;

-- A key without an end is null.
alter table api_key add column expires_at timestamptz;
