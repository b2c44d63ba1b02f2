import assert from "node:assert/strict";
import { v7 as uuidv7 } from "uuid";
import type { Tx } from "../db/transaction.ts";
import { assertAmount } from "./amounts.ts";
import { holdColumns, updateHolds, type MoveRow } from "./hold-store.ts";
import type { HoldKey } from "./store.ts";
import { findHold, lockAccounts } from "./store.ts";

export type HoldAmount = { userId: string; holdId: string; amountMilli: number };

/** What one flush of carrier answers charges and releases of a hold. Either amount may be 0. */
export type HoldMove = { userId: string; holdId: string; chargeMilli: number; releaseMilli: number };

/**
 * Settles a flush: charges what the carriers accepted and releases what they refused, for any number of sends and
 * customers in one round trip. Each charged hold gets one journal, `<holdId>:<sequence>`.
 *
 * Not idempotent: the caller's fencing, in the same transaction, ensures that a flush is recorded once.
 *
 * @param tx open transaction; accounts and holds stay locked until it ends, so call this just before COMMIT.
 * @param moves several moves of one hold are added up.
 * @throws AssertionError if a hold does not exist or has less left than the moves take. The caller must roll back.
 */
export async function moveHolds(tx: Tx, moves: HoldMove[]): Promise<void> {
  const rows = addUp(moves);
  if (rows.length === 0) return;
  const movedCount = await updateHolds(tx, rows);
  assert.equal(
    movedCount,
    rows.length,
    `${rows.length - movedCount} of ${rows.length} holds are unknown or have too little left`,
  );
}

/**
 * The same moves as columns, for a statement that calls the database's `move_holds` among other things (users, holds, charges, releases,
 * journals). What holds for `moveHolds` holds for that statement.
 */
export function readHoldMoves(moves: HoldMove[]): string[] {
  return holdColumns(addUp(moves));
}

/** Charges holds for recipients that carriers accepted; see `moveHolds`. */
export async function chargeHolds(tx: Tx, charges: HoldAmount[]): Promise<void> {
  await moveHolds(
    tx,
    charges.map(({ userId, holdId, amountMilli }) => ({ userId, holdId, chargeMilli: amountMilli, releaseMilli: 0 })),
  );
}

/** Releases units of recipients that will not be sent to; see `moveHolds`. */
export async function releaseHolds(tx: Tx, releases: HoldAmount[]): Promise<void> {
  await moveHolds(
    tx,
    releases.map(({ userId, holdId, amountMilli }) => ({ userId, holdId, chargeMilli: 0, releaseMilli: amountMilli })),
  );
}

/**
 * Releases what a hold still has, when its send ends or is cancelled. A second call releases nothing.
 *
 * @returns the thousandths of a unit that this call freed.
 * @throws AssertionError if there is no such hold.
 */
export async function settleHold(tx: Tx, key: HoldKey): Promise<number> {
  // Lock before reading: otherwise an open flush could charge units that this call has released.
  await lockAccounts(tx, [key.userId]);
  const hold = await findHold(tx, key);
  assert(hold, `There is no hold ${key.holdId}`);
  await releaseHolds(tx, [{ ...key, amountMilli: hold.openMilli }]);
  return hold.openMilli;
}

/** Adds up the moves of each hold, and drops empty ones. An UPDATE uses only one of several rows for the same hold. */
function addUp(moves: HoldMove[]): MoveRow[] {
  const totals = new Map<string, HoldMove>();
  for (const move of moves) {
    assertAmount(move.chargeMilli, 0);
    assertAmount(move.releaseMilli, 0);
    const key = `${move.userId} ${move.holdId}`;
    const total = totals.get(key) ?? { userId: move.userId, holdId: move.holdId, chargeMilli: 0, releaseMilli: 0 };
    total.chargeMilli += move.chargeMilli;
    total.releaseMilli += move.releaseMilli;
    totals.set(key, total);
  }
  return [...totals.values()]
    .filter((total) => total.chargeMilli + total.releaseMilli > 0)
    .map((total) => ({ ...total, journalId: uuidv7() }));
}
