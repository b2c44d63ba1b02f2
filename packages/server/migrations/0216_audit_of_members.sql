-- The audit also keeps what the people of customers' accounts do about members, limits, sub-accounts and what opens their account.
alter table audit_entry alter column admin_id drop not null;
-- Without a foreign key: on a cluster it would make a shard of the table, whose rows the functions of the chain do not take.
alter table audit_entry add column person_id uuid;
alter table audit_entry add constraint audit_entry_actor_check check ((admin_id is null) <> (person_id is null));
create index audit_entry_person on audit_entry (person_id, created_at desc) where person_id is not null;
comment on table audit_entry is 'directory: what administrators did, and what people did about their accounts; never changed, never deleted';

-- The same nine lines: the third is the id of who acted, whichever of the two they are.
create or replace function audit_hash(entry audit_entry, previous_hash bytea) returns bytea language sql stable as $$
  select sha256(convert_to(concat_ws(chr(10),
    encode(previous_hash, 'hex'), entry.audit_id::text, coalesce(entry.admin_id, entry.person_id)::text, entry.action, coalesce(entry.subject_id::text, ''),
    coalesce(entry.before::text, ''), coalesce(entry.after::text, ''), entry.client_address,
    to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), 'UTF8'))
$$;
