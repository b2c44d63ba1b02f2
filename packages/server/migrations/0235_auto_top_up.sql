-- The card that a customer paid with last, as the card provider lets us charge it again, and the top-up that charges it by itself.
create table auto_top_up (
  user_id uuid primary key references app_user (user_id),
  -- The provider's authorization, sealed with the key that lies outside the database; the provider takes it with this e-mail alone.
  sealed_authorization bytea not null,
  card_email text not null,
  -- What a person knows the card by, such as `Visa` and `4081`.
  card_brand text not null,
  card_last4 text not null,
  card_expires text not null,
  -- The built-in sandbox keeps it.
  is_sandbox boolean not null,
  is_on boolean not null default false,
  below_milli bigint check (below_milli > 0),
  units bigint check (units >= 1),
  per_day_max integer check (per_day_max >= 1),
  -- This crossing has had its charge, and the units have not been above the amount since.
  is_below boolean not null default false,
  -- The newest charge. A new one waits until it is settled.
  reference text,
  declined_count integer not null default 0,
  -- After a declined charge: when the next one may be made.
  not_before timestamptz,
  switched_off_at timestamptz,
  constraint auto_top_up_knows_what_to_buy check (not is_on or (below_milli is not null and units is not null and per_day_max is not null))
);
comment on table auto_top_up is 'tenant: the kept card of a customer, and when it is charged by itself';
create index auto_top_up_on on auto_top_up (user_id) where is_on;

-- `charged_at`: the provider may have been asked to charge the kept card for it. It is asked once.
alter table card_payment
  add column is_automatic boolean not null default false,
  add column charged_at timestamptz;

-- The sandbox's card pays once and is declined after that.
alter table sandbox_transaction add column declines_later boolean not null default false;
