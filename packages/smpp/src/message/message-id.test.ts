import { expect, test } from "vitest";
import { answerKey, guessMessageIdForm, receiptKey } from "./message-id.ts";

test.each([
  ["asIs", "0000AbC", "abc"],
  ["asIs", "0", "0"],
  ["asIs", "000", "0"],
  ["asIs", "", ""],
  ["asIs", "5F3759DF-0001", "5f3759df-0001"],
  ["hexToDec", "1F", "31"],
  ["hexToDec", "ffffffffffffffff", "18446744073709551615"],
  ["hexToDec", "not-hex", "not-hex"],
  ["decToHex", "0031", "1f"],
  ["decToHex", "18446744073709551615", "ffffffffffffffff"],
  ["decToHex", "1f", "1f"],
] as const)("with %s the answer's id %j is kept as %j", (form, messageId, key) => {
  expect(answerKey(messageId, form)).toBe(key);
});

test("an answer meets its receipt whatever the padding and the case", () => {
  expect(answerKey("00FF", "asIs")).toBe(receiptKey("ff"));
  expect(answerKey("00FF", "hexToDec")).toBe(receiptKey("0000000255"));
  expect(answerKey("0000000255", "decToHex")).toBe(receiptKey("FF"));
});

test("the form is found from one pair", () => {
  expect(guessMessageIdForm("1f", "001F")).toBe("asIs");
  expect(guessMessageIdForm("1f", "31")).toBe("hexToDec");
  expect(guessMessageIdForm("31", "1f")).toBe("decToHex");
  expect(guessMessageIdForm("31", "32")).toBeUndefined();
});
