-- Below how many thousandths of a unit a customer is told that units run out; null for never. `is_below`: was told, and has not been above since.
alter table notification
  add column balance_below_milli bigint check (balance_below_milli > 0),
  add column is_below boolean not null default false;

create index notification_with_alert on notification (user_id) where balance_below_milli is not null;
