import type { Queryable } from "../db/pool.ts";
import type { AccountRow } from "./store.ts";
import { findAccount, findAccounts } from "./store.ts";

/** In thousandths of a unit. A customer sees and can spend `freeMilli`. */
export type Balance = { balanceMilli: number; heldMilli: number; freeMilli: number };

/** @returns a customer's units, zeros without an account. */
export async function readBalance(db: Queryable, userId: string): Promise<Balance> {
  return balanceOf(await findAccount(db, userId));
}

/** @returns the units of each customer by id, zeros without an account. */
export async function readBalances(db: Queryable, userIds: string[]): Promise<Map<string, Balance>> {
  const found = new Map((await findAccounts(db, userIds)).map((row) => [row.userId, row]));
  return new Map(userIds.map((userId) => [userId, balanceOf(found.get(userId))]));
}

export function balanceOf(row: AccountRow | undefined): Balance {
  return { balanceMilli: row?.balanceMilli ?? 0, heldMilli: row?.heldMilli ?? 0, freeMilli: row?.freeMilli ?? 0 };
}
