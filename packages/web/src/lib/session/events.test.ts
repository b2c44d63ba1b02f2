// @vitest-environment jsdom
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fakeEventSource, type FakeEventSource } from "../../testing/fake-event-source.ts";
import { createRefresher, followChanges } from "./events.ts";

let opened: FakeEventSource[];
let queryClient: QueryClient;

beforeEach(() => {
  opened = fakeEventSource();
  queryClient = new QueryClient();
});

afterEach(() => {
  vi.useRealTimers();
  queryClient.clear();
});

const isInvalid = (key: unknown[]): boolean | undefined => queryClient.getQueryState(key)?.isInvalidated;

test("a topic refreshes the queries whose key it begins", async () => {
  for (const key of [
    ["user", "u1"],
    ["message", "m1", "recipients"],
    ["message", "m2"],
  ])
    queryClient.setQueryData(key, {});
  const stop = followChanges(queryClient, vi.fn());
  opened[0]?.say("change", { topics: ["user", "message:m1"] });
  await vi.waitFor(() => expect(isInvalid(["user", "u1"])).toBe(true));
  expect(isInvalid(["message", "m1", "recipients"])).toBe(true);
  expect(isInvalid(["message", "m2"])).toBe(false);
  stop();
  expect(opened[0]?.readyState).toBe(2);
});

test("ready refreshes everything but the brand", async () => {
  queryClient.setQueryData(["user", "u1"], {});
  queryClient.setQueryData(["brand"], {});
  const stop = followChanges(queryClient, vi.fn());
  opened[0]?.say("ready");
  await vi.waitFor(() => expect(isInvalid(["user", "u1"])).toBe(true));
  expect(isInvalid(["brand"])).toBe(false);
  stop();
});

test("a first read that was under way before the stream stood is followed by another: its answer may be older than a change", async () => {
  const answers: ((value: string) => void)[] = [];
  const queryFn = vi.fn(async () => await new Promise<string>((resolve) => void answers.push(resolve)));
  const observer = new QueryObserver(queryClient, {
    queryKey: ["payments", "list"],
    queryFn,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const stopObserving = observer.subscribe(() => undefined);
  const stop = followChanges(queryClient, vi.fn());
  opened[0]?.say("ready");
  answers[0]?.("open");
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2));
  answers[1]?.("failed");
  await vi.waitFor(() => expect(queryClient.getQueryData(["payments", "list"])).toBe("failed"));
  await Promise.resolve();
  expect(queryFn).toHaveBeenCalledTimes(2);
  stop();
  stopObserving();
});

test("after an error answer it connects again, later each time", () => {
  vi.useFakeTimers();
  const stop = followChanges(queryClient, vi.fn());
  opened[0]?.fail();
  vi.advanceTimersByTime(1_300);
  expect(opened).toHaveLength(2);
  opened[1]?.fail();
  vi.advanceTimersByTime(1_300);
  expect(opened).toHaveLength(2);
  vi.advanceTimersByTime(1_300);
  expect(opened).toHaveLength(3);
  stop();
  opened[2]?.fail();
  vi.advanceTimersByTime(60_000);
  expect(opened).toHaveLength(3);
});

