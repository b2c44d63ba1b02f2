/**
 * The unit ledger: the only code that moves units. docs/ledger.md has the rules and the proofs.
 *
 * Amounts are whole thousandths of a unit, at least 1. Functions that take a `Tx` lock the customer's account until the
 * transaction ends: call them last. A transaction that moves units of several customers first locks all their accounts with
 * `lockAccounts`, because two transactions that lock the same accounts in different orders deadlock.
 */
export { lockAccounts } from "./store.ts";
export { chargeHolds, moveHolds, readHoldMoves, releaseHolds, settleHold } from "./move-holds.ts";
export type { HoldAmount, HoldMove } from "./move-holds.ts";
export { readHoldOutcomes } from "./hold-store.ts";
export type { HoldOutcome } from "./hold-store.ts";
export { holdUnits, holdUnitsOfAll } from "./hold-units.ts";
export type { Hold, HoldRequest } from "./hold-units.ts";
export { readLedgerInvariants } from "./ledger-invariants.ts";
export type { InvariantCheck } from "./ledger-invariants.ts";
export { auditLedger, type RulesSince, type SealedAudit } from "./sealed-point.ts";
export { eachWithFreeUnits, readBalance, readBalances } from "./read-balance.ts";
export type { Balance } from "./read-balance.ts";
export { refundUnits } from "./refund-units.ts";
export type { Refund } from "./refund-units.ts";
export { reverseTopUp } from "./reverse-top-up.ts";
export type { Reversal } from "./reverse-top-up.ts";
export { eachMovement, listMovements } from "./list-movements.ts";
export { selectDayBalances } from "./statement-store.ts";
export type { DayBalance, Movement, MovementFilter, MovementPosition } from "./statement-store.ts";
export { transferUnits, type Transfer } from "./transfer-units.ts";
export { openAccount, topUpUnits } from "./top-up-units.ts";
export type { TopUp, TopUpRequest, TopUpSource } from "./top-up-units.ts";
export { findFirstFlowTime, selectUnitFlows, sumFreeUnits, type UnitFlow } from "./unit-flow-store.ts";
export { unitsRequired } from "./amounts.ts";
