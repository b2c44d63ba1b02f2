import type { MessageState } from "@ewebal/contract";

/** What the history can be asked for; in the address as it is asked of the server. */
export const historyFilterNames = ["search", "state", "sender", "from", "to", "mode"] as const;
export type HistoryFilters = Readonly<Record<(typeof historyFilterNames)[number], string>>;

type HistoryState = Exclude<MessageState, "scheduled">;

/** In the order of a message's life. The contract's own list would bring zod along; a test compares them. */
export const historyStateWords: Readonly<Record<HistoryState, string>> = {
  sending: "Sending",
  deferred: "Waits for the morning",
  review: "In review",
  paused: "Paused",
  held: "Held",
  cancelled: "Cancelled",
  done: "Done",
};

export type HistoryQuery = {
  search?: string;
  state?: HistoryState;
  sender?: string;
  from?: string;
  to?: string;
  /** What test keys sent, instead of what was sent. */
  mode?: "test";
};

/** @returns what the server takes of an address that anybody may have typed. */
export function readHistoryFilters({ search, state, sender, from, to, mode }: HistoryFilters): HistoryQuery {
  const known = (Object.keys(historyStateWords) as HistoryState[]).find((each) => each === state);
  return {
    ...(search !== "" && { search }),
    ...(known !== undefined && { state: known }),
    ...(sender !== "" && { sender }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(mode === "test" && { mode }),
  };
}

/** Whether it is a day as the server reads it: `2026-11-23`. */
export function isDay(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)
  );
}
