/** What became of a send, and its answer: sent, and kept under the request's key. */
import type { SendAnswer, UnitDetails } from "@ewebal/contract";
import { type KeptAnswers, keptIdOf } from "../../../db/idempotency.ts";

/** What became of a send, or of an edit of a scheduled one (`saved`). `units.dnd` counts the listed numbers that are skipped. */
export type SendOutcome = { kind: "sent" | "scheduled" | "saved"; messageId: string; units: UnitDetails };

type DndAnswer = SendAnswer & { dnd: true };
type PresentedSend = { status: 200; body: SendAnswer } | { status: 503; body: DndAnswer };
type PresentedSchedule = Omit<SendAnswer, "dnd"> & { dnd?: true };

/** A message that goes out now. 503 with `dnd` is a success that skipped listed numbers. */
export function presentSent({ messageId, units }: SendOutcome): PresentedSend {
  const data = { _id: messageId };
  if (units.dnd === 0) return { status: 200, body: { message: "Message sent", data, unitDetails: units } };
  const skipped = `${countNumbers(units.dnd)} on the do-not-disturb list ${units.dnd === 1 ? "was" : "were"} skipped and not charged`;
  const message = units.recipients === 0 ? `Nothing was sent; ${skipped}` : `Message sent; ${skipped}`;
  return { status: 503, body: { message, data, unitDetails: units, dnd: true } };
}

/** A message that waits for its time. Listed numbers do not change the status: nothing was sent yet. */
export function presentScheduled({ kind, messageId, units }: SendOutcome): PresentedSchedule {
  const message = kind === "saved" ? "Saved" : "Scheduled";
  const data = { _id: messageId };
  if (units.dnd === 0) return { message, data, unitDetails: units };
  const skipped = `${countNumbers(units.dnd)} on the do-not-disturb list will be skipped and ${units.dnd === 1 ? "is" : "are"} not charged`;
  return { message: `${message}; ${skipped}`, data, unitDetails: units, dnd: true };
}

/** A program's send may be either. */
export function presentSend(outcome: SendOutcome): PresentedSend | { status: 201; body: PresentedSchedule } {
  return outcome.kind === "sent" ? presentSent(outcome) : { status: 201, body: presentScheduled(outcome) };
}

/** Of every call that sends or schedules. An edit has no key. */
export const keptSends: KeptAnswers<SendOutcome> = {
  write: presentSend,
  read: (answer) => {
    const { unitDetails } = answer.body as SendAnswer;
    return { kind: answer.status === 201 ? "scheduled" : "sent", messageId: keptIdOf(answer), units: unitDetails };
  },
};

function countNumbers(count: number): string {
  return count === 1 ? "1 number" : `${count.toLocaleString("en")} numbers`;
}
