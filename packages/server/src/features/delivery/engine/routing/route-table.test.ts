import { describe, expect, test } from "vitest";
import { pickByWeight, pickCheapest, RouteTable } from "./route-table.ts";

const carrier = (name: string, prefixes: string[], priority = 0) => ({ name, facts: { prefixes, priority } });
const names = (tiers: readonly (readonly { name: string }[])[]) => tiers.map((tier) => tier.map(({ name }) => name));

describe("routes", () => {
  test("none takes the number", () => {
    expect(new RouteTable([carrier("ghana", ["233"])]).tiersFor(2_348_030_000_000)).toEqual([]);
    expect(new RouteTable([]).tiersFor(2_348_030_000_000)).toEqual([]);
  });

  test("the longest prefix comes first, one without prefixes last", () => {
    const table = new RouteTable([
      carrier("all", []),
      carrier("nigeria", ["234"]),
      carrier("mtn", ["234803", "234806"]),
    ]);
    expect(names(table.tiersFor(2_348_030_000_000))).toEqual([["mtn"], ["nigeria"], ["all"]]);
    expect(names(table.tiersFor(2_348_050_000_000))).toEqual([["nigeria"], ["all"]]);
    expect(names(table.tiersFor(447_700_900_000))).toEqual([["all"]]);
  });

  test("carriers of one prefix and priority share a tier; a lower priority goes before", () => {
    const table = new RouteTable([
      carrier("spare", ["234"], 1),
      carrier("one", ["234"]),
      carrier("two", ["23", "234"]),
    ]);
    expect(names(table.tiersFor(2_348_030_000_000))).toEqual([["one", "two"], ["spare"]]);
  });

  test("the memory of beginnings is bounded and stays right", () => {
    const table = new RouteTable([carrier("exact", ["234803000"])]);
    for (let index = 0; index < 25_000; index += 1) table.tiersFor(2_348_030_000_000 + index * 7_919);
    expect(names(table.tiersFor(2_348_030_001_234))).toEqual([["exact"]]);
    expect(table.tiersFor(2_348_031_001_234)).toEqual([]);
  });

  test("a code's carriers are those that take at least some of its numbers", () => {
    const table = new RouteTable([
      carrier("all", []),
      carrier("mtn", ["234803"]),
      carrier("ghana", ["233"]),
      carrier("wide", ["23"]),
    ]);
    expect(table.carriersForCode("234").map(({ name }) => name)).toEqual(["all", "mtn", "wide"]);
  });
});

test("weights share", () => {
  const tier = [{ weight: 3 }, { weight: 1 }, { weight: 0 }];
  const picked = Array.from({ length: 1_000 }, (_, index) => pickByWeight(tier, ({ weight }) => weight, index / 1_000));
  expect(tier.map((one) => picked.filter((other) => other === one).length)).toEqual([750, 250, 0]);
  expect(pickByWeight([{ weight: 0 }], ({ weight }) => weight, 0.5)).toEqual({ weight: 0 });
  expect(pickByWeight([], () => 1, 0.5)).toBeUndefined();
});

describe("the cheapest of a rank", () => {
  const priced = (name: string, costs?: { prefix: string; costMilli: number }[]) => ({
    name,
    facts: { prefixes: ["234"], priority: 0, ...(costs && { costs }) },
  });
  const one = priced("one", [
    { prefix: "", costMilli: 2_000 },
    { prefix: "234805", costMilli: 500 },
  ]);
  const two = priced("two", [{ prefix: "234", costMilli: 1_500 }]);
  const three = priced("three", [{ prefix: "23480", costMilli: 1_500 }]);
  const unknown = priced("unknown");
  const pick = (tier: (typeof one)[], phoneNo: number, sick: string[] = []): string[] =>
    pickCheapest(tier, phoneNo, ({ name }) => !sick.includes(name)).map(({ name }) => name);

  test("is who bills the least for the number; equals share, and an unknown cost comes last", () => {
    expect(pick([one, two, three, unknown], 2_348_030_000_000)).toEqual(["two", "three"]);
    expect(pick([one, two, three, unknown], 2_348_050_000_000)).toEqual(["one"]);
    expect(pick([unknown, priced("other")], 2_348_050_000_000)).toEqual(["unknown", "other"]);
    expect(pick([one], 2_348_050_000_000)).toEqual(["one"]);
  });

  test("is a healthy one; when none is, all share", () => {
    expect(pick([one, two, unknown], 2_348_050_000_000, ["one"])).toEqual(["two"]);
    expect(pick([one, two, unknown], 2_348_050_000_000, ["one", "two"])).toEqual(["unknown"]);
    expect(pick([one, two], 2_348_050_000_000, ["one", "two"])).toEqual(["one", "two"]);
  });

  test("numbers that cost differently are not remembered as one", () => {
    const table = new RouteTable([one, two]);
    expect(table.tiersFor(2_348_050_000_000)).not.toBe(table.tiersFor(2_348_030_000_000));
    expect(table.tiersFor(2_348_050_000_000)).toBe(table.tiersFor(2_348_051_000_000));
  });
});
