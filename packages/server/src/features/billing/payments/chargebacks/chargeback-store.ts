/** All SQL about refunds and disputes of card payments. */
import type { Queryable } from "../../../../db/pool.ts";
import type { Tx } from "../../../../db/transaction.ts";

export type Chargeback = {
  userId: string;
  chargebackId: string;
  reference: string;
  kind: "refund" | "dispute";
  /** The provider's number; null for a refund that is not processed yet. */
  providerId: string | null;
  state: "open" | "upheld" | "dismissed";
  amountKobo: number;
  unitsMilli: number;
  holdId: string | null;
  frozenMilli: number;
  takenMilli: number;
  spentMilli: number;
  createdAt: Date;
};

const COLUMNS = `user_id as "userId", claim_id as "chargebackId", reference, kind, provider_id as "providerId", state, amount_kobo as "amountKobo",
  units_milli as "unitsMilli", hold_id as "holdId", frozen_milli as "frozenMilli", taken_milli as "takenMilli",
  spent_milli as "spentMilli", created_at as "createdAt"`;

/** Oldest first. Callers that change them must hold the payment's lock. */
export async function selectChargebacks(db: Queryable, userId: string, reference: string): Promise<Chargeback[]> {
  const { rows } = await db.query<Chargeback>(
    `select ${COLUMNS} from card_payment_claim where user_id = $1 and reference = $2 order by created_at, claim_id`,
    [userId, reference],
  );
  return rows;
}

/** Of a page of payments, oldest first. */
export async function selectChargebacksOf(
  db: Queryable,
  payments: readonly { userId: string; reference: string }[],
): Promise<Chargeback[]> {
  const { rows } = await db.query<Chargeback>(
    `select ${COLUMNS} from card_payment_claim
     where (user_id, reference) in (select * from unnest($1::uuid[], $2::text[])) order by created_at, claim_id`,
    [payments.map(({ userId }) => userId), payments.map(({ reference }) => reference)],
  );
  return rows;
}

export async function countOpenDisputes(db: Queryable): Promise<{ count: number; oldestAt: Date | null }> {
  const { rows } = await db.query<{ count: number; oldestAt: Date | null }>(
    `select count(*) as count, min(created_at) as "oldestAt" from card_payment_claim where kind = 'dispute' and state = 'open'`,
  );
  return rows[0] ?? { count: 0, oldestAt: null };
}

/** Open disputes after the cursor, oldest first. */
export async function selectOpenDisputes(
  db: Queryable,
  page: { afterTime: Date; afterId: string; limit: number },
): Promise<{ id: string; amountKobo: number; reference: string; userName: string; email: string; createdAt: Date }[]> {
  const { rows } = await db.query<{
    id: string;
    amountKobo: number;
    reference: string;
    userName: string;
    email: string;
    createdAt: Date;
  }>(
    `select c.claim_id as id, c.amount_kobo as "amountKobo", c.reference, u.user_name as "userName", u.email, c.created_at as "createdAt"
     from card_payment_claim c join app_user u using (user_id)
     where c.kind = 'dispute' and c.state = 'open' and (date_trunc('milliseconds', c.created_at), c.claim_id) > ($1, $2)
     order by date_trunc('milliseconds', c.created_at), c.claim_id limit $3`,
    [page.afterTime, page.afterId, page.limit],
  );
  return rows;
}

/** Writes a chargeback, new or changed. */
export async function saveChargeback(tx: Tx, chargeback: Chargeback, now: Date): Promise<void> {
  await tx.query(
    `insert into card_payment_claim as c (user_id, claim_id, reference, kind, provider_id, state, amount_kobo, units_milli, hold_id,
       frozen_milli, taken_milli, spent_milli, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     on conflict (user_id, claim_id) do update set provider_id = excluded.provider_id, state = excluded.state,
       amount_kobo = excluded.amount_kobo, units_milli = excluded.units_milli, hold_id = excluded.hold_id,
       frozen_milli = excluded.frozen_milli, taken_milli = excluded.taken_milli, spent_milli = excluded.spent_milli,
       updated_at = excluded.updated_at`,
    [
      chargeback.userId,
      chargeback.chargebackId,
      chargeback.reference,
      chargeback.kind,
      chargeback.providerId,
      chargeback.state,
      chargeback.amountKobo,
      chargeback.unitsMilli,
      chargeback.holdId,
      chargeback.frozenMilli,
      chargeback.takenMilli,
      chargeback.spentMilli,
      chargeback.createdAt,
      now,
    ],
  );
}
