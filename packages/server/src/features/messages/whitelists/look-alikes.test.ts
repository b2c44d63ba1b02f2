import { expect, test } from "vitest";
import { findReservedNameWarnings, skeletonOf } from "./look-alikes.ts";

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
  // Digits as the letters that they look like.
  ["6TBANK", "bank"],
  ["GT8ANK", "bank"],
  ["GTB4NK", "bank"],
  ["G7BANK", "bank"],
  ["2ENITH", "bank"],
  ["3C0BANK", "bank"],
  ["M7N NG", "operator"],
  ["C8N INFO", "government"],
  // Doubled letters, also of short names.
  ["MTTN", "operator"],
  ["ZZENITH", "bank"],
  ["CBBN alert", "government"],
  // A letter too many, too few, another one, two swapped.
  ["GTBANIK", "bank"],
  ["GTBNK", "bank"],
  ["Fidelty", "bank"],
  ["GTBENK", "bank"],
  ["ZENTIH", "bank"],
  ["WHATSAP NG", "codes"],
])("%s is flagged as %s", (name, kind) => {
  expect(findReservedNameWarnings(name).join("; ")).toContain(kind);
});

const ordinary = [
  "GLOBAL Shop",
  "Acme Ltd",
  "Section",
  "Adunni",
  "Bankole",
  "DemoShop",
  "AdaStores",
  "Custom Wear",
  "Mobile Hub",
  "Policy Desk",
  "Polite Cuts",
  "Haystack",
  "Starling",
  "Hermitage",
  "Residency",
  "Globe Spa",
  "Units",
  "Boogie Club",
  "MamaPut",
  "Okafor Ltd",
  "GreenFarm",
  "ChopLife",
  "KidsWorld",
  "St. Mary",
  "Eko Hotel",
  "Ibadan Spa",
  "Kano Foods",
  "Ola & Sons",
  "TechHub",
  "School Run",
];

test.each(ordinary)("%s is not", (name) => {
  expect(findReservedNameWarnings(name)).toEqual([]);
});

test("the installation's own name is flagged too", () => {
  expect(findReservedNameWarnings("EWEBAL", ["Ewebal"])).toEqual(["Reads like the name of this service"]);
  expect(findReservedNameWarnings("Acme", [""])).toEqual([]);
});
