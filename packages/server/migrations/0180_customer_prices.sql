-- What one customer pays for a page, in place of the list's rate, from a time on. A null rate gives the list's back.
create table customer_price (
  user_id uuid not null references app_user (user_id),
  customer_price_id uuid not null,
  code text not null check (code ~ '^[1-9][0-9]{0,5}$'),
  -- Null: of both classes.
  class text check (class in ('promotional', 'transactional')),
  rate_milli bigint check (rate_milli between 1 and 1000000),
  effective_at timestamptz not null,
  admin_id uuid not null,
  created_at timestamptz not null,
  primary key (user_id, customer_price_id)
);
create index customer_price_by_code on customer_price (user_id, code, effective_at desc, customer_price_id desc) include (class, rate_milli);
comment on table customer_price is 'tenant: what a customer pays for a page in place of the list''s rate';

-- A send of a customer without such prices, which is nearly every one, does not look for them.
alter table app_user add column has_own_prices boolean not null default false;

-- Who uses so many units in a month pays so much less than the list's rate.
create table price_tier (
  units_per_month_milli bigint primary key check (units_per_month_milli >= 0),
  -- Hundredths of a percent.
  discount_basis_points integer not null check (discount_basis_points between 1 and 9000)
);
comment on table price_tier is 'directory: discounts by the units that a customer uses in a month';
