-- Mailboxes that an owner lets in before they register, and as what.

create table admin_invitation (
  email text primary key check (email = lower(trim(email)) and email <> ''),
  role text not null check (role in ('owner', 'admin', 'finance', 'support', 'viewer')),
  invited_by uuid not null references admin (admin_id),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table admin_invitation is 'directory: mailboxes that may become administrators; the registration that it lets in deletes it';
