import { describe, expect, test } from "vitest";
import { findSenderNameFault, splitSenderNames } from "./sender-name.ts";

describe("a sender name", () => {
  test.each([
    ["Ab", "needs at least 3"],
    ["TwelveLetter", "more than 11"],
    ["12345", "at least one letter"],
    ["Café", "letters, digits"],
    ["Ab\nCd", "letters, digits"],
    ["Abc​", "letters, digits"],
    ["Аcme", "letters, digits"], // Cyrillic capital A
    ["Ac,me", "letters, digits"],
    ["Ac'me", "letters, digits"],
    ["٣٤٥abc", "letters, digits"],
  ])("%j is refused: %s", (name, fault) => {
    expect(findSenderNameFault(name)).toContain(fault);
  });

  test.each(["Abc", "A 1", "ElevenChars", "A.B&C_D-E 1"])("%j may be sent as", (name) => {
    expect(findSenderNameFault(name)).toBeUndefined();
  });

  test("a request form may ask for more characters", () => {
    expect(findSenderNameFault("Acme", 5)).toContain("at least 5");
    expect(findSenderNameFault("A cme", 5)).toBeUndefined();
  });

  test("commas separate several; spaces around them and repetitions are dropped, spaces inside stay", () => {
    expect(splitSenderNames(" Acme Ltd ,, Beta ,Acme Ltd,")).toEqual(["Acme Ltd", "Beta"]);
  });
});
