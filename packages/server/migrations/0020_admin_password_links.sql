-- Administrators can have a new password by mail, as customers can. A link works for one kind of person.
alter table one_time_token drop constraint one_time_token_purpose_check;
alter table one_time_token add constraint one_time_token_purpose_check
  check (purpose in ('verify-user', 'reset-password', 'admin-otp', 'verify-admin', 'reset-admin-password'));
