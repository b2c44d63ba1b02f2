-- What one administrator asked for and another one has to agree to.

-- waiting -> approved | declined, by another administrator; -> lapsed, when its subject was decided otherwise meanwhile, or
-- when somebody asked for something else in its place.
create table approval (
  approval_id uuid primary key,
  kind text not null constraint approval_kind_is_known check (kind in ('credit', 'deposit', 'sender', 'role')),
  -- What it is about, so that one thing waits once: a deposit, a request, a customer's names. A credit is about itself.
  subject_key text not null,
  -- The customer or administrator whom it is for.
  subject_id uuid not null,
  -- Theirs when it was asked: whoever has this mailbox does not approve it, whatever it is changed to meanwhile.
  subject_email text not null,
  -- A sentence for the one who decides.
  what text not null check (what <> ''),
  -- What the feature needs to carry it out.
  details jsonb not null,
  asked_by uuid not null references admin (admin_id),
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'declined', 'lapsed')),
  decided_by uuid references admin (admin_id),
  decided_at timestamptz,
  created_at timestamptz not null,
  constraint approval_decision_is_whole check (
    (state = 'waiting') = (decided_at is null) and (state in ('approved', 'declined')) = (decided_by is not null)
  ),
  -- Four eyes, whatever the program does.
  constraint approval_has_two_people check (decided_by is null or decided_by <> asked_by)
);
comment on table approval is 'directory: what waits for a second administrator';

create unique index approval_waits_once on approval (kind, subject_key) where state = 'waiting';
create index approval_waiting on approval (created_at, approval_id) where state = 'waiting';
