-- What the program that sent a message calls it; null for none.
alter table message add column reference text check (length(reference) <= 64);
