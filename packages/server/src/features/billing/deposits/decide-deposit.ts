/**
 * pending -> verified | declined, by an administrator, once; -> withdrawn, by the customer (hide-deposit.ts).
 *
 * A credit of more units than were deposited, or than one administrator may give alone, is only proposed: the deposit stays
 * pending until another administrator asks for the same units. Each proposal replaces the one before it.
 */
import assert from "node:assert/strict";
import { MILLI_PER_UNIT, unitsForJson } from "@ewebal/contract";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import type { Deps, RecordAudit } from "../../../deps.ts";
import { AppError } from "../../../errors.ts";
import { publishChange } from "../../../events/index.ts";
import { topUpUnits } from "../../../ledger/index.ts";
import { writeMail } from "../../../mail/index.ts";
import { creditedMail, declinedMail } from "./deposit-mails.ts";
import { lockDeposit, updateDecision, updateProposal, type Deposit, type DepositKey } from "./deposit-store.ts";

const MILLI_PER_KOBO = MILLI_PER_UNIT / 100;

type DecideDeps = Deps & { recordAudit: RecordAudit };
type Actor = { adminId: string; clientAddress: string };

export type CreditOutcome = { kind: "credited" | "proposed"; deposit: Deposit };

/**
 * Accepts a deposit: units, audit entry and mail are one transaction; or proposes to, see above.
 *
 * @param credit units whole, at least 1.
 * @throws AppError `NOT_FOUND` when the customer has no such deposit; `ALREADY_DECIDED`, also when it was withdrawn.
 */
export async function creditDeposit(deps: DecideDeps, key: DepositKey, credit: Actor & { units: number }): Promise<CreditOutcome> {
  return await withTransaction(deps.db, async (tx) => {
    const deposit = await lockPending(tx, key);
    const kind = needsAgreement(deps, deposit, credit) ? "proposed" : "credited";
    if (kind === "proposed") await propose(deps, tx, deposit, credit);
    else await verify(deps, tx, deposit, credit);
    await announce(tx, key);
    return { kind, deposit: await getLocked(tx, key) };
  });
}

/**
 * Declines a deposit; a mail tells the customer.
 *
 * @throws AppError as `creditDeposit`.
 */
export async function declineDeposit(deps: DecideDeps, key: DepositKey, decline: Actor & { reason: string }): Promise<Deposit> {
  const { adminId, clientAddress, reason } = decline;
  return await withTransaction(deps.db, async (tx) => {
    const deposit = await lockPending(tx, key);
    await decide(tx, key, { state: "declined", reason, adminId, now: deps.clock.now() });
    await writeMail(deps, tx, declinedMail(deps.config, deposit, deposit, reason));
    const after = { state: "declined", reason };
    await deps.recordAudit(tx, { adminId, action: "declined-transaction", subjectId: key.userId, before: stateOf(deposit), after, clientAddress });
    await announce(tx, key);
    return await getLocked(tx, key);
  });
}

/** The row stays locked, so that of two who decide at once the second finds it decided. */
async function lockPending(tx: Tx, key: DepositKey): Promise<Deposit> {
  const deposit = await lockDeposit(tx, key);
  if (deposit === undefined) throw new AppError("NOT_FOUND");
  if (deposit.state === "withdrawn") throw new AppError("ALREADY_DECIDED", { message: "The customer has withdrawn this deposit" });
  if (deposit.state !== "pending") throw new AppError("ALREADY_DECIDED");
  return deposit;
}

function needsAgreement({ config }: Pick<Deps, "config">, deposit: Deposit, { units, adminId }: { units: number; adminId: string }): boolean {
  const amountMilli = units * MILLI_PER_UNIT;
  const isAlone = amountMilli <= deposit.amountKobo * MILLI_PER_KOBO && units <= config.secondAdminAboveUnits;
  const isAgreed = deposit.proposedMilli === amountMilli && deposit.proposedBy !== adminId;
  return !isAlone && !isAgreed;
}

async function propose(deps: DecideDeps, tx: Tx, deposit: Deposit, { adminId, units, clientAddress }: Actor & { units: number }): Promise<void> {
  const amountMilli = units * MILLI_PER_UNIT;
  if (deposit.proposedMilli === amountMilli && deposit.proposedBy === adminId) return;
  await updateProposal(tx, deposit, { amountMilli, adminId, now: deps.clock.now() });
  const after = { state: "pending", proposedUnits: units };
  await deps.recordAudit(tx, { adminId, action: "propose-credit-user", subjectId: deposit.userId, before: stateOf(deposit), after, clientAddress });
}

async function verify(deps: DecideDeps, tx: Tx, deposit: Deposit, { adminId, units, clientAddress }: Actor & { units: number }): Promise<void> {
  const { userId, depositId } = deposit;
  const amountMilli = units * MILLI_PER_UNIT;
  await decide(tx, deposit, { state: "verified", creditedMilli: amountMilli, adminId, now: deps.clock.now() });
  const { balance, isRepeat } = await topUpUnits(tx, { userId, amountMilli, source: "bank", reference: depositId });
  assert(!isRepeat, "a deposit that was pending had been credited");
  const after = { state: "verified", units, available: unitsForJson(balance.freeMilli) };
  await deps.recordAudit(tx, { adminId, action: "credit-user", subjectId: userId, before: stateOf(deposit), after, clientAddress });
  await writeMail(deps, tx, creditedMail(deps.config, deposit, deposit, { amountMilli, freeMilli: balance.freeMilli }));
}

async function decide(tx: Tx, key: DepositKey, decision: Parameters<typeof updateDecision>[2]): Promise<void> {
  assert(await updateDecision(tx, key, decision), "a deposit that was locked while pending was decided");
}

/** For the audit: which deposit, and what stood there. */
function stateOf({ depositId, state, amountKobo, proposedMilli, proposedBy }: Deposit): Record<string, unknown> {
  const proposal = proposedMilli === null ? {} : { proposedUnits: unitsForJson(proposedMilli), proposedBy };
  return { transferId: depositId, state, amountDeposited: amountKobo / 100, ...proposal };
}

async function announce(tx: Tx, { userId }: DepositKey): Promise<void> {
  await publishChange(tx, { userId, topics: ["transfers", "user"] }, { admin: true, topics: ["transfers", "admin"] });
}

async function getLocked(tx: Tx, key: DepositKey): Promise<Deposit> {
  const deposit = await lockDeposit(tx, key);
  assert(deposit !== undefined, "a locked deposit is gone");
  return deposit;
}
