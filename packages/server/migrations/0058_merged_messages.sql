-- A message whose texts differ: each batch carries the values that its recipients' texts are merged from (JSON: the keys, and a row for each
-- recipient with its values, its own text and its reference), and how many pages each recipient pays. Both are null in every other message, which
-- takes no room: a null costs a bit that the row's header has.
alter table message add column is_merged boolean not null default false;
alter table message_batch add column merge_values text;
alter table message_batch add column page_counts smallint[];

-- A draft of such a message holds its recipients as they were given, as JSON.
alter table draft add column recipients text;

create table message_template (
  user_id uuid not null references app_user,
  template_id uuid not null,
  name text not null check (name <> ''),
  message text not null check (message <> ''),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (user_id, template_id)
);
comment on table message_template is 'tenant: texts that customers keep to send again';

-- Recipients of a merged message pay their own pages: what is open for it is added up recipient by recipient.
create or replace view delivery_ledger_invariants (name, violations) as
with unsettled as (
  select user_id, message_id, count(*) as recipients from delivery_unknown group by user_id, message_id
), open_pages as (
  select batch.user_id, batch.message_id, sum(own.pages) as pages
  from message_batch batch
  cross join lateral unnest(batch.page_counts) with ordinality as own (pages, number)
  left join delivery d on d.user_id = batch.user_id and d.message_id = batch.message_id
    and d.position = batch.batch_index * 500 + own.number - 1
  left join delivery_unknown u on u.user_id = batch.user_id and u.message_id = batch.message_id
    and u.position = batch.batch_index * 500 + own.number - 1
  where u.position is not null
    or batch.state < 3 and d.position is null and (own.number - 1)::smallint <> all (batch.skipped)
  group by batch.user_id, batch.message_id
)
select 'each message counts every recipient once', count(*)
from message join message_count using (user_id, message_id)
where waiting + sent + delivered + failed + dnd + unknown + cancelled <> recipient_count
union all
select 'each hold keeps open what waiting and unsettled recipients cost', count(*)
from message join message_count using (user_id, message_id) join hold using (user_id, hold_id)
  left join unsettled using (user_id, message_id)
where not is_merged and hold.open_milli <> price_milli * (waiting + coalesce(unsettled.recipients, 0))
union all
select 'each hold keeps open what the recipients of a merged message that wait or are unsettled cost', count(*)
from message join hold using (user_id, hold_id) left join open_pages using (user_id, message_id)
where is_merged and hold.open_milli <> price_milli / page_count * coalesce(open_pages.pages, 0)
union all
select name, violations from payment_ledger_invariants;
