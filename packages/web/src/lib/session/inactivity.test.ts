// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isPersonThere } from "./activity.ts";
import { watchInactivity } from "./inactivity.ts";

const minuteMs = 60_000;
let stops: (() => void)[] = [];

/** A stand-in that reaches every other channel of the name at once, as tabs of one browser do. */
class FakeChannel extends EventTarget {
  static all: FakeChannel[] = [];
  constructor() {
    super();
    FakeChannel.all.push(this);
  }
  postMessage(data: unknown): void {
    for (const other of FakeChannel.all) if (other !== this) other.dispatchEvent(new MessageEvent("message", { data }));
  }
  close(): void {
    FakeChannel.all = FakeChannel.all.filter((other) => other !== this);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeChannel.all = [];
  vi.stubGlobal("BroadcastChannel", FakeChannel);
});

afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
  vi.useRealTimers();
});

function watch() {
  const onInactive = vi.fn();
  const announce = vi.fn();
  stops.push(watchInactivity({ onInactive, announce }));
  return { onInactive, announce };
}

test("20 minutes without a touch sign out, once", () => {
  const { onInactive } = watch();
  vi.advanceTimersByTime(20 * minuteMs - 6_000);
  expect(onInactive).not.toHaveBeenCalled();
  vi.advanceTimersByTime(30 * minuteMs);
  expect(onInactive).toHaveBeenCalledOnce();
});

test.each(["mousemove", "keydown", "touchstart", "touchmove", "scroll", "wheel"])("%s counts as a touch", (name) => {
  const { onInactive } = watch();
  vi.advanceTimersByTime(19 * minuteMs);
  window.dispatchEvent(new Event(name));
  vi.advanceTimersByTime(19 * minuteMs);
  expect(onInactive).not.toHaveBeenCalled();
});

test("a touch in another tab counts here", () => {
  const { onInactive } = watch();
  const otherTab = new FakeChannel();
  vi.advanceTimersByTime(19 * minuteMs);
  otherTab.postMessage(Date.now());
  vi.advanceTimersByTime(19 * minuteMs);
  expect(onInactive).not.toHaveBeenCalled();
});

test("the first touch after the computer slept does not undo the sign-out", () => {
  const { onInactive } = watch();
  // Time passes without a timer, as it does under a closed lid.
  vi.setSystemTime(Date.now() + 8 * 60 * minuteMs);
  window.dispatchEvent(new Event("mousemove"));
  expect(onInactive).toHaveBeenCalledOnce();
});

test("who touches the page without calling is announced to the server every 30 s, with the last touch before a pause", () => {
  const { announce } = watch();
  for (let second = 0; second < 55; second += 1) {
    vi.advanceTimersByTime(1_000);
    window.dispatchEvent(new Event("scroll"));
  }
  expect(announce).toHaveBeenCalledTimes(1);
  announce.mockImplementation(() => expect(isPersonThere()).toBe(true));
  vi.advanceTimersByTime(60_000);
  expect(announce).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(18 * minuteMs);
  expect(announce).toHaveBeenCalledTimes(2);
});

test("who is there without a touch is not announced", () => {
  const { announce } = watch();
  const otherTab = new FakeChannel();
  for (let minute = 0; minute < 30; minute += 1) {
    vi.advanceTimersByTime(minuteMs);
    otherTab.postMessage(Date.now());
  }
  expect(announce).not.toHaveBeenCalled();
});

test("reads count as the person's own for 40 s after a touch", () => {
  watch();
  vi.advanceTimersByTime(39_000);
  expect(isPersonThere()).toBe(true);
  vi.advanceTimersByTime(2_000);
  expect(isPersonThere()).toBe(false);
});
