import assert from "node:assert/strict";
import { formatUnits, MILLI_PER_UNIT, unitsForJson } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { doOnce, fingerprintOf } from "../../../db/idempotency.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { balanceChanged, publishChange } from "../../../events/index.ts";
import { topUpUnits } from "../../../ledger/index.ts";
import { writeMail } from "../../../mail/index.ts";
import { recordEvent } from "../../../outbox/index.ts";
import { findCredentialsByEmail, findCustomer } from "../../accounts/index.ts";
import { type ApprovalKind, askApproval, getAdmin, isOneself } from "../../approvals/index.ts";
import { creditMail } from "../admin-mails.ts";
import { type CreditOutcome, keptCredits } from "./present-credit.ts";

export type CreditRequest = {
  adminId: string;
  email: string;
  /** Whole units. */
  units: number;
  /** Undefined: this request can never be a repeat of another. */
  idempotencyKey: string | undefined;
  clientAddress: string;
};

/**
 * Credits units to a customer by hand, once for each key of the administrator. Units, audit entry, mail and answer are
 * one transaction. A credit of more than one administrator may give alone, or to oneself, waits for a second one.
 *
 * @throws AppError `EMAIL_UNKNOWN`; `IDEMPOTENCY_CONFLICT`.
 */
export async function creditUser(deps: Deps, request: CreditRequest): Promise<CreditOutcome> {
  const { adminId, email, units, idempotencyKey: key } = request;
  const fingerprint = fingerprintOf({ email, units });
  const keyed = { actorId: adminId, scope: "credit-a-user", key, fingerprint, answers: keptCredits };
  return await withTransaction(
    deps.db,
    async (tx) => await doOnce(tx, keyed, async () => await creditOrAsk(deps, tx, request)),
  );
}

async function creditOrAsk(deps: Deps, tx: Tx, request: CreditRequest): Promise<CreditOutcome> {
  const { adminId, units, clientAddress } = request;
  const user = await findCredentialsByEmail(tx, request.email);
  if (user === undefined) throw new AppError("EMAIL_UNKNOWN");
  const { userId, email } = user;
  const isToOneself = await isOneself(tx, await getAdmin(tx, adminId), { id: userId, email });
  if (units <= deps.config.secondAdminAboveUnits && !isToOneself) {
    const freeMilli = await credit(deps, tx, user, { creditId: uuidv7(), units, adminId, clientAddress });
    return { kind: "credited", message: creditedMessage(user, units), availableUnits: unitsForJson(freeMilli) };
  }
  const outcome = await askApproval(deps, tx, {
    kind: "credit",
    subject: { id: userId, email },
    what: `Credit ${formatUnits(units * MILLI_PER_UNIT)} units to ${user.userName}, ${email}`,
    details: { units },
    call: "credit-a-user",
    adminId,
    clientAddress,
  });
  assert(outcome.kind === "waiting", "every credit by hand is a thing of its own");
  return { kind: "waiting", approvalId: outcome.approvalId };
}

/** A credit that a second administrator approved; the approval's id is the credit's, so that the ledger takes it once. */
export function creditApproval(deps: Deps): ApprovalKind {
  return {
    carryOut: async (tx, { approvalId, subjectId, details, askedBy }, decider) => {
      const user = await findCustomer(tx, subjectId);
      const { units } = details;
      assert(user !== undefined && typeof units === "number", "an approval of a credit names a customer and units");
      await credit(deps, tx, user, { creditId: approvalId, units, askedBy, ...decider });
      return creditedMessage(user, units);
    },
  };
}

type Receiver = { userId: string; userName: string; email: string };

/** @returns what the customer can spend now, in thousandths. */
async function credit(
  deps: Deps,
  tx: Tx,
  user: Receiver,
  given: { creditId: string; units: number; askedBy?: string; adminId: string; clientAddress: string },
): Promise<number> {
  const { creditId, units, askedBy, adminId, clientAddress } = given;
  const { userId } = user;
  const amountMilli = units * MILLI_PER_UNIT;
  const { balance, isRepeat } = await topUpUnits(tx, { userId, amountMilli, source: "manual", reference: creditId });
  assert(!isRepeat, "a new credit had been given before");
  await recordEvent(tx, { userId, type: "payment.credited", data: { units, cause: "manual" } });
  const after = {
    creditId,
    units,
    available: unitsForJson(balance.freeMilli),
    ...(askedBy !== undefined && { askedBy }),
  };
  await deps.recordAudit(tx, { adminId, action: "credit-a-user", subjectId: userId, after, clientAddress });
  await writeMail(deps, tx, creditMail(deps.config, user, { amountMilli, freeMilli: balance.freeMilli }));
  await publishChange(tx, balanceChanged(userId));
  return balance.freeMilli;
}

function creditedMessage({ userName }: Receiver, units: number): string {
  return `${userName} was credited with ${units} units. A mail was sent`;
}
