-- A session in which an administrator looks at a customer's account and changes nothing; it leads back to the administrator's own, until its end.
alter table session add column acting_admin_id uuid, add column returns_until timestamptz;
alter table session add constraint session_acting_check check ((acting_admin_id is null) = (returns_until is null) and (acting_admin_id is null or kind = 'user'));

-- Which administrators looked, when and why; the customer reads it. `access_id` is the session's id.
create table account_access (
  user_id uuid not null references app_user (user_id),
  access_id uuid not null,
  admin_name text not null,
  reason text not null check (reason <> ''),
  began_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (user_id, access_id)
);
comment on table account_access is 'tenant: when administrators looked at the account, and why';
