/** Pages that list things in code are compared with the code, so that they cannot rot. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorTable } from "@ewebal/contract";
import { describe, expect, test } from "vitest";
import { variables } from "../packages/server/src/base/config.ts";
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
    // `main.ts` hands it to the configuration; the builder of the pages hands it on to Vite.
    const allowed = [
      "packages/server/src/backup/run-command.ts",
      "packages/server/src/main/main.ts",
      "packages/server/src/main/unpack-command.ts",
      "packages/server/src/process-tree/web-build.ts",
    ];
    const readers = readSourceFiles(/^packages\/(?:gsm|contract|smpp|simulator|server|web)\/src\/.*\.tsx?$/).filter(
      ({ path, text }) => /\bprocess\.env\b/.test(text) && !/\.test\.tsx?$|\/(?:testing|bench)\//.test(path),
    );
    expect(readers.map(({ path }) => path)).toEqual(allowed);
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
