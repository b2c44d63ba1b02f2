-- no-transaction
create index concurrently if not exists journal_of_transfer on journal (reference) where kind = 'transfer';
