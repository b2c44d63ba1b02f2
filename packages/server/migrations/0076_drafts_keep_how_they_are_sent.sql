-- A draft keeps how it is to be sent: its class, what becomes of do-not-disturb numbers, and when it ends. Null: as every send that does not say.
alter table draft add column class text check (class in ('promotional', 'transactional'));
alter table draft add column dnd text check (dnd in ('send', 'skip'));
alter table draft add column valid_until timestamptz;
