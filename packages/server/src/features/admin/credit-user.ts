import { MILLI_PER_UNIT, unitsForJson } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { type Answer, answerOnce, fingerprintOf } from "../../db/idempotency.ts";
import { withTransaction, type Tx } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { publishChange } from "../../events/index.ts";
import { topUpUnits } from "../../ledger/index.ts";
import { writeMail } from "../../mail/index.ts";
import { findCredentialsByEmail } from "../accounts/index.ts";
import { creditMail } from "./admin-mails.ts";
import { recordAudit } from "./record-audit.ts";

export type CreditRequest = {
  adminId: string;
  email: string;
  /** Whole units. */
  units: number;
  /** Undefined: this request can never be a repeat of another. */
  idempotencyKey: string | undefined;
  clientAddress: string;
};

/** `units` is what the customer can spend now. */
export type CreditAnswer = { message: string; data: { units: number } };

/**
 * Credits units to a customer by hand, once for each key of the administrator. Units, audit entry, mail and answer are
 * one transaction.
 *
 * @throws AppError `EMAIL_UNKNOWN`; `IDEMPOTENCY_CONFLICT`.
 */
export async function creditUser(deps: Deps, request: CreditRequest): Promise<CreditAnswer> {
  const { adminId, email, units } = request;
  const key = request.idempotencyKey ?? uuidv7();
  return await withTransaction(deps.db, async (tx) => {
    const once = { actorId: adminId, scope: "credit-a-user", key, fingerprint: fingerprintOf({ email, units }) };
    const { body } = await answerOnce(tx, once, async () => await credit(deps, tx, request));
    return body;
  });
}

async function credit(deps: Deps, tx: Tx, { adminId, email, units, clientAddress }: CreditRequest): Promise<Answer<CreditAnswer>> {
  const user = await findCredentialsByEmail(tx, email);
  if (user === undefined) throw new AppError("EMAIL_UNKNOWN");
  const { userId } = user;
  const creditId = uuidv7();
  const amountMilli = units * MILLI_PER_UNIT;
  const { balance } = await topUpUnits(tx, { userId, amountMilli, source: "manual", reference: creditId });
  const after = { creditId, units, available: unitsForJson(balance.freeMilli) };
  await recordAudit(deps, tx, { adminId, action: "credit-a-user", subjectId: userId, after, clientAddress });
  await writeMail(deps, tx, creditMail(deps.config, user, { amountMilli, freeMilli: balance.freeMilli }));
  await publishChange(tx, { userId, topics: ["user"] }, { admin: true, topics: ["admin"] });
  const message = `${user.userName} was credited with ${units} units. A mail was sent`;
  return { status: 200, body: { message, data: { units: unitsForJson(balance.freeMilli) } } };
}
