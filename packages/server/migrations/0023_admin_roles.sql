-- What each administrator may do, who let them in, and on which side a session began.

alter table admin
  add constraint admin_role_is_known check (role in ('owner', 'admin', 'finance', 'support', 'viewer')),
  -- Null while an owner has not let the administrator in; signing in needs it besides verified_at.
  add column approved_at timestamptz,
  add column blocked_at timestamptz,
  -- Who was removed keeps the row, because the audit names it; verified_at and approved_at are null then.
  add column removed_at timestamptz,
  add column last_sign_in_at timestamptz;

update admin set approved_at = verified_at where verified_at is not null;

-- The first administrator is owner.
update admin set role = 'owner'
where admin_id = (select admin_id from admin where verified_at is not null order by created_at, admin_id limit 1);

-- Whose password opened the session; it stays when the person switches to the other side. Sessions that are open now may have
-- begun on either, so the next switch to the administrator's side asks for the password.
alter table session add column began_as text not null default 'user' check (began_as in ('user', 'admin'));
