/**
 * pending -> verified | declined, by an administrator, once; -> withdrawn, by the customer (submit-deposit.ts).
 *
 * A credit needs a second administrator when it exceeds the deposit or what one administrator may give alone, or when it is to
 * oneself. It then waits as an approval: the deposit stays pending until another administrator approves it or asks for the same
 * units. A later request replaces the one that waits.
 */
import assert from "node:assert/strict";
import { formatUnits, MILLI_PER_UNIT, unitsForJson } from "@ewebal/contract";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { depositDecided, publishChange } from "../../../events/index.ts";
import { topUpUnits } from "../../../ledger/index.ts";
import { writeMail } from "../../../mail/index.ts";
import { recordEvent } from "../../../outbox/index.ts";
import { type ApprovalKind, askApproval, getAdmin, isOneself, lapseApprovals } from "../../approvals/index.ts";
import { creditedMail, declinedMail } from "./deposit-mails.ts";
import { issueInvoice } from "../invoices/issue-invoice.ts";
import { lockDeposit, updateDecision, type Deposit, type DepositKey } from "./deposit-store.ts";
import { findDuplicates, type ViewedDeposit } from "./view-deposits.ts";

const MILLI_PER_KOBO = MILLI_PER_UNIT / 100;

type Actor = { adminId: string; clientAddress: string };

export type CreditOutcome =
  | ({ kind: "credited"; units: number } & ViewedDeposit)
  | { kind: "waiting"; approvalId: string };

/**
 * Accepts a deposit: units, audit entry and mail are one transaction; or lets the credit wait, see above.
 *
 * @param credit units whole, at least 1.
 * @throws AppError `NOT_FOUND` when the customer has no such deposit; `ALREADY_DECIDED`, also when it was withdrawn.
 */
export async function creditDeposit(
  deps: Deps,
  key: DepositKey,
  credit: Actor & { units: number },
): Promise<CreditOutcome> {
  return await withTransaction(deps.db, async (tx) => {
    const deposit = await lockPending(tx, key);
    if (!(await needsSecond(deps, tx, deposit, credit))) {
      await verify(deps, tx, deposit, credit);
      await lapseApprovals(deps, tx, "deposit", [deposit.depositId]);
      return { kind: "credited", units: credit.units, ...(await viewDecided(tx, key)) };
    }
    const { adminId, clientAddress, units } = credit;
    const outcome = await askApproval(deps, tx, {
      kind: "deposit",
      subjectKey: deposit.depositId,
      subject: { id: deposit.userId, email: deposit.email },
      what: `${creditOf(deposit, units)}, for a deposit of ${formatUnits(deposit.amountKobo * MILLI_PER_KOBO)} naira`,
      details: { units },
      call: "credit-user",
      before: stateOf(deposit),
      adminId,
      clientAddress,
    });
    if (outcome.kind === "waiting") {
      await announce(tx, key);
      return outcome;
    }
    await verify(deps, tx, deposit, { ...credit, askedBy: outcome.approval.askedBy });
    return { kind: "credited", units, ...(await viewDecided(tx, key)) };
  });
}

/** A credit for a deposit that a second administrator approved. */
export function depositApproval(deps: Deps): ApprovalKind {
  const keyOf = ({ subjectId, subjectKey }: { subjectId: string; subjectKey: string }): DepositKey => ({
    userId: subjectId,
    depositId: subjectKey,
  });
  return {
    lockSubject: async (tx, approval) => void (await lockDeposit(tx, keyOf(approval))),
    carryOut: async (tx, approval, decider) => {
      const { units } = approval.details;
      assert(typeof units === "number", "an approval of a deposit's credit names units");
      const deposit = await lockPending(tx, keyOf(approval));
      await verify(deps, tx, deposit, { ...decider, units, askedBy: approval.askedBy });
      return `${deposit.userName} was credited with ${units} units. A mail was sent`;
    },
    // Pages that show the deposit must learn that nothing waits any more.
    drop: async (tx, approval) => await announce(tx, keyOf(approval)),
  };
}

/**
 * Declines a deposit; a mail tells the customer.
 *
 * @throws AppError as `creditDeposit`.
 */
