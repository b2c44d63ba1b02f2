import { expect, test } from "vitest";
import type { Composition } from "./composition.ts";
import {
  findMissingForCatalog,
  findMissingForCatalogDraft,
  findMissingForDraft,
  findMissingForSend,
} from "./missing-for-send.ts";
import type { RecipientsSummary } from "../recipients/recipient-lists.ts";

const summary: RecipientsSummary = {
  validCount: 2,
  receivedCount: 2,
  duplicateCount: 0,
  wrongCount: 0,
  repaired: undefined,
  wrong: [],
  first: [],
  listCounts: new Map(),
  columns: [],
  hasOwnTexts: false,
  networks: [],
};
const ready: Composition = {
  code: "234",
  senderName: "AdaStores",
  message: "Hello",
  typedNumbers: "08030000001, 08030000002",
  lists: [],
  summary,
  reading: "done",
  leftOutCount: 0,
  merged: undefined,
  onMissing: undefined,
  knownKeys: [],
  isSending: false,
  schedule: undefined,
  choices: {},
  publicUrl: "https://sms.example",
};

test("with all three filled nothing is missing", () => {
  expect(findMissingForSend(ready)).toEqual([]);
  expect(findMissingForDraft(ready)).toEqual([]);
});

test("each empty field is named, in the order of the form; spaces fill none", () => {
  const empty = {
    ...ready,
    senderName: " ",
    message: "\n",
    typedNumbers: " ",
    summary: undefined,
    reading: "none",
  } as const;
  expect(findMissingForSend(empty)).toEqual(["sender name", "message", "recipients"]);
  expect(findMissingForDraft(empty)).toEqual(["sender name", "message", "recipients"]);
});

test("a pasted list counts as recipients", () => {
  expect(
    findMissingForDraft({ ...ready, typedNumbers: "", lists: [{ listId: 1, text: "08030000001", origin: "pasted" }] }),
  ).toEqual([]);
});

test("a message of more than 1,600 characters is neither sent nor kept", () => {
  const tooLong = { ...ready, message: "a".repeat(1_601) };
  expect(findMissingForSend(tooLong)).toEqual(["a message of at most 1,600 characters"]);
  expect(findMissingForDraft(tooLong)).toEqual(["a message of at most 1,600 characters"]);
  expect(findMissingForSend({ ...ready, message: "😀".repeat(1_600) })).toEqual([]);
});

test.each<{ when: string; change: Partial<Composition>; missing: string[] }>([
  {
    when: "while the numbers are read",
    change: { reading: "running" },
    missing: ["The recipients are being counted."],
  },
  {
    when: "when they could not be read",
    change: { reading: "failed" },
    missing: ["The recipients could not be counted."],
  },
  {
    when: "with wrong numbers only",
    change: { summary: { ...summary, validCount: 0, wrongCount: 3 } },
    missing: ["a recipient with a valid number"],
  },
  {
    when: "with wrong numbers among them",
    change: { summary: { ...summary, wrongCount: 3 } },
    missing: ["3 numbers can't be used. Fix them or leave them out."],
  },
  {
    when: "with one wrong number",
    change: { summary: { ...summary, wrongCount: 1 } },
    missing: ["1 number can't be used. Fix it or leave it out."],
  },
  {
    when: "with wrong numbers left out",
    change: { summary: { ...summary, wrongCount: 3 }, leftOutCount: 3 },
    missing: [],
  },
  {
    when: "over the limit",
    change: { summary: { ...summary, receivedCount: 1_000_001 } },
    missing: ["at most 1,000,000 recipients"],
  },
])("$when a draft can be kept, and the send needs $missing", ({ change, missing }) => {
  expect(findMissingForSend({ ...ready, ...change })).toEqual(missing);
  expect(findMissingForDraft({ ...ready, ...change })).toEqual([]);
});

test("sending later needs a time that is to come; a draft does not", () => {
  const passed = { ...ready, schedule: { date: "2020-01-01", time: "", timeZone: "Africa/Lagos" } };
  expect(findMissingForSend(passed)).toEqual(["time"]);
  expect(findMissingForSend({ ...passed, schedule: { ...passed.schedule, time: "09:00" } })).toEqual([
    "a time that is still to come",
  ]);
  expect(findMissingForDraft(passed)).toEqual([]);
});

test("a catalog needs a name that is short enough, a message and somebody in it; its draft takes any name", () => {
  const noNumbers = { ...ready, typedNumbers: "", senderName: "TwelveLetter" };
  expect(findMissingForCatalog(noNumbers, 0)).toEqual([
    "a sender name of at most 11 characters",
    "a contact in the catalog",
  ]);
  expect(findMissingForCatalogDraft(noNumbers, 1)).toEqual([]);
  expect(findMissingForCatalog({ ...noNumbers, senderName: "", message: "" }, 1)).toEqual(["sender name", "message"]);
});
