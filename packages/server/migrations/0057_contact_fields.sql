-- What a catalog keeps of each contact beside its number, and the values: for each key a list beside the sheet's numbers, in their order, which
-- may end early. A sheet without values has null here, which takes no room.
alter table catalog add column columns jsonb not null default '[]'
  constraint catalog_columns_are_a_list check (jsonb_typeof(columns) = 'array');
alter table contact_sheet add column fields jsonb
  constraint contact_sheet_fields_have_keys check (jsonb_typeof(fields) = 'object');
