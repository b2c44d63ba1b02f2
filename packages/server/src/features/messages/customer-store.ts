/** What messages must know of a customer. */
import type { Queryable } from "../../db/pool.ts";

export type Customer = {
  userId: string;
  userName: string;
  email: string;
  /** Whether the dashboard, too, may send from approved addresses only. */
  isAddressRestricted: boolean;
};

const selectCustomers = `select user_id as "userId", user_name as "userName", email, is_address_restricted as "isAddressRestricted" from app_user`;

export async function findCustomer(db: Queryable, userId: string): Promise<Customer | undefined> {
  const { rows } = await db.query<Customer>(`${selectCustomers} where user_id = $1`, [userId]);
  return rows[0];
}

export async function updateAddressRestriction(tx: Queryable, userId: string, isRestricted: boolean): Promise<void> {
  await tx.query("update app_user set is_address_restricted = $2 where user_id = $1", [userId, isRestricted]);
}

/** @param email trimmed and in lower case. */
export async function findCustomerByEmail(db: Queryable, email: string): Promise<Customer | undefined> {
  const { rows } = await db.query<Customer>(`${selectCustomers} where email = $1`, [email]);
  return rows[0];
}
