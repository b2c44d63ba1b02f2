-- Everybody has a daily limit now: without one of their own, that of the configuration. The row then only counts.
alter table daily_cap alter column recipients_max drop not null;
