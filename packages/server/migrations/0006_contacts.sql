-- Catalogs: a customer's named lists of contacts. Tenant tables: the customer's id comes first in every key.

create table catalog (
  user_id uuid not null references app_user (user_id),
  -- In order of time, so that newest first is the order of the key.
  catalog_id uuid not null,
  name text not null check (name <> ''),
  -- The dialling code that all contacts begin with.
  code text not null constraint catalog_code_is_dialling_code check (code ~ '^[1-9][0-9]{0,5}$'),
  -- Of all sheets together.
  contact_count integer not null default 0 constraint catalog_holds_a_million check (contact_count between 0 and 1000000),
  -- Raised by every change, contacts or name: the catalog's ETag. Whoever changes sheets holds this row's lock.
  version bigint not null default 1,
  created_at timestamptz not null,
  primary key (user_id, catalog_id)
);
comment on table catalog is 'tenant: named lists of contacts';

-- Contacts are kept by the thousand, in the order in which they were added, as "2348030000001,2348030000002": 1,000,000 take
-- 1,000 rows and 15 MB, where a row for each would take 150 MB with its two keys, and any digits of them are found by reading
-- 15 MB, which no index can do without an extension. The catalog's lock keeps them distinct.
create table contact_sheet (
  user_id uuid not null,
  catalog_id uuid not null,
  -- From 1; numbers of sheets that were emptied are missing.
  sheet_no integer not null,
  -- International, digits only, with commas between them.
  phone_nos text not null constraint contact_sheet_holds_numbers check (phone_nos ~ '^[0-9]+(,[0-9]+)*$'),
  -- So that a place in the list is found without reading the numbers before it.
  contact_count integer not null constraint contact_sheet_is_filled check (contact_count between 1 and 1000),
  primary key (user_id, catalog_id, sheet_no),
  foreign key (user_id, catalog_id) references catalog (user_id, catalog_id) on delete cascade
);
comment on table contact_sheet is 'tenant: contacts, up to a thousand in a row';
-- A search reads every number; unpacking them would take most of its time, and saves half of the space.
alter table contact_sheet alter column phone_nos set storage external;
