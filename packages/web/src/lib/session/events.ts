/**
 * Live changes. The server sends hints, never data: `event: change` with `{"topics": ["user", "message:<id>"]}`. A topic is a
 * query key written with colons, so `message:7` refreshes every query whose key starts with `["message", "7"]`.
 *
 * States: connecting -> open -> (lost -> connecting)*, and resting while nobody looks. Whatever was missed meanwhile is made good
 * by `event: ready`, which the server sends on every connect and after a gap, and which refreshes all that is on screen.
 * `event: signed-out` ends it.
 */
import type { Query, QueryClient } from "@tanstack/react-query";

const EVENTS_ADDRESS = "/api/events";
const RECONNECT_DELAY_MIN_MS = 1_000;
const RECONNECT_DELAY_MAX_MS = 30_000;
/**
 * A tab that nobody looks at gives its connection up: browsers have six for one host, the server takes four from one session,
 * and the tabs of somebody who has more would end each other's without end.
 */
const HIDDEN_MAX_MS = 10_000;

/**
 * @param onSignedOut called when the server ends the session, before any call has failed.
 * @returns a function that ends the connection.
 */
export function followChanges(queryClient: QueryClient, onSignedOut: () => void): () => void {
  const refresher = createRefresher(queryClient);
  let source: EventSource | undefined;
  let timer: number | undefined;
  let hiddenTimer: number | undefined;
  let delayMs = RECONNECT_DELAY_MIN_MS;
  let isStopped = false;

  const connect = (): void => {
    source = new EventSource(EVENTS_ADDRESS);
    source.addEventListener("ready", () => {
      delayMs = RECONNECT_DELAY_MIN_MS;
      // The first time too: something may have changed between a page's first read and this connection.
      void readAllAgain(queryClient);
    });
    source.addEventListener("signed-out", () => {
      source?.close();
      document.removeEventListener("visibilitychange", onVisibility);
      onSignedOut();
    });
    source.addEventListener("change", (event) => {
      for (const topic of readTopics(event)) refresher(topic);
    });
    source.addEventListener("error", () => {
      // The browser reconnects by itself after a lost connection, but gives up after an error answer.
      if (isStopped || source?.readyState !== EventSource.CLOSED) return;
      timer = window.setTimeout(connect, delayMs * (0.75 + Math.random() / 2));
      delayMs = Math.min(delayMs * 2, RECONNECT_DELAY_MAX_MS);
    });
  };

  const rest = (): void => {
    window.clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const onVisibility = (): void => {
    window.clearTimeout(hiddenTimer);
    if (document.visibilityState === "hidden") hiddenTimer = window.setTimeout(rest, HIDDEN_MAX_MS);
    else if (source === undefined) connect();
  };

  document.addEventListener("visibilitychange", onVisibility);
  // A tab that was opened behind others has read what it shows, and connects when it is looked at.
  if (document.visibilityState !== "hidden") connect();
  return () => {
    isStopped = true;
    document.removeEventListener("visibilitychange", onVisibility);
    window.clearTimeout(hiddenTimer);
    rest();
  };
}

/** This does not restart a first read that is under way, and its answer may be older than the change: another read follows it. */
async function readAllAgain(queryClient: QueryClient): Promise<void> {
  const isFollowed = ({ queryKey }: Query): boolean => queryKey[0] !== "brand";
  const firstReads = queryClient
    .getQueryCache()
    .findAll({ predicate: (query) => isFollowed(query) && query.state.data === undefined, fetchStatus: "fetching" });
  await queryClient.invalidateQueries({ predicate: isFollowed });
  await queryClient.invalidateQueries({ predicate: (query) => firstReads.includes(query) });
}

function readTopics(event: MessageEvent): string[] {
  const change: unknown = JSON.parse(String(event.data));
  if (typeof change !== "object" || change === null || !("topics" in change) || !Array.isArray(change.topics))
    return [];
  return change.topics.filter((topic) => typeof topic === "string");
}

/**
 * One refresh per topic at a time. During a running send hints come faster than answers; restarting a read at each hint
 * would never let one end, so a hint during a read asks for exactly one more after it. A read that the page itself began is
 * left to end as well, and followed by one that is sure to have seen the change.
 */
export function createRefresher(queryClient: QueryClient): (topic: string) => void {
  const running = new Map<string, "clean" | "dirty">();

  const refresh = async (topic: string): Promise<void> => {
    const queryKey = topic.split(":");
    do {
      // Active ones alone, which are what is awaited below: a loop that waits for others would leave their answers no turn.
      running.set(topic, queryClient.isFetching({ queryKey, type: "active" }) > 0 ? "dirty" : "clean");
      // A failed read is the query's own business; it shows it and tries again.
      await queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false, throwOnError: false });
    } while (running.get(topic) === "dirty");
    running.delete(topic);
  };

  return (topic) => {
    noteHint(topic);
    if (running.has(topic)) running.set(topic, "dirty");
    else void refresh(topic);
  };
}

/** When each topic was last hinted at, the oldest first. */
const hintedAtMs = new Map<string, number>();
/** More than change during the longest read of a list. */
const HINTS_KEPT = 2_000;

function noteHint(topic: string): void {
  hintedAtMs.delete(topic);
  hintedAtMs.set(topic, Date.now());
  const [oldest] = hintedAtMs.keys();
  if (hintedAtMs.size > HINTS_KEPT && oldest !== undefined) hintedAtMs.delete(oldest);
}

/**
 * A hint that comes while a list is read finds no entry to refresh for what the list is about to bring.
 *
 * @param sinceMs when the read of the list began, as `Date.now()` has it.
 */
export function wasHintedSince(topic: string, sinceMs: number): boolean {
  return (hintedAtMs.get(topic) ?? 0) >= sinceMs;
}
