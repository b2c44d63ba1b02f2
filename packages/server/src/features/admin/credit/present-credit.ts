/** What became of a credit by hand, and its answer: sent, and kept under the request's key. */
import { type KeptAnswers, keptIdOf } from "../../../db/idempotency.ts";

/** `message` says who was credited; `availableUnits` is what the customer can spend now. */
export type CreditOutcome =
  | { kind: "credited"; message: string; availableUnits: number }
  /** A second administrator has to agree first. */
  | { kind: "waiting"; approvalId: string };

type CreditedAnswer = { message: string; data: { units: number } };
type WaitingAnswer = { message: string; data: { _id: string } };

export function presentCredit(
  outcome: CreditOutcome,
): { status: 200; body: CreditedAnswer } | { status: 202; body: WaitingAnswer } {
  if (outcome.kind === "credited")
    return { status: 200, body: { message: outcome.message, data: { units: outcome.availableUnits } } };
  const message = "This credit waits for a second administrator";
  return { status: 202, body: { message, data: { _id: outcome.approvalId } } };
}

export const keptCredits: KeptAnswers<CreditOutcome> = {
  write: presentCredit,
  read: (answer) => {
    if (answer.status === 202) return { kind: "waiting", approvalId: keptIdOf(answer) };
    const { message, data } = answer.body as CreditedAnswer;
    return { kind: "credited", message, availableUnits: data.units };
  },
};
