-- The audit page filters by who did it and by kind of action; what one administrator did, or what is seldom done, is few entries of many.
create index audit_entry_admin on audit_entry (admin_id, created_at desc);
create index audit_entry_action on audit_entry (action, created_at desc);
