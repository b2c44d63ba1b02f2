import { expect, test } from "vitest";
import { describeAction, describeChange } from "./audit-words.ts";

test("known calls have words, others are shown as they are", () => {
  expect(describeAction("credit-a-user")).toBe("Credited a user");
  expect(describeAction("edit-rates")).toBe("edit rates");
});

test("a change names both sides, a new fact its value, a fact that went what it was", () => {
  expect(describeChange({ userName: "ada", old: 1 }, { userName: "bola", units: 5, names: ["A"] })).toEqual([
    "userName: ada → bola",
    "old: 1",
    "units: 5",
    'names: ["A"]',
  ]);
  expect(describeChange({ reason: "" }, { reason: "late" })).toEqual(["reason: nothing → late"]);
  expect(describeChange()).toEqual([]);
});
