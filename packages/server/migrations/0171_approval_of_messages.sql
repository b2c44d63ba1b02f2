-- Which member sent a message; null for the account's own user and for keys. One that waits for an approver is in review, before any administrator looks at it.
alter table message
  add column sent_by uuid,
  add column awaits_approval boolean not null default false,
  add column decided_by uuid;

-- What senders send to more recipients than this waits for an approver; null: nothing does.
alter table app_user add column approval_above integer check (approval_above >= 0);
