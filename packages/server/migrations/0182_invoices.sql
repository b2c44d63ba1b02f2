-- One row for each year: the last number that was given. Whoever credits a payment holds it until the credit is committed, so that no number is ever missing.
create table invoice_counter (
  year smallint primary key,
  last_number integer not null check (last_number >= 1)
);
comment on table invoice_counter is 'directory: the last number of an invoice in each year';

-- What a customer was invoiced for a payment, as it was then. Never changed.
create table invoice (
  user_id uuid not null references app_user (user_id),
  invoice_id uuid not null,
  year smallint not null,
  number integer not null,
  kind text not null check (kind in ('card', 'deposit', 'transfer')),
  reference text not null,
  gross_kobo bigint not null check (gross_kobo >= 0),
  net_kobo bigint not null,
  vat_kobo bigint not null check (vat_kobo >= 0 and net_kobo + vat_kobo = gross_kobo),
  -- Hundredths of a percent.
  vat_basis_points integer not null check (vat_basis_points between 0 and 10000),
  units_milli bigint not null,
  is_sandbox boolean not null default false,
  seller_name text not null,
  seller_address text not null,
  buyer_name text not null,
  buyer_email text not null,
  issued_at timestamptz not null,
  primary key (user_id, invoice_id),
  unique (user_id, kind, reference),
  unique (user_id, year, number)
);
comment on table invoice is 'tenant: invoices of payments, as they were issued';
