-- What a test key sends. Such a message is in none of its customer's lists and counts, so it is hidden from the start (hidden_at = created_at),
-- which also keeps the release before from showing or starting it.
alter table message add column is_test boolean not null default false;
create index message_test on message (user_id, (coalesce(listed_id, message_id))) where is_test;
-- Hidden messages without those of tests, for the lists of administrators and the figures of customers.
create index message_deleted on message (user_id, (coalesce(listed_id, message_id))) where state <> 0 and hidden_at is not null and not is_test;
create index message_deleted_of_all on message ((coalesce(listed_id, message_id))) where state <> 0 and hidden_at is not null and not is_test;

-- Null: a batch of a test. It stands in a line of its own, which the release before does not know: its workers would hand it to a carrier.
alter table message_batch alter column is_express drop not null;

-- The carrier of tests. It is never enabled, so nothing live is routed to it. Its id is below 0, which stands for no carrier in a flush.
insert into carrier (carrier_id, name, prefixes, weight, bind_count, is_enabled) values (-1, '(test mode)', '{}', 0, 1, false);

-- What the carrier of tests will report, and when. A report stays until it is recorded.
create table test_report (
  carrier_key text primary key,
  phone_no bigint not null,
  sender_name text not null,
  due_at timestamptz not null
);
comment on table test_report is 'directory: delivery reports that the carrier of tests owes';
create index test_report_due on test_report (due_at);
