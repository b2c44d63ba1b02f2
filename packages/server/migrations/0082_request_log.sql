-- What programs called, for seven days: the pattern of the path and never the address, no body, no number.
create table program_call (
  user_id uuid not null references app_user (user_id),
  -- The request's id, as a refusal names it; its time puts the calls in order.
  call_id uuid not null,
  key_id uuid not null,
  method text not null,
  path text not null,
  status smallint not null,
  code text,
  duration_ms integer not null,
  called_at timestamptz not null,
  primary key (user_id, call_id)
);
comment on table program_call is 'tenant: calls of programs, for seven days';
create index program_call_of_key on program_call (user_id, key_id, call_id);
create index program_call_refused on program_call (user_id, call_id) where status >= 400;
create index program_call_by_time on program_call using brin (called_at) with (autosummarize = on);

-- How often each key called, day by day of Lagos; counted as the calls are written.
create table program_usage (
  user_id uuid not null references app_user (user_id),
  key_id uuid not null,
  day date not null,
  calls bigint not null,
  errors bigint not null,
  primary key (user_id, key_id, day)
);
comment on table program_usage is 'tenant: calls and errors of each key by day';
