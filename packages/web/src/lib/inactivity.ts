/**
 * Signs a person out who has touched nothing for 20 minutes, in no tab. Tabs tell each other of activity, because someone
 * who works in one tab is not away from the other. The server counts for itself and only sees calls, so someone who reads
 * and scrolls without calling is announced to it now and then.
 */
import { durationsMs } from "@ewebal/contract";
import { forgetActivity, getLastActiveMs, noteActivity } from "./activity.ts";

const activityEvents = ["mousemove", "pointerdown", "keydown", "touchstart", "scroll"] as const;
const channelName = "ewebal.activity";
/** Other tabs need to know it to the second, not to the pixel. */
const tellEveryMs = 1_000;
const checkEveryMs = 5_000;
/** A quarter of the time that the server waits. */
const announceEveryMs = durationsMs.inactivity / 4;

export interface InactivityOptions {
  /** Called once, in every tab, when the time has passed. */
  onInactive: () => void;
  /** Makes a call that counts as the person's own. */
  announce: () => void;
  limitMs?: number;
}

/** @returns a function that stops watching. */
export function watchInactivity({ onInactive, announce, limitMs = durationsMs.inactivity }: InactivityOptions): () => void {
  const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(channelName);
  let toldMs = 0;
  let announcedMs = Date.now();
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
    if (isOver || Date.now() - getLastActiveMs() < limitMs) return;
    stop();
    onInactive();
  };
  const onActivity = (): void => {
    check();
    if (isOver) return;
    const nowMs = Date.now();
    noteActivity(nowMs);
    if (nowMs - toldMs >= tellEveryMs) {
      toldMs = nowMs;
      channel?.postMessage(nowMs);
    }
    if (nowMs - announcedMs >= announceEveryMs) {
      announcedMs = nowMs;
      announce();
    }
  };

  channel?.addEventListener("message", ({ data }: MessageEvent) => {
    if (typeof data === "number") noteActivity(data);
  });
  for (const name of activityEvents) window.addEventListener(name, onActivity, { capture: true, passive: true });
  document.addEventListener("visibilitychange", check);
  const timer = window.setInterval(check, checkEveryMs);
  channel?.postMessage(Date.now());
  return stop;
}
