/** Contrast of every pair of tokens that meet on a page, computed as WCAG 2.2 does. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const css = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");
const [lightBlock = "", darkBlock = ""] = [...css.matchAll(/\{([^}]*)\}/g)].map((match) => match[1]);

function readTokens(block: string): Map<string, string> {
  return new Map(
    [...block.matchAll(/--ew-([a-z0-9-]+):\s*(#[0-9a-f]{6});/g)].map((match) => [match[1] ?? "", match[2] ?? ""]),
  );
}

const schemes = { light: readTokens(lightBlock), dark: readTokens(darkBlock) };

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(first: string, second: string): number {
  const [dark = 0, light = 0] = [luminance(first), luminance(second)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ["page", "surface", "raised", "hover"];
const textPairs = [
  ...["text", "muted", "brand", "link", "ok", "warn", "error"].flatMap((ink) => grounds.map((ground) => [ink, ground])),
  ...["ok", "warn", "error"].flatMap((tone) => [
    [tone, `${tone}-soft`],
    ["text", `${tone}-soft`],
    ["muted", `${tone}-soft`],
  ]),
  ["admin", "admin-soft"],
  ["admin", "surface"],
  ["link", "primary-soft"],
  ["text", "primary-soft"],
  ["muted", "primary-soft"],
  ["on-primary", "primary"],
  ["on-primary", "primary-hover"],
  ["on-inert", "inert"],
];
const borderPairs = [
  ...["control", "focus", "error"].flatMap((line) => grounds.slice(0, 3).map((ground) => [line, ground])),
  ...[1, 2, 3, 4, 5].map((series) => [`chart-${series}`, "surface"]),
  ["primary", "surface"],
];

describe.each(["light", "dark"] as const)("%s", (scheme) => {
  const color = (name: string): string => {
    const value = schemes[scheme].get(name);
    if (value === undefined) throw new Error(`${scheme} has no token ${name}`);
    return value;
  };

  test("both schemes have the same tokens", () => {
    expect([...schemes[scheme].keys()]).toEqual([...schemes.light.keys()]);
  });

  test.each(textPairs)("%s on %s reads at 4.5:1", (ink = "", ground = "") => {
    expect(contrast(color(ink), color(ground))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(borderPairs)("%s on %s is seen at 3:1", (line = "", ground = "") => {
    expect(contrast(color(line), color(ground))).toBeGreaterThanOrEqual(3);
  });
});

test("what stands round an installed page has the page's colour", () => {
  const script = readFileSync(join(import.meta.dirname, "../../../public/first-paint.js"), "utf8");
  expect(script).toContain(`isDark ? "${schemes.dark.get("page")}" : "${schemes.light.get("page")}"`);
  const template = readFileSync(join(import.meta.dirname, "../../../index.html"), "utf8");
  expect(template).toContain(`<meta name="theme-color" content="${schemes.light.get("page")}" />`);
});
