import assert from "node:assert/strict";
import type { Tx } from "../db/transaction.ts";
import { AppError } from "../base/errors.ts";
import { assertAmount, unitsRequired } from "./amounts.ts";
import type { Balance } from "./read-balance.ts";
import { balanceOf } from "./read-balance.ts";
import { findAccount, findHold, giveBackHeld, takeHeld, takeHeldOfAll } from "./store.ts";

export type HoldRequest = {
  userId: string;
  /** The id of the send that the units are for; see `sendId`. */
  holdId: string;
  amountMilli: number;
  /** The payment whose refund or dispute freezes these units; without it they are for a send. */
  freezeReference?: string;
  /** The send, if its id differs from the hold's: a hold never changes its amount, so an edited send may need another hold. */
  sendId?: string;
};

export type Hold = Omit<HoldRequest, "freezeReference" | "sendId"> & {
  /** True when the hold existed before. Then this call took nothing. */
  isRepeat: boolean;
  /** The balance after the hold. */
  balance: Balance;
};

/**
 * Sets units aside for a send, so that two sends can never spend the same balance, or because their payment is disputed.
 * Calling again with the same hold returns the first one and takes nothing more.
 *
 * @param tx open transaction; the account stays locked until it ends.
 * @throws AppError `UNITS_REQUIRED` with `available` if fewer units are free; nothing is written, and the same hold may be
 *   tried again after a top-up.
 * @throws AppError `IDEMPOTENCY_CONFLICT` if the hold exists with another amount.
 */
export async function holdUnits(tx: Tx, request: HoldRequest): Promise<Hold> {
  const { userId, holdId, amountMilli } = request;
  assertAmount(amountMilli);
  const taken = await takeHeld(tx, {
    userId,
    holdId,
    amountMilli,
    freezeReference: request.freezeReference ?? null,
    sendId: request.sendId ?? null,
  });
  if (taken?.opened === true) return { userId, holdId, amountMilli, isRepeat: false, balance: balanceOf(taken) };

  if (taken !== undefined) await giveBackHeld(tx, { userId, amountMilli });
  const account = balanceOf(await findAccount(tx, userId));
  // The look-up follows the attempt to take units: the repeat of a send that spent the last ones finds none free.
  const earlier = await findHold(tx, { userId, holdId });
  if (earlier === undefined) throw unitsRequired(account.freeMilli);
  if (earlier.amountMilli !== amountMilli) throw new AppError("IDEMPOTENCY_CONFLICT");
  return { userId, holdId, amountMilli, isRepeat: true, balance: account };
}

/**
 * Sets units aside for several new sends of one customer: for all of them, or for none. Each send has a hold of its own.
 *
 * @param tx open transaction; the account stays locked until it ends.
 * @param sends hold ids that nobody used before, at least one.
 * @returns the balance after the holds.
 * @throws AppError `UNITS_REQUIRED` if fewer units are free than all of them need; nothing is written.
 */
export async function holdUnitsOfAll(
  tx: Tx,
  sends: { userId: string; holds: readonly { holdId: string; amountMilli: number }[] },
): Promise<Balance> {
  for (const { amountMilli } of sends.holds) assertAmount(amountMilli);
  const taken = await takeHeldOfAll(tx, sends);
  if (taken === undefined) throw unitsRequired(balanceOf(await findAccount(tx, sends.userId)).freeMilli);
  assert(taken.openedCount === sends.holds.length, "a hold of a new send exists already");
  return balanceOf(taken);
}
