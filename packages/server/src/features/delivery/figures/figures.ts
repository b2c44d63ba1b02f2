/**
 * What this process counts of messages, and of what carriers do with them: plain numbers, which the engine raises for every recipient. They
 * are written to the database every ten seconds and added up there (`write-figures.ts`), so that `/metrics` knows those of all processes.
 *
 * Labels are the carrier's name, the class and a few words: never a customer, a text or a number.
 */
import { messageClasses, type MessageClass } from "@ewebal/contract";
import type { CarrierOutcome, ReportState } from "../carriers/carrier.ts";

/** Upper bounds. Others need another name in the database: what was counted by the earlier ones stays there. */
export const LATENCY_BOUNDS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200];
const BOUNDS_MS = LATENCY_BOUNDS_SECONDS.map((bound) => bound * 1_000);
/** Behind the counts of the bounds stand those beyond the last, and the sum. */
const BEYOND_AT = BOUNDS_MS.length;
const SUM_AT = BEYOND_AT + 1;

/** Of a report whose message is in no memory, nobody knows the class without asking the database. */
const UNKNOWN_CLASS = 2;
const classWords = [...messageClasses, "unknown"];
const answerKinds = ["accepted", "refused", "deferred", "unknown"] as const satisfies CarrierOutcome["kind"][];
const reportStates = ["delivered", "failed", "dnd", "waiting", "lost"] as const satisfies ReportState[];
const latencyNames = ["acceptToWire", "submitToAnswer", "submitToReport"] as const;
export type LatencyName = (typeof latencyNames)[number];

export type FigureRow = { name: string; carrier: string; class: string; kind: string; counts: number[] };

const PROMOTIONAL = messageClasses.indexOf("promotional");
const TRANSACTIONAL = messageClasses.indexOf("transactional");

/** Promotional messages have lanes from zero upwards. */
export function classOfLane(lane: number): number {
  return lane < 0 ? TRANSACTIONAL : PROMOTIONAL;
}

/** The counts of one carrier. A class is its place in `messageClasses`. */
export class CarrierFigures {
  readonly #submits = new Float64Array(classWords.length);
  readonly #answers = new Float64Array(classWords.length * answerKinds.length);
  readonly #reports = new Float64Array(classWords.length * reportStates.length);
  readonly #latencies: Readonly<Record<LatencyName, Float64Array[]>> = {
    acceptToWire: newLatencies(),
    submitToAnswer: newLatencies(),
    submitToReport: newLatencies(),
  };

  /** A recipient is given to the carrier. */
  submitted(classIndex: number): void {
    this.#submits[classIndex] = (this.#submits[classIndex] ?? 0) + 1;
  }

  answered(classIndex: number, kind: CarrierOutcome["kind"]): void {
    const at = classIndex * answerKinds.length + answerKinds.indexOf(kind);
    this.#answers[at] = (this.#answers[at] ?? 0) + 1;
  }

  /** @param classIndex undefined when the report's message is in no memory. */
  reported(classIndex: number | undefined, state: ReportState): void {
    const at = (classIndex ?? UNKNOWN_CLASS) * reportStates.length + reportStates.indexOf(state);
    this.#reports[at] = (this.#reports[at] ?? 0) + 1;
  }

  took(name: LatencyName, classIndex: number, ms: number): void {
    const counts = this.#latencies[name][classIndex] as Float64Array;
    let at = 0;
    while (at < BEYOND_AT && ms > (BOUNDS_MS[at] as number)) at += 1;
    counts[at] = (counts[at] as number) + 1;
    // Two machines' clocks may differ by more than a hand-over takes.
    if (ms > 0) counts[SUM_AT] = (counts[SUM_AT] as number) + ms;
  }

  /** What was counted since the last time; begins anew. */
  take(carrier: string): FigureRow[] {
    const rows: FigureRow[] = [];
    const takeOne = (name: string, classWord: string, kind: string, counts: Float64Array): void => {
      if (counts.some((count) => count !== 0))
        rows.push({ name, carrier, class: classWord, kind, counts: [...counts].map(Math.round) });
      counts.fill(0);
    };
    const takeKinds = (name: string, kinds: readonly string[], counts: Float64Array): void => {
      for (const [classIndex, classWord] of classWords.entries())
        for (const [kindIndex, kind] of kinds.entries()) {
          const at = classIndex * kinds.length + kindIndex;
          takeOne(name, classWord, kind, counts.subarray(at, at + 1));
        }
    };
    takeKinds("submits", [""], this.#submits);
    takeKinds("answers", answerKinds, this.#answers);
    takeKinds("reports", reportStates, this.#reports);
    for (const name of latencyNames)
      for (const [classIndex, counts] of this.#latencies[name].entries())
        takeOne(name, classWords[classIndex] ?? "", "", counts);
    return rows;
  }
}

function newLatencies(): Float64Array[] {
  return messageClasses.map(() => new Float64Array(SUM_AT + 1));
}

const carriers = new Map<string, CarrierFigures>();
const accepted = new Map<MessageClass, number>();

export function figuresOf(carrier: string): CarrierFigures {
  let figures = carriers.get(carrier);
  if (figures === undefined) {
    figures = new CarrierFigures();
    carriers.set(carrier, figures);
  }
  return figures;
}

/** Messages are committed; those that wait for their time are among them. */
export function countAccepted(messageClass: MessageClass, count: number): void {
  accepted.set(messageClass, (accepted.get(messageClass) ?? 0) + count);
}

/** All that this process has counted since the last time; begins anew. */
export function takeFigures(): FigureRow[] {
  const rows: FigureRow[] = [...accepted].map(([messageClass, count]) => ({
    name: "messages",
    carrier: "",
    class: messageClass,
    kind: "",
    counts: [count],
  }));
  accepted.clear();
  for (const [carrier, figures] of carriers) rows.push(...figures.take(carrier));
  return rows;
}
