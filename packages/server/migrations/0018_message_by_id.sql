-- Administrators open a message by its id alone; 0007 dropped the index that found it.
create index message_by_id on message (message_id);
