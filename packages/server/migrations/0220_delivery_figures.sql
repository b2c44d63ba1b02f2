-- What processes have counted of messages and of what carriers did with them, added up over all processes and their restarts: `/metrics` of any web
-- process shows the same. Written once in ten seconds by each process.
create table delivery_figure (
  -- Which figure, such as `answers`.
  name text not null,
  -- Empty where there is none.
  carrier text not null,
  class text not null,
  kind text not null,
  -- One number, or of a histogram: recipients for each bound, those beyond the last, and the sum in milliseconds.
  counts bigint[] not null,
  written_at timestamptz not null,
  primary key (name, carrier, class, kind)
);
comment on table delivery_figure is 'directory: what was counted of messages and carriers, for /metrics';
