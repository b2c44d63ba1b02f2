-- The audit's entries hang together: each link holds the hash of its entry and of the link before it, in the order in which
-- the transactions committed. An entry that is changed, taken out or put in between breaks every link after it.
create table audit_link (
  -- 1, 2, 3, ... without a gap.
  entry_number bigint primary key,
  audit_id uuid not null unique references audit_entry (audit_id),
  -- Of the link before; 32 zero bytes for the first.
  previous_hash bytea not null,
  hash bytea not null
);
comment on table audit_link is 'directory: the chain of the audit, one link an entry; never changed, never deleted';

-- The end of the chain. Its lock makes links one after the other; without it, links cut off the end would not be missed.
create table audit_chain (
  is_only boolean primary key default true check (is_only),
  entry_count bigint not null,
  hash bytea not null,
  -- Of the last check; null before the first.
  checked_at timestamptz,
  is_whole boolean
);
comment on table audit_chain is 'directory: the end of the chain of the audit and what its last check found; one row';

-- The lines that are hashed: hex of the previous hash, then the entry's columns as text, nothing for null, one a line.
create function audit_hash(entry audit_entry, previous_hash bytea) returns bytea language sql stable as $$
  select sha256(convert_to(concat_ws(chr(10),
    encode(previous_hash, 'hex'), entry.audit_id::text, entry.admin_id::text, entry.action, coalesce(entry.subject_id::text, ''),
    coalesce(entry.before::text, ''), coalesce(entry.after::text, ''), entry.client_address,
    to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), 'UTF8'))
$$;

create function link_audit_entry(entry audit_entry) returns void language plpgsql as $$
declare
  chain audit_chain;
  new_hash bytea;
begin
  select * into strict chain from audit_chain for update;
  new_hash := audit_hash(entry, chain.hash);
  insert into audit_link (entry_number, audit_id, previous_hash, hash) values (chain.entry_count + 1, entry.audit_id, chain.hash, new_hash);
  update audit_chain set entry_count = chain.entry_count + 1, hash = new_hash;
end $$;

-- Entries of the running release wait until those before them are linked.
lock table audit_entry in share row exclusive mode;
insert into audit_chain (entry_count, hash) values (0, decode(repeat('00', 32), 'hex'));
do $$
declare
  entry audit_entry;
begin
  for entry in select * from audit_entry order by created_at, audit_id loop
    perform link_audit_entry(entry);
  end loop;
end $$;

create function link_new_audit_entry() returns trigger language plpgsql as $$
begin
  perform link_audit_entry(new);
  return null;
end $$;

-- At the end of the transaction: the chain's lock is then the last one that is taken, so nobody who holds it waits for others.
create constraint trigger audit_entry_is_linked after insert on audit_entry
  deferrable initially deferred for each row execute function link_new_audit_entry();

create function refuse_audit_link_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_link is append-only';
end $$;

create trigger audit_link_is_append_only before update or delete or truncate on audit_link
  for each statement execute function refuse_audit_link_change();
