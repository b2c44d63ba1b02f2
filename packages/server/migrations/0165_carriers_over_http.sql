-- Carriers over HTTP that administrators keep. A table of their own: the release before would take a row of kept_carrier for an SMPP carrier.
create table kept_http_carrier (
  kept_carrier_id uuid primary key,
  name text not null constraint kept_http_carrier_name_key unique,
  -- What may be shown: everything but what is sealed.
  facts jsonb not null,
  -- How it is spoken to as it was typed, address, headers, body, secrets and reports, encrypted with a key outside the database.
  sealed_link bytea not null,
  -- SHA-256 of the secret part of the address that it reports to.
  report_secret_hash bytea constraint kept_http_carrier_report_secret_key unique,
  is_enabled boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table kept_http_carrier is 'directory: carriers over HTTP that administrators keep';

-- What carriers over HTTP reported, until a worker has recorded it. They have their acknowledgement once it stands here.
create table carrier_report (
  report_id bigint generated always as identity primary key,
  carrier_id smallint not null,
  carrier_key text not null,
  state text not null,
  error_code text not null,
  phone_no bigint,
  sender_name text not null,
  due_at timestamptz not null
);
comment on table carrier_report is 'directory: reports of carriers over HTTP that no worker has recorded yet';
create index carrier_report_due on carrier_report (due_at);
