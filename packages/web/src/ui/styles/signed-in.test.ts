/** A component without its rules looks naked, on pages that nobody may look at: every one that is imported has them. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { chartStyles, droppedParts } from "../../../vite.config.ts";

const sources = join(import.meta.dirname, "../..");
const mantine = join(sources, "../../../node_modules/@mantine");
const css = readFileSync(join(import.meta.dirname, "signed-in.css"), "utf8");
const listed = new Set([...css.matchAll(/styles\/(\w+)\.layer\.css/g)].map((match) => match[1] ?? ""));

/** The names in `import { Button, type ButtonProps } from "@mantine/core"` that are components. */
function importedNames(text: string, packageName: string): string[] {
  const imports = [...text.matchAll(/import \{([^}]*)\} from "(@mantine\/\w+)"/g)].filter(
    (match) => match[2] === packageName,
  );
  const names = imports.flatMap((match) =>
    (match[1] ?? "").split(",").map((name) => name.trim().split(" as ")[0] ?? ""),
  );
  return names.filter((name) => /^[A-Z]/.test(name));
}

/** Every style file that a module of Mantine reaches, through its other components too. */
function collectStyles(file: string, found: Set<string>, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !existsSync(file)) return found;
  seen.add(file);
  const style = /(\w+)\.module\.mjs$/.exec(file)?.[1];
  if (style !== undefined) {
    if (file.startsWith(join(mantine, "core"))) found.add(style);
    return found;
  }
  const text = readFileSync(file, "utf8");
  for (const [, path = ""] of text.matchAll(/from "(\.[^"]+)"/g))
    collectStyles(resolve(dirname(file), path), found, seen);
  for (const name of importedNames(text, "@mantine/core"))
    collectStyles(join(mantine, `core/esm/components/${name}/${name}.mjs`), found, seen);
  return found;
}

const texts = globSync("**/*.{ts,tsx}", { cwd: sources }).map((file) => readFileSync(join(sources, file), "utf8"));
const componentFiles = [
  ...texts
    .flatMap((text) => importedNames(text, "@mantine/core"))
    .map((name) => `core/esm/components/${name}/${name}.mjs`),
  ...texts.flatMap((text) => importedNames(text, "@mantine/charts")).map((name) => `charts/esm/${name}/${name}.mjs`),
  ...texts.flatMap((text) => importedNames(text, "@mantine/spotlight")).map((name) => `spotlight/esm/${name}.mjs`),
];

test.each([...new Set(componentFiles)].filter((file) => existsSync(join(mantine, file))))(
  "%s finds all its rules",
  (file) => {
    expect([...collectStyles(join(mantine, file), new Set())].filter((style) => !listed.has(style))).toEqual([]);
  },
);

test("the list holds nothing that no source needs", () => {
  const needed = new Set<string>();
  for (const file of componentFiles) collectStyles(join(mantine, file), needed);
  expect(
    [...listed].filter(
      (style) => !needed.has(style) && !["default-css-variables", "global"].includes(style) && /^[A-Z]/.test(style),
    ),
  ).toEqual([]);
});

test("the charts that are drawn find all their rules", () => {
  const modules = new Set<string>();
  const seen = new Set<string>();
  const collect = (file: string): void => {
    if (seen.has(file) || !existsSync(file)) return;
    seen.add(file);
    if (file.endsWith(".module.mjs")) modules.add(file.slice(join(mantine, "charts/esm/").length));
    else
      for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)"/g))
        collect(resolve(dirname(file), path));
  };
  for (const file of componentFiles) if (file.startsWith("charts/")) collect(join(mantine, file));
  expect([...modules].toSorted()).toEqual(chartStyles.toSorted());
});

test("no source asks for the arrows of pop-ups and the marks of charts that the build leaves out", () => {
  expect(texts.filter((text) => /\b(?:withArrow|reference(?:Areas|Dots|Lines))=/.test(text))).toEqual([]);
});

test.each(droppedParts)("no source draws the $part that the build leaves out", ({ component, part }) => {
  const member = `${component}.${part.slice(component.length)}`;
  expect(existsSync(join(mantine, `core/esm/components/${component}/${part}/${part}.mjs`))).toBe(true);
  expect(texts.filter((text) => text.includes(member) || importedNames(text, "@mantine/core").includes(part))).toEqual(
    [],
  );
});
