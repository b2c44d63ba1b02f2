import { historyStates } from "@ewebal/contract";
import { expect, test } from "vitest";
import { historyStateWords, readHistoryFilters } from "./history-filters.ts";

const none = { search: "", state: "", sender: "", from: "", to: "", mode: "" };

test("what is off or makes no sense is not asked", () => {
  expect(readHistoryFilters(none)).toEqual({});
  expect(
    readHistoryFilters({ ...none, state: "scheduled", mode: "both", from: "yesterday", to: "2026-02-31" }),
  ).toEqual({});
});

test("each filter is asked as it stands in the address", () => {
  const all = {
    search: "sale",
    state: "done",
    sender: "AdaStores",
    from: "2026-03-01",
    to: "2026-03-05",
    mode: "test",
  };
  expect(readHistoryFilters(all)).toEqual(all);
});

test("the page knows the server's states", () => {
  expect(Object.keys(historyStateWords)).toEqual([...historyStates]);
});
