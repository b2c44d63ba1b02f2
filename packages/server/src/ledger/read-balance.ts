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

const WATCHED_PER_PAGE = 1_000;

/**
 * Walks rows of customers page by page, each with the customer's free units, in thousandths.
 *
 * @param selectPage rows in the order of their customers' ids, of those behind `after`; one for each customer.
 */
export async function* eachWithFreeUnits<Row extends { userId: string }>(
  db: Queryable,
  selectPage: (db: Queryable, page: { after: string | undefined; limit: number }) => Promise<Row[]>,
): AsyncGenerator<Row & { freeMilli: number }> {
  let after: string | undefined;
  do {
    const rows = await selectPage(db, { after, limit: WATCHED_PER_PAGE });
    const balances = await readBalances(
      db,
      rows.map(({ userId }) => userId),
    );
    for (const row of rows) yield { ...row, freeMilli: balances.get(row.userId)?.freeMilli ?? 0 };
    after = rows.length < WATCHED_PER_PAGE ? undefined : rows.at(-1)?.userId;
  } while (after !== undefined);
}

export function balanceOf(row: AccountRow | undefined): Balance {
  return { balanceMilli: row?.balanceMilli ?? 0, heldMilli: row?.heldMilli ?? 0, freeMilli: row?.freeMilli ?? 0 };
}
