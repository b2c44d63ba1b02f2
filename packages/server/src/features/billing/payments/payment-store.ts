/** All SQL about card payments. */
import type { PaymentState } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";

export type Payment = {
  userId: string;
  reference: string;
  units: number;
  totalKobo: number;
  state: PaymentState;
  isSandbox: boolean;
  /** Begun by the auto top-up, which charges the kept card. */
  isAutomatic: boolean;
  authorizationUrl: string | null;
  problem: string | null;
  channel: string | null;
  createdAt: Date;
  paidAt: Date | null;
  /** Of all its refunds and disputes, in thousandths of a unit. */
  frozenMilli: number;
  takenMilli: number;
  email: string;
  userName: string;
  fullName: string;
};

const SELECT_PAYMENTS = `
  select p.user_id as "userId", p.reference, p.units, p.total_kobo as "totalKobo", p.state, p.is_sandbox as "isSandbox",
    p.is_automatic as "isAutomatic", p.authorization_url as "authorizationUrl", p.problem, p.channel, p.created_at as "createdAt", p.paid_at as "paidAt",
    chargebacks.frozen_milli as "frozenMilli", chargebacks.taken_milli as "takenMilli", u.email, u.user_name as "userName", u.full_name as "fullName"
  from card_payment p join app_user u using (user_id) cross join lateral (
    select coalesce(sum(c.frozen_milli), 0)::bigint as frozen_milli, coalesce(sum(c.taken_milli), 0)::bigint as taken_milli
    from card_payment_claim c where c.user_id = p.user_id and c.reference = p.reference
  ) chargebacks`;

export async function insertPayment(
  db: Queryable,
  payment: {
    userId: string;
    reference: string;
    units: number;
    totalKobo: number;
    isSandbox: boolean;
    isAutomatic?: boolean;
    createdAt: Date;
    nextCheckAt: Date;
  },
): Promise<void> {
  const { userId, reference, units, totalKobo, isSandbox, isAutomatic = false, createdAt, nextCheckAt } = payment;
  await db.query(
    `insert into card_payment (user_id, reference, units, total_kobo, state, is_sandbox, is_automatic, created_at, next_check_at)
     values ($1, $2, $3, $4, 'open', $5, $6, $7, $8)`,
    [userId, reference, units, totalKobo, isSandbox, isAutomatic, createdAt, nextCheckAt],
  );
}

type PaymentKey = { userId: string; reference: string };

export async function updateAuthorizationUrl(
  db: Queryable,
  { userId, reference }: PaymentKey,
  authorizationUrl: string,
): Promise<void> {
  await db.query("update card_payment set authorization_url = $3 where user_id = $1 and reference = $2", [
    userId,
    reference,
    authorizationUrl,
  ]);
}

export async function findPayment(db: Queryable, { userId, reference }: PaymentKey): Promise<Payment | undefined> {
  const { rows } = await db.query<Payment>(`${SELECT_PAYMENTS} where p.user_id = $1 and p.reference = $2`, [
    userId,
    reference,
  ]);
  return rows[0];
}

/** For events of the provider, which name only the reference. */
export async function findPaymentByReference(db: Queryable, reference: string): Promise<Payment | undefined> {
  const { rows } = await db.query<Payment>(`${SELECT_PAYMENTS} where p.reference = $1`, [reference]);
  return rows[0];
}

/** Newest first: references are in order of time. */
export async function selectCustomerPayments(
  db: Queryable,
  list: { userId: string; after: string | undefined; limit: number },
): Promise<Payment[]> {
  const { rows } = await db.query<Payment>(
    `${SELECT_PAYMENTS} where p.user_id = $1 and ($2::text is null or p.reference < $2) order by p.reference desc limit $3`,
    [list.userId, list.after ?? null, list.limit],
  );
  return rows;
}

/** Everybody's, newest first. */
export async function selectAllPayments(
  db: Queryable,
  list: { state: PaymentState | undefined; after: string | undefined; limit: number },
): Promise<Payment[]> {
  const { rows } = await db.query<Payment>(
    `${SELECT_PAYMENTS} where ($1::text is null or p.state = $1) and ($2::text is null or p.reference < $2) order by p.reference desc limit $3`,
    [list.state ?? null, list.after ?? null, list.limit],
  );
  return rows;
}

