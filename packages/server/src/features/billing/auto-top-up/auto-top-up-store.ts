/** All SQL about kept cards and the top-up that charges them. */
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";

/** What a customer knows a card by. */
export type CardLabel = { brand: string; last4: string; expires: string };

export type KeptCard = CardLabel & { sealed: Buffer; email: string; isSandbox: boolean };

/** Keeps the card that paid last, and forgets that the one before was declined. */
export async function keepCard(tx: Queryable, userId: string, card: KeptCard): Promise<void> {
  await tx.query(
    `insert into auto_top_up (user_id, sealed_authorization, card_email, card_brand, card_last4, card_expires, is_sandbox)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (user_id) do update set sealed_authorization = $2, card_email = $3, card_brand = $4, card_last4 = $5, card_expires = $6,
       is_sandbox = $7, declined_count = 0, not_before = null`,
    [userId, card.sealed, card.email, card.brand, card.last4, card.expires, card.isSandbox],
  );
}

export async function findKeptCard(db: Queryable, userId: string): Promise<KeptCard | undefined> {
  const { rows } = await db.query<KeptCard>(
    `select sealed_authorization as sealed, card_email as email, card_brand as brand, card_last4 as last4, card_expires as expires,
       is_sandbox as "isSandbox"
     from auto_top_up where user_id = $1`,
    [userId],
  );
  return rows[0];
}

export type AutoTopUp = CardLabel & {
  isOn: boolean;
  isSandbox: boolean;
  belowMilli: number | null;
  units: number | null;
  perDayMax: number | null;
  isBelow: boolean;
  reference: string | null;
  notBefore: Date | null;
  switchedOffAt: Date | null;
};

const COLUMNS = `card_brand as brand, card_last4 as last4, card_expires as expires, is_on as "isOn", is_sandbox as "isSandbox",
  below_milli as "belowMilli", units, per_day_max as "perDayMax", is_below as "isBelow", reference, not_before as "notBefore",
  switched_off_at as "switchedOffAt"`;

export async function findAutoTopUp(db: Queryable, userId: string): Promise<AutoTopUp | undefined> {
  const { rows } = await db.query<AutoTopUp>(`select ${COLUMNS} from auto_top_up where user_id = $1`, [userId]);
  return rows[0];
}

/** Whoever begins a charge, settles one or changes the settings waits for the others here. */
export async function lockAutoTopUp(tx: Tx, userId: string): Promise<AutoTopUp | undefined> {
  const { rows } = await tx.query<AutoTopUp>(
    `select ${COLUMNS} from auto_top_up where user_id = $1 for no key update`,
    [userId],
  );
  return rows[0];
}

/** @param settings isBelow: whether the present crossing has had its charge. */
export async function saveAutoTopUp(
  tx: Tx,
  userId: string,
  settings: {
    isOn: boolean;
    belowMilli: number | null;
    units: number | null;
    perDayMax: number | null;
    isBelow: boolean;
  },
): Promise<void> {
  await tx.query(
    `update auto_top_up set is_on = $2, below_milli = $3, units = $4, per_day_max = $5, is_below = $6, declined_count = 0, not_before = null,
       switched_off_at = null
     where user_id = $1`,
    [userId, settings.isOn, settings.belowMilli, settings.units, settings.perDayMax, settings.isBelow],
  );
}

export type WatchedAmount = { userId: string; belowMilli: number; isBelow: boolean };

/** In the order of the customers' ids. Who is blocked or has closed the account is charged for nothing. */
export async function selectWatchedAmounts(
  db: Queryable,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<WatchedAmount[]> {
  const { rows } = await db.query<WatchedAmount>(
    `select auto_top_up.user_id as "userId", below_milli as "belowMilli", is_below as "isBelow"
     from auto_top_up join app_user using (user_id)
     where is_on and blocked_at is null and closed_at is null and ($1::uuid is null or auto_top_up.user_id > $1) order by auto_top_up.user_id limit $2`,
    [after ?? null, limit],
  );
  return rows;
}

/** Notes that a crossing has its charge. */
export async function markCrossing(tx: Tx, userId: string, reference: string): Promise<void> {
  await tx.query("update auto_top_up set is_below = true, reference = $2 where user_id = $1", [userId, reference]);
}

/** The units are above the amount again: the next crossing has a charge of its own. */
export async function endCrossing(tx: Queryable, userId: string, freeMilli: number): Promise<void> {
  await tx.query("update auto_top_up set is_below = false where user_id = $1 and is_below and below_milli <= $2", [
    userId,
    freeMilli,
  ]);
}

/** The newest charge came to nothing: the crossing still has to have one. */
export async function reopenCrossing(tx: Tx, userId: string, reference: string): Promise<void> {
  await tx.query("update auto_top_up set is_below = false where user_id = $1 and reference = $2", [userId, reference]);
}

/** @returns how often in a row the card was declined, with this time; undefined when it is off, or the charge is not the newest. */
export async function countDecline(
  tx: Tx,
  decline: { userId: string; reference: string; notBefore: Date },
): Promise<number | undefined> {
  const { rows } = await tx.query<{ count: number }>(
    `update auto_top_up set declined_count = declined_count + 1, is_below = false, not_before = $3
     where user_id = $1 and reference = $2 and is_on returning declined_count as count`,
    [decline.userId, decline.reference, decline.notBefore],
  );
  return rows[0]?.count;
}

export async function switchOff(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx.query("update auto_top_up set is_on = false, switched_off_at = $2 where user_id = $1", [userId, now]);
}

/** What a day's limit counts, and whether one is under way. A declined charge took no money. */
export async function readCharges(
  tx: Tx,
  { userId, since, newest }: { userId: string; since: Date; newest: string | null },
): Promise<{ today: number; isUnderWay: boolean }> {
  const { rows } = await tx.query<{ today: number; isUnderWay: boolean }>(
    `select count(*) filter (where created_at >= $2 and state <> 'failed')::integer as today,
       coalesce(bool_or(reference = $3 and state = 'open'), false) as "isUnderWay"
     from card_payment where user_id = $1 and is_automatic and (created_at >= $2 or reference = $3)`,
    [userId, since, newest],
  );
  return rows[0] ?? { today: 0, isUnderWay: false };
}

/** @returns true for the one run that may ask the provider to charge the card for this payment. */
export async function claimCharge(
  db: Queryable,
  { userId, reference, now }: { userId: string; reference: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update card_payment set charged_at = $3
     where user_id = $1 and reference = $2 and is_automatic and state = 'open' and charged_at is null`,
    [userId, reference, now],
  );
  return rowCount === 1;
}
