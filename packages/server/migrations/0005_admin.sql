-- Administrators, their one-time codes, and the record of what they did. Directory tables, as in 0001_accounts.sql.

create table admin (
  admin_id uuid primary key,
  admin_name text not null,
  admin_full_name text not null,
  email text not null constraint admin_email_key unique,
  -- Without the prefix 234 and without leading zeros.
  contact text not null,
  role text not null default 'admin',
  password_hash text not null,
  verified_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint admin_email_is_normal check (email = lower(trim(email)) and email <> '')
);
comment on table admin is 'directory: administrators';

-- One registration of one administrator, and the code that is alive in it.
create table admin_otp (
  admin_id uuid primary key references admin (admin_id),
  -- Keyed hash: four digits alone would be guessed from their hash at once.
  code_hash bytea not null,
  expires_at timestamptz not null,
  -- Against this code; it dies at five.
  wrong_tries integer not null default 0 check (wrong_tries between 0 and 5),
  used_at timestamptz,
  -- Against all codes of this registration; a new registration begins a day after the first code.
  registered_at timestamptz not null,
  registration_wrong_tries integer not null default 0 check (registration_wrong_tries between 0 and 10)
);
comment on table admin_otp is 'directory: codes in mails to administrators';

create table audit_entry (
  audit_id uuid primary key,
  admin_id uuid not null references admin (admin_id),
  -- What was done, in the words of the call: credit-a-user, approve-whitelist-request.
  action text not null,
  -- What it was done to, when it has an id.
  subject_id uuid,
  before jsonb,
  after jsonb,
  client_address text not null,
  created_at timestamptz not null
);
comment on table audit_entry is 'directory: what administrators did; never changed, never deleted';

create index audit_entry_newest on audit_entry (created_at desc, audit_id desc);
create index audit_entry_subject on audit_entry (subject_id, created_at desc);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_entry is append-only';
end $$;

create trigger audit_entry_is_append_only before update or delete or truncate on audit_entry
  for each statement execute function refuse_audit_change();
