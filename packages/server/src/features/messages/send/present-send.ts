/** What became of a send, and its answer: sent, and kept under the request's key. */
import type { SendAnswer, SendOrDryAnswer, UnitDetails } from "@ewebal/contract";
import { type KeptAnswers, keptIdOf } from "../../../db/idempotency.ts";
import type { Review } from "./may-be-sent.ts";

type Facts = {
  units: UnitDetails;
  warnings: readonly { pattern: string; note: string }[];
  /** Somebody looks at it before it is sent: an administrator, or first an approver of the account. */
  isInReview: boolean;
  awaitsApproval: boolean;
};

/** What an outcome says of the review that a send waits for. */
export function waitsFor(review: Review | undefined): Pick<Facts, "isInReview" | "awaitsApproval"> {
  return { isInReview: review !== undefined, awaitsApproval: review?.awaitsApproval === true };
}

/** What became of a send, or of an edit of a scheduled one (`saved`). `units.dnd` counts the listed numbers that are skipped. */
export type SendOutcome = Facts & {
  kind: "sent" | "scheduled" | "saved";
  messageId: string;
  /** Of a message that repeats: the next three. */
  nextTimes?: string[];
};

/** What would become of a send: nothing was changed. */
export type TriedSend = Facts & { kind: "tried"; nextTimes?: string[] };

type DndAnswer = SendAnswer & { dnd: true };
type PresentedSend = { status: 200; body: SendAnswer } | { status: 503; body: DndAnswer };
type PresentedTry = { status: 200; body: SendOrDryAnswer };
type PresentedSchedule = Omit<SendAnswer, "dnd"> & { dnd?: true; nextTimes?: string[] };

/** A message that goes out now. 503 with `dnd` is a success that skipped listed numbers; nothing was sent of one that waits for a review. */
export function presentSent(outcome: SendOutcome): PresentedSend {
  const { units, messageId, isInReview } = outcome;
  if (isInReview) {
    const waits = outcome.awaitsApproval
      ? "This message waits for an approver of your team"
      : "We look at this message before it is sent";
    const message = [waits, ...describeSkipped(units, LATER)].join("; ");
    return {
      status: 200,
      body: { message, data: { _id: messageId, state: "review" }, ...detailsOf(outcome), ...dndOf(units) },
    };
  }
  const skipped = describeSkipped(units, { one: "was skipped and not charged", more: "were skipped and not charged" });
  const sent = units.recipients === 0 ? "Nothing was sent" : "Message sent";
  const body = { message: [sent, ...skipped].join("; "), data: { _id: messageId }, ...detailsOf(outcome) };
  if (units.dnd === 0) return { status: 200, body };
  return { status: 503, body: { ...body, dnd: true } };
}

/** As `presentSent`, for the people of an account: 202 says that the message waits for an approver. What programs send never does. */
export function presentDashboardSent(outcome: SendOutcome): PresentedSend | { status: 202; body: SendAnswer } {
  const { status, body } = presentSent(outcome);
  return outcome.awaitsApproval ? { status: 202, body } : ({ status, body } as PresentedSend);
}

/** What would become of a send. */
export function presentTried(outcome: TriedSend): PresentedTry {
  const looker = outcome.awaitsApproval ? "An approver of your team" : "We";
  const review = outcome.isInReview ? [`${looker} would look at it before it is sent`] : [];
  const message = ["Nothing was sent", ...review, ...describeSkipped(outcome.units, LATER)].join("; ");
  const { units, nextTimes } = outcome;
  return { status: 200, body: { message, ...detailsOf(outcome), ...dndOf(units), ...(nextTimes && { nextTimes }) } };
}

const LATER = { one: "will be skipped and is not charged", more: "will be skipped and are not charged" };

function detailsOf({ units, warnings }: Facts): Pick<SendAnswer, "unitDetails" | "warnings"> {
  return { unitDetails: units, ...(warnings.length > 0 && { warnings: [...warnings] }) };
}

function dndOf({ dnd }: UnitDetails): { dnd?: true } {
  return dnd > 0 ? { dnd: true } : {};
}

/** A message that waits for its time. Listed numbers do not change the status: nothing was sent yet. */
export function presentScheduled(outcome: SendOutcome): PresentedSchedule {
  const { kind, messageId, units, nextTimes, isInReview, awaitsApproval } = outcome;
  const saved = kind === "saved" ? "Saved" : "Scheduled";
  const looks = awaitsApproval ? "It waits for an approver of your team" : "We look at it before it is sent";
  const message = isInReview ? `${saved}. ${looks}` : saved;
  const data = { _id: messageId, ...(isInReview && { state: "review" as const }) };
  const skipped = describeSkipped(units, {
    one: "will be skipped and is not charged",
    more: "will be skipped and are not charged",
  });
  const answer = {
    message: [message, ...skipped].join("; "),
    data,
    ...detailsOf(outcome),
    ...(nextTimes && { nextTimes }),
  };
  return units.dnd === 0 ? answer : { ...answer, dnd: true };
}

/** 202 while it waits for an approver of the account. */
export function scheduledStatus({ awaitsApproval }: Pick<SendOutcome, "awaitsApproval">): 201 | 202 {
  return awaitsApproval ? 202 : 201;
}

/** A program's send may be either, or a try. */
export function presentSend(
  outcome: SendOutcome | TriedSend,
): PresentedSend | PresentedTry | { status: 201; body: PresentedSchedule } {
  if (outcome.kind === "tried") return presentTried(outcome);
  return outcome.kind === "sent" ? presentSent(outcome) : { status: 201, body: presentScheduled(outcome) };
}

/** Of every call that sends or schedules. An edit has no key. */
export const keptSends: KeptAnswers<SendOutcome> = {
  write: (outcome) =>
    outcome.kind === "sent"
      ? presentDashboardSent(outcome)
      : { status: scheduledStatus(outcome), body: presentScheduled(outcome) },
  read: (answer) => {
    const {
      message,
      unitDetails,
      warnings = [],
      data,
      nextTimes,
    } = answer.body as SendAnswer & { nextTimes?: string[] };
    const awaitsApproval = answer.status === 202;
    const kind = answer.status === 201 || message.startsWith("Scheduled") ? "scheduled" : "sent";
    const isInReview = data.state === "review";
    const messageId = keptIdOf(answer);
    return {
      kind,
      messageId,
      units: unitDetails,
      warnings,
      isInReview,
      awaitsApproval,
      ...(nextTimes && { nextTimes }),
    };
  },
};

/** A sentence for each list that numbers are on. */
function describeSkipped({ dnd, optedOut = 0 }: UnitDetails, fate: { one: string; more: string }): string[] {
  const lists = [
    { count: dnd, list: "on the do-not-disturb list" },
    { count: optedOut, list: "that opted out" },
  ];
  return lists.flatMap(({ count, list }) =>
    count === 0 ? [] : [`${countNumbers(count)} ${list} ${count === 1 ? fate.one : fate.more}`],
  );
}

function countNumbers(count: number): string {
  return count === 1 ? "1 number" : `${count.toLocaleString("en")} numbers`;
}