/**
 * Marks a payment as paid. A second caller waits for the first, and gets false.
 */
export async function markPaid(
  tx: Tx,
  { userId, reference }: PaymentKey,
  paid: { now: Date; channel: string | null; providerId: string | null },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update card_payment set state = 'paid', paid_at = $3, channel = $4, provider_id = $5, provider_status = 'success', problem = null,
       next_check_at = null
     where user_id = $1 and reference = $2 and state in ('open', 'failed', 'ended')`,
    [userId, reference, paid.now, paid.channel, paid.providerId],
  );
  return rowCount === 1;
}

/** @returns whether the state is another than before. */
export async function markUnpaid(
  tx: Tx,
  { userId, reference }: PaymentKey,
  unpaid: { state: "open" | "failed"; providerStatus: string },
): Promise<boolean> {
  const { rows } = await tx.query<{ isChanged: boolean }>(
    `update card_payment p set state = $3, provider_status = $4
     from card_payment old
     where p.user_id = $1 and p.reference = $2 and p.state in ('open', 'failed') and (p.state, p.provider_status) is distinct from ($3, $4)
       and old.user_id = p.user_id and old.reference = p.reference
     returning old.state <> p.state as "isChanged"`,
    [userId, reference, unpaid.state, unpaid.providerStatus],
  );
  return rows[0]?.isChanged ?? false;
}

/** @returns whether this problem is new. */
export async function markProblem(tx: Tx, { userId, reference }: PaymentKey, problem: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update card_payment set problem = $3
     where user_id = $1 and reference = $2 and state in ('open', 'failed', 'ended') and problem is distinct from $3`,
    [userId, reference, problem],
  );
  return rowCount === 1;
}

/** Stops asking the provider. @returns false for a payment that is paid or ended already. */
export async function markEnded(db: Queryable, { userId, reference }: PaymentKey): Promise<boolean> {
  const { rowCount } = await db.query(
    "update card_payment set state = 'ended', next_check_at = null where user_id = $1 and reference = $2 and state in ('open', 'failed')",
    [userId, reference],
  );
  return rowCount === 1;
}

/** Waits for other changes of this payment or its refunds and disputes. */
export async function lockPayment(tx: Tx, { userId, reference }: PaymentKey): Promise<boolean> {
  const { rowCount } = await tx.query(
    "select from card_payment where user_id = $1 and reference = $2 for no key update",
    [userId, reference],
  );
  return rowCount === 1;
}

export async function updatePaidState(
  tx: Tx,
  { userId, reference }: PaymentKey,
  state: "paid" | "frozen" | "reversed",
): Promise<void> {
  await tx.query("update card_payment set state = $3 where user_id = $1 and reference = $2 and paid_at is not null", [
    userId,
    reference,
    state,
  ]);
}

/** Doubled more often than this a delay is beyond any limit. */
const CHECK_DOUBLINGS_MAX = 20;

export type DuePayment = PaymentKey & { totalKobo: number; createdAt: Date };

/**
 * Takes the payments that are due for a check, and sets each one's next check before it is made: a process that dies, or a
 * provider that hangs, delays no other payment.
 */
export async function takeDuePayments(
  db: Queryable,
  due: { now: Date; limit: number; firstDelayMs: number; delayMaxMs: number },
): Promise<DuePayment[]> {
  const { rows } = await db.query<DuePayment & { checkCount: number }>(
    `select user_id as "userId", reference, total_kobo as "totalKobo", created_at as "createdAt", check_count as "checkCount"
     from card_payment where next_check_at <= $1 order by next_check_at limit $2`,
    [due.now, due.limit],
  );
  const taken: DuePayment[] = [];
  for (const { checkCount, ...payment } of rows) {
    const delayMs = Math.min(due.firstDelayMs * 2 ** Math.min(checkCount, CHECK_DOUBLINGS_MAX), due.delayMaxMs);
    // Each alone: of two workers that have found the same one the second finds that it was counted meanwhile.
    const { rowCount } = await db.query(
      `update card_payment set check_count = check_count + 1, next_check_at = $4
       where user_id = $1 and reference = $2 and check_count = $3 and next_check_at <= $5`,
      [payment.userId, payment.reference, checkCount, new Date(due.now.getTime() + delayMs), due.now],
    );
    if (rowCount === 1) taken.push(payment);
  }
  return taken;
}
