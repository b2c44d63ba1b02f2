/**
 * Signs a person out who has touched nothing for 20 minutes, in no tab. Tabs tell each other of activity, because someone
 * who works in one tab is not away from the other. The server counts for itself and only sees calls, so someone who writes
 * or reads without calling is announced to it, the last touch before a pause included: its 20 minutes must not end before
 * the page's, and take with them what was being written.
 */
import { durationsMs } from "@ewebal/contract/rules";
import { forgetActivity, getLastActiveMs, noteActivity } from "./activity.ts";

const activityEvents = ["mousemove", "pointerdown", "keydown", "touchstart", "touchmove", "scroll", "wheel"] as const;
const CHANNEL_NAME = "ewebal.activity";
/** Other tabs need to know it to the second, not to the pixel. */
const TELL_EVERY_MS = 1_000;
const CHECK_EVERY_MS = 5_000;
/** Sooner than a read stops counting as the person's own; see `activity.ts`. */
const ANNOUNCE_EVERY_MS = 30_000;

export type InactivityOptions = {
  /** Called once, in every tab, when the time has passed. */
  onInactive: () => void;
  /** Makes a call that counts as the person's own. */
  announce: () => void;
  limitMs?: number;
};

/** @returns a function that stops watching. */
export function watchInactivity({
  onInactive,
  announce,
  limitMs = durationsMs.inactivity,
}: InactivityOptions): () => void {
  const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(CHANNEL_NAME);
  let toldMs = 0;
  let announcedMs = Date.now();
  /** In this tab: others announce what is touched in them. */
  let touchedMs = announcedMs;
  let isOver = false;
  noteActivity(Date.now());

  const stop = (): void => {
    isOver = true;
    window.clearInterval(timer);
    channel?.close();
    for (const name of activityEvents) window.removeEventListener(name, onActivity, { capture: true });
    document.removeEventListener("visibilitychange", check);
    forgetActivity();
  };
  /** Timers sleep with the computer: the first sign of life after a night must not count as activity. */
  const check = (): void => {
    if (isOver) return;
    const nowMs = Date.now();
    if (nowMs - getLastActiveMs() >= limitMs) {
      stop();
      onInactive();
    } else if (touchedMs > announcedMs && nowMs - announcedMs >= ANNOUNCE_EVERY_MS) {
      announcedMs = nowMs;
      announce();
    }
  };
  const onActivity = (): void => {
    check();
    if (isOver) return;
    const nowMs = Date.now();
    touchedMs = nowMs;
    noteActivity(nowMs);
    if (nowMs - toldMs >= TELL_EVERY_MS) {
      toldMs = nowMs;
      channel?.postMessage(nowMs);
    }
  };

  channel?.addEventListener("message", ({ data }: MessageEvent) => {
    if (typeof data === "number") noteActivity(data);
  });
  for (const name of activityEvents) window.addEventListener(name, onActivity, { capture: true, passive: true });
  document.addEventListener("visibilitychange", check);
  const timer = window.setInterval(check, CHECK_EVERY_MS);
  channel?.postMessage(Date.now());
  return stop;
}
