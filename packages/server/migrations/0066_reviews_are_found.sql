-- no-transaction
-- Reads every message, and locks out nobody meanwhile: the table that 0065_content_rules_and_reviews.sql changed is not locked any more.
alter table message validate constraint message_state_check;
