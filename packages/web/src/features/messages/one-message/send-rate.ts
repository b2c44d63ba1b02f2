import type { MessageAnswer } from "@ewebal/contract";
import { useEffect, useState } from "react";
import { formatCounted } from "../../../lib/texts/format.ts";

/** How fast a running send goes, from the counts as they are pushed; the server sends no rates. */

export type Sample = {
  atMs: number;
  /** Recipients that are no longer waiting. */
  doneCount: number;
};

/** Long enough to smooth out batches, short enough to show a carrier that slows down. */
const WINDOW_MS = 10_000;
const SPAN_MIN_MS = 1_000;

/** @returns the samples of the last ten seconds, and the one before, so that a slow send has a rate too. */
export function addSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const all = [...samples, sample];
  const firstInside = all.findIndex(({ atMs }) => sample.atMs - atMs <= WINDOW_MS);
  return all.slice(Math.max(0, firstInside - 1));
}

/** @returns recipients per second up to now, or undefined while there is too little to tell. */
export function rateOf(samples: readonly Sample[], nowMs: number): number | undefined {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || nowMs - first.atMs < SPAN_MIN_MS) return undefined;
  return ((last.doneCount - first.doneCount) * 1_000) / (nowMs - first.atMs);
}

/** `about 40 seconds left`; undefined when nothing moves. */
export function timeLeftInWords(waitingCount: number, perSecond: number): string | undefined {
  if (perSecond <= 0) return undefined;
  const seconds = Math.ceil(waitingCount / perSecond);
  if (seconds < 5) return "a few seconds left";
  if (seconds <= 55) return `about ${Math.ceil(seconds / 5) * 5} seconds left`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `about ${formatCounted(minutes, "minute")} left`;
  const hours = Math.round(minutes / 60);
  return `about ${formatCounted(hours, "hour")} left`;
}

const TICK_MS = 1_000;

/** @returns recipients per second of a message that is being sent, measured while it is watched; undefined until then. */
export function useSendRate({
  state,
  recipients,
  counts,
}: Pick<MessageAnswer, "state" | "recipients" | "counts">): number | undefined {
  const isSending = state === "sending";
  const doneCount = recipients - counts.waiting;
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const [nowMs, setNowMs] = useState(() => Date.now());

  useEffect(() => {
    setSamples((current) => (isSending ? addSample(current, { atMs: Date.now(), doneCount }) : []));
    setNowMs(Date.now());
  }, [isSending, doneCount]);
  useEffect(() => {
    if (!isSending) return undefined;
    // Without new counts the rate must fall instead of keeping its last value.
    const timer = window.setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => window.clearInterval(timer);
  }, [isSending]);

  return isSending ? rateOf(samples, nowMs) : undefined;
}
