-- A report may come long before its delivery is known to be unknown: while a batch of a dead worker, or one that is held after a restore, waits to
-- be looked at. Then no stored report is dropped, and those with the number are tried as soon as it is unknown.
create index message_batch_dirty on message_batch (user_id, message_id) where is_dirty and state + 0 < 3;
create index early_report_phone_no on early_report (phone_no);
