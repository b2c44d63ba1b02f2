-- no-transaction
-- Reads every journal, and locks out nobody meanwhile.
alter table journal validate constraint journal_kind_check;
alter table journal_entry validate constraint journal_entry_account_check;
