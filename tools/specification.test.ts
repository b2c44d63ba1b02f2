/** `docs/specification.md` says where each part of the specification lives and what holds it; here it is compared with the code. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as contract from "@ewebal/contract";
import { describe, expect, test } from "vitest";
import { catalogueTexts } from "../packages/web/src/lib/texts/catalogue-texts.ts";
import { repositoryFolder } from "./source-files.ts";

type Row = { asks: string; livesIn: string[]; heldBy: string[] };
type Route = { method: string; url: string };

/** `server/features/x.ts` is `packages/server/src/features/x.ts`. */
function wholePath(short: string): string {
  return join(repositoryFolder, "packages", short.replace("/", "/src/"));
}

const filesOf = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");

const rows: Row[] = readFileSync(join(repositoryFolder, "docs/specification.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| (?!-|page |call |screen |asks )/.test(line))
  .map((line) => line.split("|").slice(1, -1))
  .map(([asks = "", livesIn = "", heldBy = ""]) => ({
    asks: asks.trim(),
    livesIn: filesOf(livesIn),
    heldBy: filesOf(heldBy),
  }));

const isRoute = (value: unknown): value is Route =>
  typeof value === "object" && value !== null && "url" in value && "method" in value;
const calls = Object.entries(contract)
  .filter(([name]) => name.endsWith("Routes"))
  .flatMap(([, table]) => Object.values(table as object).filter(isRoute))
  .map(({ method, url }) => `${method} ${url}`);

const marked = (pattern: RegExp): string[] =>
  rows.map(({ asks }) => asks.replaceAll("`", "")).filter((asks) => pattern.test(asks));

test("every call of the contract has its row, and no row a call that is not", () => {
  expect(marked(/^(GET|POST|PATCH|DELETE) \//).toSorted()).toEqual(calls.toSorted());
});

test("every page has its row, and no row a page that is not", () => {
  expect(marked(/^\//).toSorted()).toEqual([...contract.pagePaths].toSorted());
});

test("every screen of the error catalogue has its row", () => {
  const screens = Object.keys(catalogueTexts);
  expect(marked(/^\w+$/)).toEqual(screens);
});

describe("rows", () => {
  test.each(rows)("$asks", ({ asks, livesIn, heldBy }) => {
    expect(livesIn, "lives somewhere").not.toEqual([]);
    expect(heldBy, "is held by a test").not.toEqual([]);
    for (const path of [...livesIn, ...heldBy]) expect(existsSync(wholePath(path)), path).toBe(true);
    for (const path of heldBy) expect(path).toMatch(/\.test\.tsx?$/);

    // The test of a call speaks of it: its last fixed word, or the whole list of pages it walks.
    const word = /^`(?:GET|POST|PATCH|DELETE) \//.test(asks)
      ? asks
          .replaceAll("`", "")
          .split("/")
          .findLast((part) => !part.startsWith(":"))
      : undefined;
    if (word !== undefined)
      expect(
        heldBy.some((path) => readFileSync(wholePath(path), "utf8").includes(word)),
        `a test mentions ${word}`,
      ).toBe(true);
  });
});
