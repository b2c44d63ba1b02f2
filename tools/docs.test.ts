/** Pages that list things in code are compared with the code, so that they cannot rot. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorTable } from "@ewebal/contract";
import { describe, expect, test } from "vitest";
import { variables } from "../packages/server/src/base/config.ts";
import { smppTables } from "../packages/server/src/http/api-reference/smpp-section.ts";
import { twilioTables } from "../packages/server/src/http/api-reference/twilio-section.ts";
import { featureArrows } from "./boundaries.ts";
import { listFiles, readSourceFiles, repositoryFolder } from "./source-files.ts";

const read = (path: string): string => readFileSync(join(repositoryFolder, path), "utf8");

describe("docs/errors.md", () => {
  const sections = read("docs/errors.md").split(/^## /m).slice(1);
  const documented = sections.map((section) => section.split("\n")[0] ?? "");

  test("has a heading for every code, in the table's order, and no other", () => {
    expect(documented).toEqual(Object.keys(errorTable));
  });

  test("each code is expected of an answer by a test of the server", () => {
    const lines = readSourceFiles(/^packages\/(?:server|e2e)\/.*\.test\.ts$/).flatMap(({ text }) => text.split("\n"));
    // A mention is not enough: the line compares an answer with the code, or is a row of a table of expected answers.
    const isExpected = (line: string, code: string): boolean =>
      line.includes(`"${code}"`) && (/\bexpect\b|\.to[A-Z]\w+\(|\bcode: "/.test(line) || line.includes(`, "${code}"]`));
    const unexpected = Object.keys(errorTable).filter((code) => !lines.some((line) => isExpected(line, code)));
    expect(unexpected).toEqual([]);
  });

  test("names each code's status", () => {
    for (const [index, { status }] of Object.values(errorTable).entries()) {
      expect(sections[index]?.split("\n")[1]).toMatch(new RegExp(`^${status}\\b`));
    }
  });
});

describe("configuration", () => {
  /** `| NAME | default | meaning |` rows of README, without the marks of code. */
  const tableRows = [...read("README.md").matchAll(/^\| `([A-Z0-9_]+)` \| (.*?) \| (.*?) \|$/gm)].map((match) => ({
    name: match[1],
    default: match[2]?.replaceAll("`", ""),
    meaning: match[3],
  }));

  test("README lists every variable with its default and meaning", () => {
    const expected = Object.entries(variables).map(([name, variable]) => ({
      name,
      default: variable.default,
      meaning: variable.meaning,
    }));
    expect(tableRows).toEqual(expected);
  });

  test(".env.example lists every variable with its default", () => {
    const lines = [...read(".env.example").matchAll(/^# ?([A-Z0-9_]+)=(.*)$/gm)].map((match) => [match[1], match[2]]);
    expect(lines).toEqual(Object.entries(variables).map(([name, variable]) => [name, variable.default]));
  });

  test("nothing else of the product reads the environment", () => {
    // `main.ts` hands it to the configuration; the builder of the pages hands it on to Vite, and the supervisor to
    // its children, with a folder of their own for what Node has compiled.
    const allowed = [
      "packages/server/src/backup/run-command.ts",
      "packages/server/src/main/main.ts",
      "packages/server/src/main/unpack-command.ts",
      "packages/server/src/process-tree/supervise-child.ts",
      "packages/server/src/process-tree/web-build.ts",
    ];
    const readers = readSourceFiles(/^packages\/(?:gsm|contract|smpp|simulator|server|web)\/src\/.*\.tsx?$/).filter(
      ({ path, text }) => /\bprocess\.env\b/.test(text) && !/\.test\.tsx?$|\/(?:testing|bench)\//.test(path),
    );
    expect(readers.map(({ path }) => path)).toEqual(allowed);
  });
});

describe("ARCHITECTURE.md", () => {
  const text = read("ARCHITECTURE.md");

  test("names every feature of the server, and no other", () => {
    const named = /^ +src\/features\/ +(.+)$/m.exec(text)?.[1]?.split(/ +/) ?? [];
    expect(named.toSorted()).toEqual(Object.keys(featureArrows).toSorted());
  });

  test("draws the arrows between features that the import rules hold", () => {
    const drawn = [...text.matchAll(/`([a-z-]+) -> ([a-z,\s-]+)`/g)].map(([, from, to]) => [
      from,
      to?.split(/,\s+/).toSorted(),
    ]);
    const held = Object.entries(featureArrows).filter(([, to]) => to.length > 0);
    expect(Object.fromEntries(drawn)).toEqual(Object.fromEntries(held.map(([from, to]) => [from, to.toSorted()])));
  });
});

describe("docs/benchmarks.md", () => {
  test("names every part of `npm run bench`, as the program's head does", () => {
    const program = read("packages/bench/src/main.ts");
    const parts = [...program.matchAll(/^ {2}"?([a-z-]+)"?: measure/gm)].map(([, name]) => name);
    expect(/`npm run bench \[([a-z|-]+)\]`/.exec(read("docs/benchmarks.md"))?.[1]?.split("|")).toEqual(parts);
    const head = program.slice(0, program.indexOf("*/"));
    expect(parts.filter((name) => !new RegExp(`\\b${name}\\b`).test(head))).toEqual([]);
  });
});

describe.each([
  { path: "docs/twilio.md", tables: twilioTables },
  { path: "docs/smpp.md", tables: smppTables },
])("$path", ({ path, tables }) => {
  test.each(tables)("its table $title has the rows that customers read in the API reference", (table) => {
    const section =
      read(path)
        .split(/^## /m)
        .find((text) => text.startsWith(`${table.title}\n`)) ?? "";
    const rows = [...section.matchAll(/^\| (.+) \|$/gm)].map(([, cells]) => cells?.split(" | "));
    expect(rows).toEqual([table.heads, ...table.rows]);
  });
});

describe("links between documents", () => {
  test.each(listFiles(/\.md$/))("every relative link of %s leads somewhere", (path) => {
    const targets = [...read(path).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)].map(
      (match) => match[1] ?? "",
    );
    const dead = targets.filter((target) => !existsSync(join(repositoryFolder, dirname(path), target)));
    expect(dead).toEqual([]);
  });
});

describe("docs/security.md", () => {
  const text = read("docs/security.md");
  const files = listFiles(/\.(?:tsx?|mjs|md|css)$/);
  const chapters = [...text.matchAll(/^### V(\d+) /gm)].map(([, number]) => Number(number));

  test("names files that are there", () => {
    const named = [...text.matchAll(/`((?:[\w-]+\/)*[\w.-]+\.(?:tsx?|mjs|md))`/g)].map(([, name]) => name ?? "");
    expect(named.length).toBeGreaterThan(150);
    expect([...new Set(named)].filter((name) => !files.some((path) => `/${path}`.endsWith(`/${name}`)))).toEqual([]);
  });

  test("has the standard's seventeen chapters, and no requirement twice", () => {
    expect(chapters).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
    const rows = [...text.matchAll(/^\| ([\d., to]+) \| (\w+) \|/gm)];
    expect(rows.length).toBeGreaterThan(110);
    expect(new Set(rows.map(([, , state]) => state))).toEqual(new Set(["met", "partly", "not"]));
    const numbers = rows.flatMap(([, cell = ""]) => cell.split(/, | to /));
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  });
});
