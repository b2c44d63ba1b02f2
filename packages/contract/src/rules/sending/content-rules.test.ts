import { describe, expect, test } from "vitest";
import { foldSenderName, hostOfPattern, meansSender, TextSearch, type ContentRule } from "./content-rules.ts";

const rule = (facts: Partial<ContentRule>): ContentRule => ({
  pattern: "casino",
  where: "text",
  countries: [],
  networks: [],
  action: "refuse",
  note: "",
  ...facts,
});
const isFound = (facts: Partial<ContentRule>, text: string, network = ""): boolean => {
  const search = new TextSearch([rule(facts)]);
  search.look(text, () => network);
  return search.found.has(0);
};

describe("words in a text", () => {
  test.each([
    ["Come to our CASINO!", true],
    ["casino", true],
    ["(Casino)-night", true],
    ["ca\u200Bsino", true],
    ["ｃａｓｉｎｏ", true],
    ["casinos", false],
    ["precasino", false],
    ["cas ino", false],
    ["", false],
  ])("%s: %s", (text, wanted) => expect(isFound({}, text)).toBe(wanted));

  test("several are found in their order, whatever stands between them but words", () => {
    const pattern = "Free  Airtime";
    expect(isFound({ pattern }, "Get FREE-airtime, now")).toBe(true);
    expect(isFound({ pattern }, "free of airtime")).toBe(false);
    expect(isFound({ pattern }, "airtime free")).toBe(false);
    expect(isFound({ pattern }, "carefree airtime")).toBe(false);
  });

  test("a pattern is no regular expression", () => {
    expect(isFound({ pattern: "a.c" }, "abc")).toBe(false);
    expect(isFound({ pattern: "a.c" }, "A C")).toBe(true);
  });
});

describe("links", () => {
  test.each([
    ["https://bit.ly/abc", true],
    ["see bit.ly/abc", true],
    ["see BIT.LY", true],
    ["http://go.bit.ly:8080/x", true],
    ["http://user@bit.ly", true],
    ["bit\u200B.ly", true],
    ["see..bit.ly.", true],
    ["-bit.ly-", true],
    ["habit.ly", false],
    ["bit.ly.example.com", false],
    ["bit ly", false],
  ])("%s: %s", (text, wanted) => expect(isFound({ where: "link", pattern: "bit.ly" }, text)).toBe(wanted));

  test("a pattern may have a scheme and a path; without a host it names none", () => {
    expect(hostOfPattern("https://Bit.ly/abc")).toBe("bit.ly");
    expect(hostOfPattern("bücher.example")).toBe("xn--bcher-kva.example");
    expect(hostOfPattern("casino")).toBe("");
    expect(isFound({ where: "link", pattern: "bücher.example" }, "BÜCHER.example/neu")).toBe(true);
  });
});

test("a rule for some networks is found where one of theirs gets the text", () => {
  expect(isFound({ networks: ["MTN"] }, "casino", "Airtel")).toBe(false);
  expect(isFound({ networks: ["mtn", "Glo"] }, "casino", "MTN")).toBe(true);
});

test("sender names are compared with their look-alikes folded", () => {
  expect(foldSenderName("Fi8st-Bank 50L")).toBe("FIBSTBANKSOI");
  for (const name of ["GLO8AL", "G1OBAL", "gI0bal", "Glo-bal", " g l o b a l "])
    expect(meansSender({ pattern: "Global" }, name)).toBe(true);
  expect(meansSender({ pattern: "Global" }, "Globals")).toBe(false);
});

test("a million plain texts are looked through in little time", () => {
  const search = new TextSearch(Array.from({ length: 20 }, (_, index) => rule({ pattern: `casino${index} night` })));
  const startedAtMs = performance.now();
  for (let index = 0; index < 100_000; index += 1) search.look(`Dear customer ${index}, your order is ready`, () => "");
  expect(search.found.size).toBe(0);
  expect(performance.now() - startedAtMs).toBeLessThan(1_000);
});
