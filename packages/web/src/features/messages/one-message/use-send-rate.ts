import type { MessageAnswer } from "@ewebal/contract";
import { useEffect, useState } from "react";
import { addSample, rateOf, type Sample } from "./send-rate.ts";

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
    // Without news the rate must fall, not stand still.
    const timer = window.setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => window.clearInterval(timer);
  }, [isSending]);

  return isSending ? rateOf(samples, nowMs) : undefined;
}
