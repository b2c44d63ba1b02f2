/**
 * What a refund or a dispute does to units. docs/ledger.md has the table.
 *
 * open      what is free is set aside, the rest is noted as spent  -> upheld, dismissed
 * upheld    what was set aside is taken back                       (final)
 * dismissed what was set aside is free again                       (final)
 *
 * Units that one chargeback frees may raise the others of the payment.
 */
import { MILLI_PER_UNIT } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Tx } from "../../../../db/transaction.ts";
import { holdUnits, lockAccounts, readBalance, reverseTopUp, settleHold } from "../../../../ledger/index.ts";
import type { Chargeback } from "./chargeback-store.ts";

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
 * Brings an open chargeback of a credited payment to a state. The payment must be locked; the account stays so until the
 * transaction ends.
 */
export async function moveChargeback(tx: Tx, chargeback: Chargeback, state: Chargeback["state"]): Promise<Chargeback> {
  // Only once: units bought later do not belong to this payment.
  const isNew = chargeback.holdId === null && chargeback.spentMilli === 0;
  const frozen = isNew ? await freeze(tx, chargeback) : chargeback;
  if (state === "open") return frozen;
  const { userId, holdId, unitsMilli } = frozen;
  if (holdId !== null) await settleHold(tx, { userId, holdId });
  if (state === "dismissed") return { ...frozen, state, frozenMilli: 0, spentMilli: 0 };
  const takenMilli = Math.min(frozen.frozenMilli, unitsMilli);
  if (takenMilli > 0) await takeBack(tx, frozen, takenMilli);
  return { ...frozen, state, frozenMilli: 0, takenMilli, spentMilli: unitsMilli - takenMilli };
}

/**
 * A chargeback concerns more units than before. The payment must be locked; the account stays so until the transaction ends.
 *
 * @param availableMilli how many of them are free and belong to this payment; the rest count as spent.
 */
export async function raiseChargeback(
  tx: Tx,
  chargeback: Chargeback,
  moreMilli: number,
  availableMilli: number,
): Promise<Chargeback> {
  const raised = {
    ...chargeback,
    unitsMilli: chargeback.unitsMilli + moreMilli,
    spentMilli: chargeback.spentMilli + moreMilli - availableMilli,
  };
  if (availableMilli === 0) return raised;
  if (chargeback.state === "upheld") {
    await takeBack(tx, chargeback, availableMilli);
    return { ...raised, takenMilli: chargeback.takenMilli + availableMilli };
  }
  if (chargeback.holdId !== null) await settleHold(tx, { userId: chargeback.userId, holdId: chargeback.holdId });
  return await setAside(tx, raised, chargeback.frozenMilli + availableMilli);
}

async function freeze(tx: Tx, chargeback: Chargeback): Promise<Chargeback> {
  const { userId, unitsMilli } = chargeback;
  // Lock before reading: a send that is under way would otherwise have the same units.
  await lockAccounts(tx, [userId]);
  const { freeMilli } = await readBalance(tx, userId);
  const frozenMilli = Math.min(unitsMilli, freeMilli);
  const spentMilli = unitsMilli - frozenMilli;
  return frozenMilli === 0
    ? { ...chargeback, spentMilli }
    : await setAside(tx, { ...chargeback, spentMilli }, frozenMilli);
}

async function setAside(tx: Tx, chargeback: Chargeback, frozenMilli: number): Promise<Chargeback> {
  const holdId = uuidv7();
  await holdUnits(tx, {
    userId: chargeback.userId,
    holdId,
    amountMilli: frozenMilli,
    freezeReference: chargeback.reference,
  });
  return { ...chargeback, holdId, frozenMilli };
}

async function takeBack(
  tx: Tx,
  { userId, reference, chargebackId, kind, takenMilli }: Chargeback,
  amountMilli: number,
): Promise<void> {
  // A chargeback that is raised takes units a second time.
  const key = takenMilli === 0 ? chargebackId : `${chargebackId}:${takenMilli}`;
  await reverseTopUp(tx, { userId, source: "card", reference, part: { key, amountMilli }, note: kind });
}
