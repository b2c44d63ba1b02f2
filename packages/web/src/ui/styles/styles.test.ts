/** Style sheets grow where nobody looks: each class has a user, each user a class, and none says what a primitive says. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const sources = join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(join(sources, file), "utf8");
const modules = globSync("**/*.module.css", { cwd: sources });
const components = globSync("**/*.tsx", { cwd: sources })
  .filter((file) => !file.endsWith(".test.tsx"))
  .map((file) => ({ file, text: read(file) }));

type Rule = { selector: string; declarations: string[] };

/** The rules of a sheet, those inside of `@media` and `@layer` too. */
function listRules(css: string): Rule[] {
  return [...css.replaceAll(/\/\*[^]*?\*\//g, "").matchAll(/([^{};]+)\{([^{}]*)\}/g)].map(([, selector, body]) => ({
    selector: (selector ?? "").trim(),
    declarations: (body ?? "")
      .split(";")
      .map((declaration) => declaration.trim())
      .filter((declaration) => declaration !== ""),
  }));
}

const classesIn = (rules: readonly Rule[]): Set<string> =>
  new Set(rules.flatMap(({ selector }) => [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map((match) => match[1] ?? "")));

const layout = listRules(read("ui/styles/layout.css"));
const globalClasses = classesIn([
  ...layout,
  ...["ui/styles/global.css", "ui/styles/signed-in.css", "features/messages/state-colors.css"].flatMap((file) =>
    listRules(read(file)),
  ),
]);

test("each module that is imported stands where it is looked for", () => {
  const lost = components.flatMap(({ file, text }) =>
    [...text.matchAll(/from "([^"]+\.module\.css)"/g)]
      .map(([, path]) => join(dirname(file), path ?? ""))
      .filter((module) => !modules.includes(module))
      .map((module) => `${file} ${module}`),
  );
  expect(lost).toEqual([]);
});

test("each class of a module has a user", () => {
  const idle = modules.flatMap((module) => {
    const users = components.flatMap(({ file, text }) =>
      [...text.matchAll(/import (\w+) from "([^"]+\.module\.css)"/g)]
        .filter(([, , path]) => join(dirname(file), path ?? "") === module)
        .map(([, name]) => ({ name, text })),
    );
    const composed = modules.flatMap((other) =>
      [...read(other).matchAll(/composes: ([\w ]+) from "([^"]+)"/g)]
        .filter(([, , path]) => join(dirname(other), path ?? "") === module)
        .flatMap(([, names]) => names?.split(" ") ?? []),
    );
    return [...classesIn(listRules(read(module).replaceAll(/from "[^"]*"/g, "")))]
      .filter((name) => !composed.includes(name))
      .filter((name) => !users.some((user) => new RegExp(`\\b${user.name}\\.${name}\\b`).test(user.text)))
      .map((name) => `${module} .${name}`);
  });
  expect(idle).toEqual([]);
});

test("each class that is named in a component stands in a sheet of all pages", () => {
  const unknown = components.flatMap(({ file, text }) =>
    [...text.matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`\})/g)]
      .flatMap(([, plain, template]) => (plain ?? template?.replaceAll(/\$\{[^}]*\}/g, " ") ?? "").split(/\s+/))
      .filter((name) => name !== "" && !globalClasses.has(name))
      .map((name) => `${file} ${name}`),
  );
  expect(unknown).toEqual([]);
});

test("no rule of a module says only what a text class says", () => {
  const offered = new Set(
    layout.flatMap(({ selector, declarations }) => (/^\.[a-z]+$/.test(selector) ? declarations : [])),
  );
  const repeated = modules.flatMap((module) =>
    listRules(read(module))
      .filter(({ selector, declarations }) => /^\.\w+$/.test(selector) && declarations.length > 1)
      .filter(({ declarations }) => declarations.every((one) => offered.has(one)))
      .map(({ selector }) => `${module} ${selector}`),
  );
  expect(repeated).toEqual([]);
});
