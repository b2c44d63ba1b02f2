import type { ContentRuleAnswer } from "@ewebal/contract";
import { expect, test } from "vitest";
import { findMet, scopeInWords, verdictOf } from "./rule-words.ts";

const rule: ContentRuleAnswer = {
  _id: "01900000-0000-7000-8000-0000000000d1",
  pattern: "casino",
  where: "text",
  countries: [],
  networks: [],
  action: "refuse",
  note: "",
  isEnabled: true,
  createdAt: "2026-11-23T10:00:00.000Z",
};
const met = (message: string, senderName = "", facts: Partial<ContentRuleAnswer> = {}): boolean =>
  findMet([{ ...rule, ...facts }], { senderName, message }).length > 0;

test("a text meets whole words in any case, also where characters hide them", () => {
  expect(met("Casinos")).toBe(false);
  expect(met("Come to the CASINO!")).toBe(true);
  expect(met("ca\u200Bsino")).toBe(true);
});

test("a rule that is switched off is not met", () => {
  expect(met("casino", "", { isEnabled: false })).toBe(false);
});

test("links and sender names are met where their rules look, and nowhere else", () => {
  const link = { where: "link", pattern: "bit.ly" } as const;
  expect(met("go.bit.ly/x", "", link)).toBe(true);
  expect(met("rabbit.ly/x", "", link)).toBe(false);
  const sender = { where: "sender", pattern: "GTBANK" } as const;
  expect(met("GTBANK", "", sender)).toBe(false);
  expect(met("", "GT 8ANK", sender)).toBe(true);
});

test("a rule for some countries and networks is met and says for which", () => {
  expect(met("casino", "", { countries: ["254"], networks: ["MTN"] })).toBe(true);
  expect(scopeInWords({ countries: ["254"], networks: ["MTN"] })).toBe("+254; MTN only");
  expect(scopeInWords({ countries: [], networks: [] })).toBe("All countries");
});

test("the strictest rule decides", () => {
  expect(verdictOf([])).toBe("No rule is met");
  expect(verdictOf([{ action: "warn" }, { action: "review" }])).toBe("The message waits for review");
  expect(verdictOf([{ action: "review" }, { action: "refuse" }])).toBe("The message is refused");
});
