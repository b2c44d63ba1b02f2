/** Facts about customers that other features need. */
import type { Queryable } from "../../../db/pool.ts";

export type Customer = {
  userId: string;
  userName: string;
  email: string;
  isBlocked: boolean;
  /** Whether the dashboard, like programs, may send only from approved IP addresses. */
  isAddressRestricted: boolean;
};

const CUSTOMER_COLUMNS = `
  select user_id as "userId", user_name as "userName", email, blocked_at is not null as "isBlocked",
    is_address_restricted as "isAddressRestricted"
  from app_user`;

export async function findCustomer(db: Queryable, userId: string): Promise<Customer | undefined> {
  const { rows } = await db.query<Customer>(`${CUSTOMER_COLUMNS} where user_id = $1`, [userId]);
  return rows[0];
}

/** @returns undefined while the customer has not proven their mailbox. */
export async function findVerifiedEmail(db: Queryable, userId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ email: string }>(
    `select email from app_user where user_id = $1 and verified_at is not null`,
    [userId],
  );
  return rows[0]?.email;
}

/** @param email trimmed and in lower case. */
export async function findCustomerByEmail(db: Queryable, email: string): Promise<Customer | undefined> {
  const { rows } = await db.query<Customer>(`${CUSTOMER_COLUMNS} where email = $1`, [email]);
  return rows[0];
}

/** Customers by their ids, in any order; unknown ids are left out. */
export async function selectCustomers(db: Queryable, userIds: readonly string[]): Promise<Customer[]> {
  const { rows } = await db.query<Customer>(`${CUSTOMER_COLUMNS} where user_id = any ($1::uuid[])`, [userIds]);
  return rows;
}

/** @returns calls a second, null for as many as everybody. */
export async function findCallLimit(db: Queryable, userId: string): Promise<number | null> {
  const { rows } = await db.query<{ perSecond: number | null }>(
    `select calls_per_second as "perSecond" from app_user where user_id = $1`,
    [userId],
  );
  return rows[0]?.perSecond ?? null;
}

/** @param perSecond null gives everybody's limit back. @returns the limit before, undefined when there is no such customer. */
export async function updateCallLimit(
  tx: Queryable,
  userId: string,
  perSecond: number | null,
): Promise<{ before: number | null } | undefined> {
  const { rows } = await tx.query<{ before: number | null }>(
    `with old as (select calls_per_second from app_user where user_id = $1 for update)
     update app_user set calls_per_second = $2 from old where user_id = $1 returning old.calls_per_second as before`,
    [userId, perSecond],
  );
  return rows[0];
}

export async function updateAddressRestriction(tx: Queryable, userId: string, isRestricted: boolean): Promise<void> {
  await tx.query("update app_user set is_address_restricted = $2 where user_id = $1", [userId, isRestricted]);
}
