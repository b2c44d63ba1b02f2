import type { MessageCounts } from "@ewebal/contract";
import { expect, test } from "vitest";
import { countsInWords, isSettled, listCounts, sumCounts } from "./message-counts.ts";

const none: MessageCounts = { waiting: 0, sent: 0, delivered: 0, failed: 0, dnd: 0, unknown: 0, cancelled: 0 };
const createdAt = "2026-03-01T10:00:00.000Z";
const atMs = (hours: number): number => Date.parse(createdAt) + hours * 3_600_000;

test("counts in words leave out what is nobody, and end with who waits", () => {
  const counts = { ...none, waiting: 1_000, delivered: 9_800, failed: 150, dnd: 50 };
  expect(countsInWords(counts)).toBe("9,800 delivered, 150 failed, 50 DND, 1,000 waiting");
  expect(listCounts(counts)).toHaveLength(4);
  expect(sumCounts(counts)).toBe(11_000);
});

test.each([
  { counts: { ...none, delivered: 5, failed: 1, dnd: 1, cancelled: 1 }, hours: 0, settled: true },
  { counts: { ...none, waiting: 1 }, hours: 1_000, settled: false },
  { counts: { ...none, sent: 1 }, hours: 1, settled: false },
  { counts: { ...none, unknown: 1 }, hours: 1, settled: false },
  { counts: { ...none, sent: 1 }, hours: 73, settled: true },
])("$counts after $hours hours: settled is $settled", ({ counts, hours, settled }) => {
  expect(isSettled({ counts, createdAt }, atMs(hours))).toBe(settled);
});

test("the days of reports are counted from when a scheduled message was sent, not from when it was written", () => {
  const message = { counts: { ...none, sent: 1 }, createdAt, sendAt: "2026-03-08T10:00:00.000Z" };
  expect(isSettled(message, atMs(7 * 24 + 1))).toBe(false);
  expect(isSettled(message, atMs(10 * 24 + 1))).toBe(true);
});
