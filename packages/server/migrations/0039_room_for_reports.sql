-- A report writes a second version of its recipient's row. In a fifth of a page a quarter of them fit, and the others cost a new entry in
-- both indexes; in half of a page all do. Pages that are full already stay as they are.
do $$
declare
  part regclass;
begin
  for part in select inhrelid::regclass from pg_inherits where inhparent = 'delivery'::regclass loop
    execute format('alter table %s set (fillfactor = 50)', part);
  end loop;
end $$;
