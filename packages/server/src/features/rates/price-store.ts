/** All SQL about what single customers pay: their own prices, the tiers, and the units that decide which tier is theirs. */
import type { MessageClass, PriceTier } from "@ewebal/contract";
import type { Queryable } from "../../db/pool.ts";

export type CustomerPrice = {
  customerPriceId: string;
  userId: string;
  code: string;
  /** Null: of both. */
  class: MessageClass | null;
  /** Null: what everybody pays. */
  rateMilli: number | null;
  effectiveAt: Date;
  createdAt: Date;
};

const PRICE_COLUMNS = `customer_price_id as "customerPriceId", user_id as "userId", code, class, rate_milli as "rateMilli",
  effective_at as "effectiveAt", created_at as "createdAt"`;

/** @returns undefined when what everybody pays holds at that moment. */
export async function findCustomerPrice(
  db: Queryable,
  { userId, code, at, class: messageClass }: { userId: string; code: string; at: Date; class: MessageClass },
): Promise<number | undefined> {
  const { rows } = await db.query<{ rateMilli: number | null }>({
    name: "price-of-customer",
    text: `select rate_milli as "rateMilli" from customer_price
     where user_id = $1 and code = $2 and effective_at <= $3 and coalesce(class, $4) = $4
     order by effective_at desc, customer_price_id desc limit 1`,
    values: [userId, code, at, messageClass],
  });
  return rows[0]?.rateMilli ?? undefined;
}

/** A customer's prices that hold at a moment, one for each code that has any. */
export async function selectHeldPrices(
  db: Queryable,
  { userId, at, class: messageClass }: { userId: string; at: Date; class: MessageClass },
): Promise<Pick<CustomerPrice, "customerPriceId" | "code" | "rateMilli">[]> {
  const { rows } = await db.query<Pick<CustomerPrice, "customerPriceId" | "code" | "rateMilli">>(
    `select distinct on (code) customer_price_id as "customerPriceId", code, rate_milli as "rateMilli" from customer_price
     where user_id = $1 and effective_at <= $2 and coalesce(class, $3) = $3
     order by code, effective_at desc, customer_price_id desc`,
    [userId, at, messageClass],
  );
  return rows;
}

/** Newest first. */
export async function selectCustomerPrices(db: Queryable, userId: string, limit: number): Promise<CustomerPrice[]> {
  const { rows } = await db.query<CustomerPrice>(
    `select ${PRICE_COLUMNS} from customer_price where user_id = $1 order by customer_price_id desc limit $2`,
    [userId, limit],
  );
  return rows;
}

export async function findNextPriceChange(db: Queryable, userId: string, after: Date): Promise<Date | undefined> {
  const { rows } = await db.query<{ next: Date | null }>(
    "select min(effective_at) as next from customer_price where user_id = $1 and effective_at > $2",
    [userId, after],
  );
  return rows[0]?.next ?? undefined;
}

export async function insertCustomerPrice(db: Queryable, price: CustomerPrice & { adminId: string }): Promise<void> {
  await db.query(
    `insert into customer_price (user_id, customer_price_id, code, class, rate_milli, effective_at, admin_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      price.userId,
      price.customerPriceId,
      price.code,
      price.class,
      price.rateMilli,
      price.effectiveAt,
      price.adminId,
      price.createdAt,
    ],
  );
}

/**
 * Marks that sends look for the customer's own prices from now on. Others who set prices of this customer wait until the transaction ends.
 *
 * @returns whether there is such a customer.
 */
export async function lockOwnPrices(tx: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query("update app_user set has_own_prices = true where user_id = $1", [userId]);
  return rowCount === 1;
}

/** Lowest first. */
export async function selectTiers(db: Queryable): Promise<PriceTier[]> {
  const { rows } = await db.query<PriceTier>(
    `select units_per_month_milli as "unitsPerMonthMilli", discount_basis_points as "discountBasisPoints"
     from price_tier order by units_per_month_milli`,
  );
  return rows;
}

export async function replaceTiers(tx: Queryable, tiers: readonly PriceTier[]): Promise<void> {
  await tx.query("delete from price_tier");
  await tx.query(
    `insert into price_tier (units_per_month_milli, discount_basis_points)
     select * from unnest($1::bigint[], $2::integer[]) as new (units_per_month_milli, discount_basis_points)`,
    [
      tiers.map(({ unitsPerMonthMilli }) => unitsPerMonthMilli),
      tiers.map(({ discountBasisPoints }) => discountBasisPoints),
    ],
  );
}

export type ListPrice = {
  /** Null: no edit holds. */
  rateMilli: number | null;
  tiers: PriceTier[];
  /** Whether some carrier's cost is known for numbers of the code, or for some of them. */
  hasCost: boolean;
};

/** What everybody pays for a code by the edits of the list, with the tiers, in one round trip: each send asks. */
export async function readListPrice(
  db: Queryable,
  { code, at, class: messageClass, isListed }: { code: string; at: Date; class: MessageClass; isListed: boolean },
): Promise<ListPrice> {
  const { rows } = await db.query<ListPrice>({
    name: "list-price",
    text: `select (
       select rate_milli from rate_edit where withdrawn_at is null and code = $1 and effective_at <= $2
         and coalesce(class, $3) = $3
       order by effective_at desc, rate_edit_id desc limit 1
     ) as "rateMilli", coalesce((
       select jsonb_agg(jsonb_build_object('unitsPerMonthMilli', units_per_month_milli, 'discountBasisPoints', discount_basis_points))
       from price_tier
     ), '[]') as tiers, case when $4::boolean then true else exists (
       select from rate_edit where withdrawn_at is null and code = $1 and effective_at <= $2
     ) or exists (
       select from carrier_cost cost where cost_milli is not null and effective_at <= $2 and ($1 like prefix || '%' or prefix like $1 || '%')
         and not exists (
           select from carrier_cost later where later.carrier_name = cost.carrier_name and later.prefix = cost.prefix
             and later.effective_at > cost.effective_at and later.effective_at <= $2
         )
     ) end as "hasCost"`,
    values: [code, at, messageClass, isListed],
  });
  return rows[0] ?? { rateMilli: null, tiers: [], hasCost: isListed };
}

/** @returns the beginnings of numbers that some carrier has a cost for; the empty one is every number's. */
export async function selectCostedPrefixes(db: Queryable, at: Date): Promise<string[]> {
  const { rows } = await db.query<{ prefix: string }>(
    `select distinct prefix from carrier_cost cost where cost_milli is not null and effective_at <= $1 and not exists (
       select from carrier_cost later where later.carrier_name = cost.carrier_name and later.prefix = cost.prefix
         and later.effective_at > cost.effective_at and later.effective_at <= $1
     )`,
    [at],
  );
  return rows.map(({ prefix }) => prefix);
}

/** @returns the greater of what the customer used in the month of Lagos before `at` and in its own, as the last minute's job added it up. */
export async function readMonthlyUse(db: Queryable, userId: string, at: Date): Promise<number> {
  const { rows } = await db.query<{ usedMilli: number }>({
    name: "monthly-use",
    text: `select coalesce(max(month.used_milli), 0)::bigint as "usedMilli" from (
       select sum(used_milli)::bigint as used_milli from customer_day
       where user_id = $1 and day >= (date_trunc('month', $2::timestamptz at time zone 'Africa/Lagos') - interval '1 month')::date
         and day <= ($2::timestamptz at time zone 'Africa/Lagos')::date
       group by date_trunc('month', day)
     ) as month`,
    values: [userId, at],
  });
  return rows[0]?.usedMilli ?? 0;
}
