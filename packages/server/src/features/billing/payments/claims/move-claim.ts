/**
 * What a refund or a dispute does to units. docs/ledger.md has the table.
 *
 * open      what is free is set aside, the rest is noted as spent  -> upheld, dismissed
 * upheld    what was set aside is taken back                       (final)
 * dismissed what was set aside is free again                       (final)
 */
import { MILLI_PER_UNIT } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Tx } from "../../../../db/transaction.ts";
import { holdUnits, lockAccounts, readBalance, reverseTopUp, settleHold } from "../../../../ledger/index.ts";
import type { Claim } from "./claim-store.ts";

/**
 * The part of a payment's units that a part of its money bought, rounded up: a thousandth more is frozen, never one less.
 *
 * @returns thousandths of a unit, at most all of the payment's.
 */
export function unitsOfMoney(payment: { units: number; totalKobo: number }, amountKobo: number): number {
  const unitsMilli = payment.units * MILLI_PER_UNIT;
  if (amountKobo >= payment.totalKobo) return unitsMilli;
  const total = BigInt(payment.totalKobo);
  return Number((BigInt(unitsMilli) * BigInt(amountKobo) + total - 1n) / total);
}

/**
 * Brings an open claim of a credited payment to a state. The payment must be locked; the account stays so until the
 * transaction ends.
 */
export async function moveClaim(tx: Tx, claim: Claim, state: Claim["state"]): Promise<Claim> {
  // Once: units that were bought after it are not of this payment.
  const isNew = claim.holdId === null && claim.spentMilli === 0;
  const frozen = isNew ? await freeze(tx, claim) : claim;
  if (state === "open") return frozen;
  const { userId, holdId, unitsMilli } = frozen;
  if (holdId !== null) await settleHold(tx, { userId, holdId });
  if (state === "dismissed") return { ...frozen, state, frozenMilli: 0, spentMilli: 0 };
  const takenMilli = Math.min(frozen.frozenMilli, unitsMilli);
  if (takenMilli > 0) await takeBack(tx, frozen, takenMilli);
  return { ...frozen, state, frozenMilli: 0, takenMilli, spentMilli: unitsMilli - takenMilli };
}

async function freeze(tx: Tx, claim: Claim): Promise<Claim> {
  const { userId, reference, unitsMilli } = claim;
  // Lock before reading: a send that is under way would otherwise have the same units.
  await lockAccounts(tx, [userId]);
  const { freeMilli } = await readBalance(tx, userId);
  const frozenMilli = Math.min(unitsMilli, freeMilli);
  const spentMilli = unitsMilli - frozenMilli;
  if (frozenMilli === 0) return { ...claim, spentMilli };
  const holdId = uuidv7();
  await holdUnits(tx, { userId, holdId, amountMilli: frozenMilli, freezeReference: reference });
  return { ...claim, holdId, frozenMilli, spentMilli };
}

async function takeBack(tx: Tx, { userId, reference, claimId, kind }: Claim, amountMilli: number): Promise<void> {
  await reverseTopUp(tx, { userId, source: "card", reference, part: { key: claimId, amountMilli }, note: kind });
}
