-- no-transaction
-- Reads every delivery, and locks out nobody meanwhile: the table that 0062_opt_outs.sql changed is not locked any more.
alter table delivery validate constraint delivery_state_check;
