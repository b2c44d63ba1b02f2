-- Citus commits at a customer's server first and at the coordinator afterwards, unless it knows that both were written to; and it does not know
-- of tables that are the coordinator's alone. A coordinator that crashed in between would have half a transaction: the customer's rows
-- without the flush's number, so that the worker would write the flush again. A transaction that changes a table in Citus's care at the
-- coordinator is prepared on every server before it is committed on any. `distribute` puts this table into its care; it stays empty.
create table commit_guard (guard_id smallint primary key);
comment on table commit_guard is 'directory: always empty; who deletes from it commits on all servers or on none';

-- Called at the end of each transaction on a cluster. One that wrote nothing at the coordinator has no number there, and is whole anyway.
create function commit_as_one() returns void language plpgsql as $$
begin
  if pg_current_xact_id_if_assigned() is not null then
    delete from commit_guard where guard_id = 0;
  end if;
end
$$;
