-- Where somebody is signed in, so that they can tell their own sessions from a stranger's.

alter table session
  add column client_address text not null default '',
  -- What the browser said of itself, shortened.
  add column user_agent text not null default '';
