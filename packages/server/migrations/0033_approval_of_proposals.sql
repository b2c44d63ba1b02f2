-- Credits that waited in their deposits wait among the approvals from now on. The columns stay for the version before this one.
-- Undo: copy details ->> 'units' of waiting approvals of the kind deposit back, in thousandths.
insert into approval (approval_id, kind, subject_key, subject_id, subject_email, what, details, asked_by, created_at)
  select d.deposit_id, 'deposit', d.deposit_id::text, d.user_id, u.email,
    format('Credit %s units to %s, %s, for a deposit of %s naira', trim(to_char(d.proposed_milli / 1000, '999,999,999,990')), u.user_name,
      u.email, trim(to_char(d.amount_kobo / 100, '999,999,999,990'))),
    jsonb_build_object('units', d.proposed_milli / 1000), d.proposed_by, d.proposed_at
  from deposit d join app_user u on u.user_id = d.user_id
  where d.proposed_milli is not null;

update deposit set proposed_milli = null, proposed_by = null, proposed_at = null where proposed_milli is not null;

-- Names are compared as a hasty reader sees them, now with 2 as Z, 3 as E, 4 as A, 6 as G, 7 as T and 8 as B, too.
update sender_name set skeleton = translate(regexp_replace(lower(name), '[^a-z0-9]', '', 'g'), '01i2345678', 'ollzeasgtb')
  where skeleton <> translate(regexp_replace(lower(name), '[^a-z0-9]', '', 'g'), '01i2345678', 'ollzeasgtb');
update whitelist_request set skeleton = translate(regexp_replace(lower(sender_name), '[^a-z0-9]', '', 'g'), '01i2345678', 'ollzeasgtb')
  where sender_name is not null and state = 'pending';
