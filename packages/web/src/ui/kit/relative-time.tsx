import { useSyncExternalStore } from "react";
import { formatDateTime, formatRelative } from "../../lib/texts/format.ts";

const TICK_MS = 30_000;
let nowMs = Date.now();
let timer: number | undefined;
const listeners = new Set<() => void>();

/** One clock for all the times on a page. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    nowMs = Date.now();
    timer = window.setInterval(() => {
      nowMs = Date.now();
      for (const each of listeners) each();
    }, TICK_MS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.clearInterval(timer);
  };
}

type RelativeTimeProps = {
  iso: string;
  /** The time is still to come: `in 2 hours`. */
  isAhead?: boolean;
};

/** `5 minutes ago`, which goes on counting; the exact time shows when it is pointed at. */
export function RelativeTime({ iso, isAhead = false }: RelativeTimeProps) {
  const atMs = useSyncExternalStore(subscribe, () => nowMs);
  return (
    <time dateTime={iso} title={formatDateTime(iso)}>
      {/* What has happened since the last tick would otherwise lie in the future. */}
      {isAhead ? timeLeft(iso, atMs) : formatRelative(iso, Math.max(atMs, Date.parse(iso)))}
    </time>
  );
}

function timeLeft(iso: string, atMs: number): string {
  return Date.parse(iso) - atMs < 60_000 ? "any moment now" : formatRelative(iso, atMs);
}
