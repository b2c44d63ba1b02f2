/**
 * A lane is a dialling code and what may hold its batches up: batches of one lane wait for the same carriers and the same hours, so a worker
 * leaves a whole lane aside at once. Written as one number: the code of promotional messages, its negative of transactional ones, and
 * 10,000 more of what answers somebody and waits for no hours.
 */
import type { MessageClass } from "@ewebal/contract";

/** Codes that messages are sent to have at most four digits. */
const ANSWERS_FROM = 10_000;

export type Lane = {
  code: string;
  class: MessageClass;
  /** Whether it waits while its code's quiet hours say so. */
  waitsForHours: boolean;
};

export function writeLane({ code, class: messageClass, waitsForHours }: Lane): number {
  if (messageClass === "transactional") return -Number(code);
  return waitsForHours ? Number(code) : Number(code) + ANSWERS_FROM;
}

export function readLane(lane: number): Lane {
  if (lane < 0) return { code: String(-lane), class: "transactional", waitsForHours: false };
  const isAnswer = lane >= ANSWERS_FROM;
  return { code: String(isAnswer ? lane - ANSWERS_FROM : lane), class: "promotional", waitsForHours: !isAnswer };
}
