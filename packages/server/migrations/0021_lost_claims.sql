-- A claim whose answer was lost is given back as it was before: so many intents had been committed then.
alter table message_batch add column earlier_intent_count smallint not null default 0;
