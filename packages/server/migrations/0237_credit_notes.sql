-- One row for each year: the last number that a credit note was given, held as that of invoices is.
create table credit_note_counter (
  year smallint primary key,
  last_number integer not null check (last_number >= 1)
);
comment on table credit_note_counter is 'directory: the last number of a credit note in each year';

-- What an invoice was corrected by when its payment was refunded or disputed with success. Never changed.
create table credit_note (
  user_id uuid not null,
  credit_note_id uuid not null,
  year smallint not null,
  number integer not null,
  invoice_id uuid not null,
  -- The refund or dispute: each corrects its invoice once.
  claim_id uuid not null,
  gross_kobo bigint not null check (gross_kobo >= 1),
  net_kobo bigint not null,
  vat_kobo bigint not null check (vat_kobo >= 0 and net_kobo + vat_kobo = gross_kobo),
  issued_at timestamptz not null,
  primary key (user_id, credit_note_id),
  foreign key (user_id, invoice_id) references invoice (user_id, invoice_id),
  unique (user_id, claim_id),
  unique (user_id, year, number)
);
comment on table credit_note is 'tenant: corrections of invoices, as they were issued';
create index credit_note_of_invoice on credit_note (user_id, invoice_id);
