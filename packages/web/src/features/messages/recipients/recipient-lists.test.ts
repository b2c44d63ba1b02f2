import { DEFAULT_RATES, type Rates } from "@ewebal/contract";
import { expect, test } from "vitest";
import { RecipientLists, type RecipientsSummary } from "./recipient-lists.ts";

function read(lists: RecipientLists, typed: string, code = "234", rates: Rates = DEFAULT_RATES): RecipientsSummary {
  const answer = lists.handle({ kind: "read", code, rates, typed });
  if (answer?.kind !== "read") throw new Error("no summary");
  return answer.summary;
}

test("numbers pasted in any shape become distinct numbers with their code", () => {
  const summary = read(new RecipientLists(), "0803 000 0001, +234 805 000 0002\n2348090000003;08030000001");
  expect(summary).toMatchObject({ validCount: 3, receivedCount: 4, duplicateCount: 1, wrongCount: 0 });
  expect(summary.first).toEqual(["2348030000001", "2348050000002", "2348090000003"]);
});

test("a code that is priced apart has its numbers, and the shorter one has not", () => {
  const rates = new Map([...DEFAULT_RATES, ["1876", 9_000] as const]);
  const typed = "18765550123";
  expect(read(new RecipientLists(), typed, "1")).toMatchObject({ validCount: 1 });
  expect(read(new RecipientLists(), typed, "1", rates)).toMatchObject({ validCount: 0, wrongCount: 1 });
  expect(read(new RecipientLists(), typed, "1876")).toMatchObject({ validCount: 0, wrongCount: 1 });
  expect(read(new RecipientLists(), typed, "1876", rates)).toMatchObject({ validCount: 1 });
});

test("numbers whose 0 a spreadsheet dropped are right, and counted", () => {
  expect(read(new RecipientLists(), "8030000001 8030000002, 08030000001")).toMatchObject({
    validCount: 2,
    duplicateCount: 1,
    wrongCount: 0,
    repaired: { leadingZero: 2 },
  });
});

test("wrong numbers are listed with their place and the reason", () => {
  const { wrong } = read(new RecipientLists(), "08030000001, 8001234567, 44791, hello");
  expect(wrong).toEqual([
    { index: 1, value: "8001234567", reason: "wrong-code" },
    { index: 2, value: "44791", reason: "too-short" },
    { index: 3, value: "hello", reason: "not-digits" },
  ]);
});

test("pasted lists and typed numbers are one list without repetitions, each list with its own count", () => {
  const lists = new RecipientLists();
  lists.handle({ kind: "put", listId: 1, text: "08030000001\n08030000002" });
  lists.handle({ kind: "put", listId: 2, text: "08030000002\n08030000003\nwrong" });
  const summary = read(lists, "08030000003 08030000004");
  expect(summary).toMatchObject({ validCount: 4, receivedCount: 7, duplicateCount: 2, wrongCount: 1 });
  expect([...summary.listCounts]).toEqual([
    [1, 2],
    [2, 3],
  ]);
});

test("a dropped list counts no more", () => {
  const lists = new RecipientLists();
  lists.handle({ kind: "put", listId: 1, text: "08030000001" });
  lists.handle({ kind: "drop", listId: 1 });
  expect(read(lists, "08030000002")).toMatchObject({ validCount: 1, receivedCount: 1 });
});

test("what is written are the distinct valid numbers of the latest reading, digits and commas", () => {
  const lists = new RecipientLists();
  expect(lists.handle({ kind: "write" })).toEqual({ kind: "written", text: "" });
  read(lists, "0803 000 0001 / 0803 000 0001 / wrong / 0805 000 0002");
  expect(lists.handle({ kind: "write" })).toEqual({ kind: "written", text: "2348030000001,2348050000002" });
});

test("the chosen country decides which numbers are right", () => {
  const lists = new RecipientLists();
  expect(read(lists, "+233 24 123 4567", "233")).toMatchObject({ validCount: 1, wrongCount: 0 });
  expect(read(lists, "+233 24 123 4567", "234").wrong).toMatchObject([{ reason: "wrong-code" }]);
});