describe("a tab that nobody looks at", () => {
  const setVisibility = (state: DocumentVisibilityState): void => {
    vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
    document.dispatchEvent(new Event("visibilitychange"));
  };

  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("gives its connection up after a while, and connects at once when it is looked at again", () => {
    const stop = followChanges(queryClient, vi.fn());
    setVisibility("hidden");
    vi.advanceTimersByTime(9_000);
    expect(opened[0]?.readyState).not.toBe(2);
    vi.advanceTimersByTime(2_000);
    expect(opened[0]?.readyState).toBe(2);
    vi.advanceTimersByTime(600_000);
    expect(opened).toHaveLength(1);
    setVisibility("visible");
    expect(opened).toHaveLength(2);
    stop();
    setVisibility("hidden");
    setVisibility("visible");
    expect(opened).toHaveLength(2);
  });

  test("keeps it when it was only left for a moment", () => {
    const stop = followChanges(queryClient, vi.fn());
    setVisibility("hidden");
    vi.advanceTimersByTime(5_000);
    setVisibility("visible");
    vi.advanceTimersByTime(60_000);
    expect(opened).toHaveLength(1);
    expect(opened[0]?.readyState).not.toBe(2);
    stop();
  });

  test("does not go on trying after an error answer", () => {
    const stop = followChanges(queryClient, vi.fn());
    opened[0]?.fail();
    setVisibility("hidden");
    vi.advanceTimersByTime(600_000);
    expect(opened.length).toBeLessThan(6);
    const count = opened.length;
    vi.advanceTimersByTime(600_000);
    expect(opened).toHaveLength(count);
    stop();
  });

  test("was opened behind others: connects when it is looked at", () => {
    setVisibility("hidden");
    const stop = followChanges(queryClient, vi.fn());
    expect(opened).toHaveLength(0);
    setVisibility("visible");
    expect(opened).toHaveLength(1);
    stop();
  });
});

test("signed-out ends the connection and says so", () => {
  const onSignedOut = vi.fn();
  followChanges(queryClient, onSignedOut);
  opened[0]?.say("signed-out");
  expect(onSignedOut).toHaveBeenCalledOnce();
  expect(opened[0]?.readyState).toBe(2);
});

test("a read that the page began is not cut off, and one more follows it", async () => {
  const answers: ((value: number) => void)[] = [];
  const queryFn = vi.fn(async () => await new Promise<number>((resolve) => void answers.push(resolve)));
  const observer = new QueryObserver(queryClient, { queryKey: ["user", "u1"], queryFn });
  const stop = observer.subscribe(() => undefined);
  createRefresher(queryClient)("user");
  expect(queryFn).toHaveBeenCalledOnce();
  answers[0]?.(1);
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2));
  answers[1]?.(2);
  await vi.waitFor(() => expect(observer.getCurrentResult()).toMatchObject({ data: 2, fetchStatus: "idle" }));
  expect(queryFn).toHaveBeenCalledTimes(2);
  stop();
});

test("a read that nobody looks at any more is not waited for: the page goes on", async () => {
  const queryKey = ["message", "m1"];
  queryClient.setQueryData(queryKey, { sent: 0 });
  const queryFn = async ({ signal }: { signal: AbortSignal }) =>
    await new Promise<object>((resolve) => {
      signal.addEventListener("abort", () => resolve({}));
    });
  const observer = new QueryObserver(queryClient, { queryKey, queryFn });
  const stop = observer.subscribe(() => undefined);
  // Scrolled out of sight before the answer.
  observer.setOptions({ queryKey, queryFn, enabled: false });
  expect(queryClient.isFetching({ queryKey })).toBe(1);
  const invalidateQueries = queryClient.invalidateQueries.bind(queryClient);
  const invalidate = vi.spyOn(queryClient, "invalidateQueries").mockImplementation(async (...parts) => {
    // The end of the loop that must not be.
    if (invalidate.mock.calls.length > 100) throw new Error("asked without end");
    await invalidateQueries(...parts);
  });
  createRefresher(queryClient)("message:m1");
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  expect(invalidate).toHaveBeenCalledOnce();
  expect(isInvalid(queryKey)).toBe(true);
  stop();
});

test("hints that come during a read cause one more read, not one each", async () => {
  const answers: (() => void)[] = [];
  const invalidate = vi
    .spyOn(queryClient, "invalidateQueries")
    .mockImplementation(async () => await new Promise<void>((resolve) => void answers.push(resolve)));
  const refresh = createRefresher(queryClient);
  for (let hint = 0; hint < 50; hint++) refresh("messages");
  expect(invalidate).toHaveBeenCalledTimes(1);
  answers[0]?.();
  await vi.waitFor(() => expect(invalidate).toHaveBeenCalledTimes(2));
  answers[1]?.();
  await Promise.resolve();
  expect(invalidate).toHaveBeenCalledTimes(2);
});
