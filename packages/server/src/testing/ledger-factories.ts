import { v7 as uuidv7 } from "uuid";
import type { Db } from "../db/pool.ts";
import { withTransaction } from "../db/transaction.ts";
import type { HoldRequest, TopUpRequest } from "../ledger/index.ts";
import { holdUnits, topUpUnits } from "../ledger/index.ts";
import type { BuiltUser } from "./factories.ts";
import { buildUser } from "./factories.ts";

/** Adds units through the ledger, as an administrator's credit with a reference of its own unless the facts say otherwise. */
export async function topUpUser(
  db: Db,
  userId: string,
  amountMilli: number,
  facts: Partial<Pick<TopUpRequest, "source" | "reference" | "note">> = {},
): Promise<void> {
  await withTransaction(db, (tx) =>
    topUpUnits(tx, { source: "manual", reference: uuidv7(), ...facts, userId, amountMilli }),
  );
}

/** A customer with units: 100 of them unless the facts say otherwise; 0 makes none, and no account. */
export async function buildUserWithUnits(db: Db, facts: { balanceMilli?: number } = {}): Promise<BuiltUser> {
  const user = await buildUser(db);
  const balanceMilli = facts.balanceMilli ?? 100_000;
  if (balanceMilli > 0) await topUpUser(db, user.userId, balanceMilli);
  return user;
}

/** An open hold of a customer: 10 units unless the facts say otherwise. */
export async function buildHold(
  db: Db,
  facts: Partial<HoldRequest> & Pick<HoldRequest, "userId">,
): Promise<HoldRequest> {
  const hold = { holdId: uuidv7(), amountMilli: 10_000, ...facts };
  await withTransaction(db, (tx) => holdUnits(tx, hold));
  return hold;
}
