import { describe, expect, test } from "vitest";
import { findReservedNameWarnings, findSenderNameFault, skeletonOf, splitSenderNames } from "./sender-name.ts";

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

describe("look-alikes", () => {
  test.each([
    ["ZENITH", "ZENlTH"],
    ["Zenith", "z e n 1 t h"],
    ["OPay", "0PAY"],
    ["UnionBank", "Un1on-B.ank"],
    ["Sterling", "5TER1ING".replace("1", "L")],
  ])("%s and %s look the same", (one, other) => {
    expect(skeletonOf(one)).toBe(skeletonOf(other));
  });

  test.each([
    ["GTBank", "bank"],
    ["gt bank", "bank"],
    ["F1rstBank", "bank"],
    ["MyFirstBank", "bank"],
    ["MTN", "operator"],
    ["MTNPromo", "operator"],
    ["mtn-promo", "operator"],
    ["A1RTEL NG", "operator"],
    ["G L O", "operator"],
    ["CBN", "government"],
    ["Police.NG", "government"],
    ["WhatsApp", "codes"],
  ])("%s is flagged as %s", (name, kind) => {
    expect(findReservedNameWarnings(name).join("; ")).toContain(kind);
  });

  test.each(["GLOBAL Shop", "Acme Ltd", "Section", "Adunni", "Bankole"])("%s is not", (name) => {
    expect(findReservedNameWarnings(name)).toEqual([]);
  });

  test("the installation's own name is flagged too", () => {
    expect(findReservedNameWarnings("EWEBAL", ["Ewebal"])).toEqual(["Reads like the name of this service"]);
    expect(findReservedNameWarnings("Acme", [""])).toEqual([]);
  });
});
