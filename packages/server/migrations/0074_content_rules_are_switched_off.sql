-- A rule that is switched off is kept and holds for nothing. Servers of the version before go on with every rule until they are replaced.
alter table content_rule add column is_enabled boolean not null default true;
