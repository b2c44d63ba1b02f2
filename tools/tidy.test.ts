/** Habits that no linter knows. Each rule names its number in CONTRIBUTING.md. */
import { posix } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, test } from "vitest";
import { walk } from "./patterns.ts";
import { listFiles, readSourceFiles, type SourceFile } from "./source-files.ts";

const sources = readSourceFiles(/^(?:packages|tools)\/.*\.(?:ts|tsx|mjs)$/);

/** @returns `path:line` of every line that the pattern finds. */
function linesWith(files: SourceFile[], pattern: RegExp): string[] {
  return files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
  );
}

describe("source files", () => {
  test("are named in kebab-case (1)", () => {
    const odd = listFiles(/^(?:packages|tools)\/.*\.(?:ts|tsx|mjs|css|sql)$/).filter(
      (path) => !/^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\d{4}_[a-z0-9_]+)\.[a-z]+$/.test(path.split("/").at(-1) ?? ""),
    );
    expect(odd).toEqual([]);
  });

  test("hide no error behind .catch(() => ...) (13)", () => {
    const product = sources.filter(({ path }) => !/\.test\.tsx?$|^tools\/|\/testing\//.test(path));
    expect(linesWith(product, /\.catch\(\s*\(\s*\)\s*=>/)).toEqual([]);
  });

  test("leave nothing to do without an issue number (30)", () => {
    // Spelled in two halves, so that this file does not find itself.
    const marker = new RegExp(
      `\\b(?:${["TO", "FIX", "X"].map((half, index) => half + ["DO", "ME", "XX"][index]).join("|")})\\b(?! #\\d)`,
    );
    expect(linesWith(sources, marker)).toEqual([]);
  });

  test("hold no commented-out code (30)", () => {
    expect(
      linesWith(sources, /^\s*\/\/\s*(?:const|let|return|import|export|await|if \(|for \(|\}|[a-z]\w*\([^)]*\);$)/),
    ).toEqual([]);
  });

  test("keep to 450 lines; tests and tables of data may be longer (48)", () => {
    const long = sources.filter(
      ({ path, text }) => !/\.test\.tsx?$|-table\.ts$/.test(path) && text.split("\n").length > 451,
    );
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  test("write a constant of a module in capitals when it is a number, a text or a pattern (61)", () => {
    const product = sources.filter(({ path }) => !/\.test\.tsx?$|\/testing\/|\/e2e\//.test(path));
    expect(
      linesWith(
        product,
        /^(?:export )?const [a-z]\w* = (?:-?[\d_.]+(?: [*+] [\d_]+)*|"[^"]*"|`[^`$]*`|\/.*\/[a-z]*);$/,
      ),
    ).toEqual([]);
  });

  test("name what happened, and leave the topics of live events to events/changes.ts", () => {
    const features = sources.filter(
      ({ path }) => /^packages\/server\/src\/(?!events\/)/.test(path) && !path.endsWith(".test.ts"),
    );
    expect(linesWith(features, /\btopics\s*[:=]|\bChangeTopic\b/)).toEqual([]);
  });

  test("take rows in camelCase: a statement names its columns", () => {
    // The card provider's JSON has names like those of columns.
    const server = sources.filter(({ path }) =>
      /^packages\/server\/src\/(?!.*\/payments\/).*(?<!\.test)\.ts$/.test(path),
    );
    const odd = server.flatMap(({ path, text }) => {
      const names: string[] = [];
      // Parsing every file would take seconds on a busy machine.
      if (!/[a-z]_[a-z]\w*\??:/.test(text)) return names;
      walk(parseAst(text, { lang: "ts" }), ({ type, key }) => {
        const { name = "" } = (key ?? {}) as { name?: string };
        if (type === "TSPropertySignature" && /[a-z]_[a-z]/.test(name)) names.push(`${path}: ${name}`);
      });
      return names;
    });
    expect(odd).toEqual([]);
  });

  test("lie in folders of at most 30 files (63)", () => {
    const counts = new Map<string, number>();
    for (const path of listFiles(/^(?:packages\/[^/]+\/src|tools)\//)) {
      const folder = path.slice(0, path.lastIndexOf("/"));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 30)).toEqual([]);
  });

  test("with under 30 lines live in their only user, other than these (63)", () => {
    // Rows may only be taken away. What a role asks for (an index, routes, pages, a store, present) is a file at any size,
    // and so is what the browser fetches later.
    const kept = [
      "packages/embedded-postgres/src/shared-memory.ts",
      "packages/server/src/http/session/same-origin.ts",
      "packages/server/src/main/user-summary-parts.ts",
      "packages/server/src/secrets/reseal-secrets.ts",
      "packages/web/src/features/site/api/code-block.tsx",
      "packages/web/src/ui/feedback/error-boundary.tsx",
      "packages/web/src/ui/feedback/progress-line.tsx",
      "packages/web/src/ui/kit/fold.tsx",
      "packages/web/src/ui/navigation/shortcuts-help.tsx",
    ];
    const hasRole = /(?:\/|-)(?:index|routes?|pages?|store)\.tsx?$|\/present[a-z-]*\.ts$/;
    const product = sources.filter(
      ({ path }) => /^packages\/[^/]+\/src\//.test(path) && !/\.test\.tsx?$|\/testing\//.test(path),
    );
    const users = new Map<string, Set<string>>();
    for (const { path, text } of product) {
      for (const [, how, target = ""] of text.matchAll(/(from|import\()\s*"(\.[^"]+)"/g)) {
        const used = posix.join(posix.dirname(path), target);
        const isFetched = how === "import(";
        users.set(used, (users.get(used) ?? new Set()).add(path).add(isFetched ? "the browser" : path));
      }
    }
    const small = product.filter(({ path, text }) => {
      const [user, ...others] = users.get(path) ?? [];
      const hasOneUser = user !== undefined && others.length === 0 && !user.endsWith("/index.ts");
      return hasOneUser && !hasRole.test(path) && text.split("\n").length <= 30;
    });
    expect(small.map(({ path }) => path).filter((path) => !kept.includes(path))).toEqual([]);
  });

  test("skip no test and run none alone; only a machine may lack what a test needs", () => {
    const tests = sources.filter(({ path }) => /\.test\.tsx?$/.test(path) && !path.startsWith("tools/"));
    expect(
      linesWith(
        tests,
        /\b(?:test|it|describe)(?:\.\w+)*\.(?:only|skip|todo|fails)\b|\bx(?:test|it|describe)\(|\bcontext\.skip\(/,
      ),
    ).toEqual([]);
    const machine = /isRoot\(\)|process\.(?:platform|getuid)|skipReason|disk === undefined/;
    expect(linesWith(tests, new RegExp(`\\.(?:skipIf|runIf)\\((?!.*(?:${machine.source}))`))).toEqual([]);
  });
});

test("the lock file knows every platform's packages: without them `npm ci` refuses a fresh clone", () => {
  type Locked = { optionalDependencies?: Record<string, string> };
  const [lockFile] = readSourceFiles(/^package-lock\.json$/);
  const { packages } = JSON.parse(lockFile?.text ?? "{}") as { packages: Record<string, Locked> };
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
    ),
  );
  expect(missing).toEqual([]);
});

describe("the project speaks of itself alone", () => {
  test("no path of a machine and no registry host stands in the tree", () => {
    const everything = readSourceFiles(/\.(?:ts|tsx|mjs|json|md|sql|css|html|yml)$|^\.(?:ci|env|npmrc)/).filter(
      ({ path }) => path !== "tools/tidy.test.ts",
    );
    expect(linesWith(everything, /\/work\/|\/root\/|"resolved": "https?:/)).toEqual([]);
  });
});
