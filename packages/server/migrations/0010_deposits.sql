-- Bank transfers that customers report with their receipts, and the files that they upload. Tenant tables: the customer's id
-- comes first in every key.

-- begun -> kept, or begun -> removing -> gone. The row is written before the bytes; see src/files/stored-files.ts.
create table stored_file (
  user_id uuid not null references app_user (user_id),
  file_id uuid not null,
  extension text not null constraint stored_file_extension_is_known check (extension in ('pdf', 'jpg', 'png')),
  content_type text not null,
  byte_count integer not null check (byte_count > 0),
  created_at timestamptz not null,
  -- Set by the transaction that needs the file.
  kept_at timestamptz,
  -- Set by the clean-up: from then on nothing may need it.
  removing_at timestamptz,
  primary key (user_id, file_id),
  constraint stored_file_is_kept_or_removed check (kept_at is null or removing_at is null)
);
comment on table stored_file is 'tenant: uploaded files, whose bytes lie in the file store';

create index stored_file_orphan on stored_file (created_at) where kept_at is null;

-- pending -> verified | declined | withdrawn, once.
create table deposit (
  user_id uuid not null references app_user (user_id),
  deposit_id uuid not null,
  depositor_name text not null,
  amount_kobo bigint not null check (amount_kobo > 0),
  -- Without the prefix 234 and without leading zeros.
  phone_no text not null,
  teller_id text not null,
  -- The teller id without what people write differently each time: case, spaces, dashes.
  teller_key text not null,
  -- As the customer says it; a day in Lagos.
  transaction_date date not null,
  bank text not null,
  file_id uuid not null,
  -- SHA-256 of the receipt as it was uploaded.
  receipt_hash bytea not null check (length(receipt_hash) = 32),
  -- Another deposit, of whomever, has the same receipt or teller id.
  is_flagged boolean not null default false,
  state text not null default 'pending' check (state in ('pending', 'verified', 'declined', 'withdrawn')),
  -- A credit that one administrator wishes and another must agree to.
  proposed_milli bigint check (proposed_milli > 0),
  proposed_by uuid references admin (admin_id),
  proposed_at timestamptz,
  credited_milli bigint check (credited_milli > 0),
  -- Of a decline, in the administrator's words.
  reason text not null default '',
  -- The administrator; nobody for what the customer withdrew.
  decided_by uuid references admin (admin_id),
  decided_at timestamptz,
  -- Since when the customer does not see it.
  hidden_at timestamptz,
  created_at timestamptz not null,
  primary key (user_id, deposit_id),
  constraint deposit_receipt_is_the_customers foreign key (user_id, file_id) references stored_file (user_id, file_id),
  constraint deposit_proposal_is_whole check (
    (proposed_milli is null) = (proposed_by is null) and (proposed_milli is null) = (proposed_at is null)
  ),
  constraint deposit_proposal_waits check (proposed_milli is null or state = 'pending'),
  constraint deposit_decision_is_whole check (
    (state = 'pending') = (decided_at is null) and (state in ('verified', 'declined')) = (decided_by is not null)
  ),
  constraint deposit_credit_is_verified check ((state = 'verified') = (credited_milli is not null)),
  constraint deposit_withdrawn_is_hidden check (state <> 'withdrawn' or hidden_at is not null)
);
comment on table deposit is 'tenant: bank transfers that customers report';

-- Ids are in order of time: the administrators' lists of everybody's deposits.
create index deposit_newest on deposit (deposit_id);
create index deposit_state on deposit (state, deposit_id);
create index deposit_flagged on deposit (deposit_id) where is_flagged;
create index deposit_receipt on deposit (receipt_hash);
create index deposit_teller on deposit (teller_key);
-- What a customer sees of their own.
create index deposit_shown on deposit (user_id, deposit_id) where hidden_at is null;
-- Each upload belongs to one deposit.
create unique index deposit_file on deposit (user_id, file_id);