export async function declineDeposit(
  deps: Deps,
  key: DepositKey,
  decline: Actor & { reason: string },
): Promise<ViewedDeposit> {
  const { adminId, clientAddress, reason } = decline;
  return await withTransaction(deps.db, async (tx) => {
    const deposit = await lockPending(tx, key);
    await decide(tx, key, { state: "declined", reason, adminId, now: deps.clock.now() });
    await lapseApprovals(deps, tx, "deposit", [deposit.depositId]);
    await writeMail(deps, tx, declinedMail(deps.config, deposit, deposit, reason));
    const after = { state: "declined", reason };
    await deps.recordAudit(tx, {
      adminId,
      action: "declined-transaction",
      subjectId: key.userId,
      before: stateOf(deposit),
      after,
      clientAddress,
    });
    await announce(tx, key);
    return await viewDecided(tx, key);
  });
}

/** The row stays locked: of two decisions at once, the second finds the deposit decided. */
async function lockPending(tx: Tx, key: DepositKey): Promise<Deposit> {
  const deposit = await lockDeposit(tx, key);
  if (deposit === undefined) throw new AppError("NOT_FOUND");
  if (deposit.state === "withdrawn")
    throw new AppError("ALREADY_DECIDED", { message: "The customer has withdrawn this deposit" });
  if (deposit.state !== "pending") throw new AppError("ALREADY_DECIDED");
  return deposit;
}

async function needsSecond(
  { config }: Pick<Deps, "config">,
  tx: Tx,
  deposit: Deposit,
  { units, adminId }: { units: number; adminId: string },
): Promise<boolean> {
  if (units * MILLI_PER_UNIT > deposit.amountKobo * MILLI_PER_KOBO || units > config.secondAdminAboveUnits) return true;
  return await isOneself(tx, await getAdmin(tx, adminId), { id: deposit.userId, email: deposit.email });
}

function creditOf({ userName, email }: Deposit, units: number): string {
  return `Credit ${formatUnits(units * MILLI_PER_UNIT)} units to ${userName}, ${email}`;
}

async function verify(
  deps: Deps,
  tx: Tx,
  deposit: Deposit,
  credit: Actor & { units: number; askedBy?: string },
): Promise<void> {
  const { userId, depositId } = deposit;
  const { adminId, units, askedBy, clientAddress } = credit;
  const amountMilli = units * MILLI_PER_UNIT;
  await decide(tx, deposit, { state: "verified", creditedMilli: amountMilli, adminId, now: deps.clock.now() });
  const { balance, isRepeat } = await topUpUnits(tx, { userId, amountMilli, source: "bank", reference: depositId });
  assert(!isRepeat, "a deposit that was pending had been credited");
  const { amountKobo: grossKobo } = deposit;
  await issueInvoice(deps, tx, { userId, kind: "deposit", reference: depositId, grossKobo, unitsMilli: amountMilli });
  await recordEvent(tx, { userId, type: "payment.credited", data: { units, cause: "deposit" } });
  const after = {
    state: "verified",
    units,
    available: unitsForJson(balance.freeMilli),
    ...(askedBy !== undefined && { askedBy }),
  };
  await deps.recordAudit(tx, {
    adminId,
    action: "credit-user",
    subjectId: userId,
    before: stateOf(deposit),
    after,
    clientAddress,
  });
  await writeMail(deps, tx, creditedMail(deps.config, deposit, deposit, { amountMilli, freeMilli: balance.freeMilli }));
  await announce(tx, deposit);
}

async function decide(tx: Tx, key: DepositKey, decision: Parameters<typeof updateDecision>[2]): Promise<void> {
  assert(await updateDecision(tx, key, decision), "a deposit that was locked while pending was decided");
}

/** The deposit and its state before the decision, for the audit. */
function stateOf({ depositId, state, amountKobo }: Deposit): Record<string, unknown> {
  return { transferId: depositId, state, amountDeposited: amountKobo / 100 };
}

async function announce(tx: Tx, { userId }: DepositKey): Promise<void> {
  await publishChange(tx, depositDecided(userId));
}

async function viewDecided(tx: Tx, key: DepositKey): Promise<ViewedDeposit> {
  const deposit = await lockDeposit(tx, key);
  assert(deposit !== undefined, "a locked deposit is gone");
  return { deposit, duplicates: await findDuplicates(tx, deposit) };
}
