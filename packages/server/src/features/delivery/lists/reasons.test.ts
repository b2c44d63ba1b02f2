import { expect, test } from "vitest";
import { reasonInWords } from "./reasons.ts";

test.for([
  [null, ""],
  ["no-route", "No carrier takes messages to this number; not charged"],
  ["status:11", "The carrier does not know this number; not charged"],
  ["status:1040", "The carrier refused the message (0x00000410); not charged"],
  ["status:69", "The carrier could not take the message; not charged"],
  ["report:expired", "The phone could not be reached in time"],
  ["report:undeliverable:027", "The message could not be delivered (carrier's code 027)"],
  ["report:rejected:a:b", "The network rejected the message (carrier's code a:b)"],
  ["not-sent", "The message was not delivered"],
] as const)("%s: %s", ([code, words]) => {
  expect(reasonInWords(code)).toBe(words);
});
