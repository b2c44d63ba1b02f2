/**
 * The whole of `npm test`: types, lint, import rules, then every test. The layers run one after another, the browser
 * last and alone, because two cores shared with a build make timings lie. Ends with `N passed, N failed`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOrInstallBrowsers } from "./find-browser.ts";
import { repositoryFolder } from "./source-files.ts";

type Figures = { layer: string; passed: number; failed: number; skipped: number; seconds: number };

/** Each layer of tests, the vitest projects in it, and how many files it runs at once where that is not `vitest.config.ts`'s. */
const layers: { layer: string; projects: string[]; workers?: number }[] = [
  { layer: "unit", projects: ["gsm", "contract", "smpp", "simulator", "web", "web-logic", "tools"] },
  // A fifth of its time is waiting: for locks, for links to be made anew, for rates to be kept.
  { layer: "integration", projects: ["server"], workers: 3 },
  { layer: "timing", projects: ["e2e-alone"] },
  { layer: "browser and faults", projects: ["e2e"] },
];

const reportFolder = mkdtempSync(join(tmpdir(), "ewebal-tests-"));

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs a program from `node_modules/.bin` to its end, its output going straight through. */
function run(program: string, args: string[]): boolean {
  const { status } = spawnSync(join(repositoryFolder, "node_modules/.bin", program), args, {
    cwd: repositoryFolder,
    stdio: "inherit",
  });
  return status === 0;
}

function check(layer: string, program: string, args: string[]): Figures {
  say(`\n== ${layer}`);
  const startedAt = Date.now();
  const isGood = run(program, args);
  return { layer, passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0, seconds: secondsSince(startedAt) };
}

function runLayer({ layer, projects, workers }: (typeof layers)[number]): Figures {
  say(`\n== ${layer}`);
  const startedAt = Date.now();
  const report = join(reportFolder, `${projects.join("-")}.json`);
  const isGood = run("vitest", [
    "run",
    ...projects.flatMap((project) => ["--project", project]),
    ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  const seconds = secondsSince(startedAt);
  if (!existsSync(report)) return { layer, passed: 0, failed: 1, skipped: 0, seconds };
  const figures = JSON.parse(readFileSync(report, "utf8")) as {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
  };
  // A file that does not load, or an error outside any test, fails the run without a failed test in the count.
  const failed = isGood ? figures.numFailedTests : Math.max(1, figures.numFailedTests);
  return { layer, passed: figures.numPassedTests, failed, skipped: figures.numPendingTests, seconds };
}

function secondsSince(startedAt: number): number {
  return Math.round((Date.now() - startedAt) / 1000);
}

function runAll(): Figures[] {
  const figures = [
    check("types", "tsc", ["-b"]),
    check("lint", "oxlint", ["--type-aware"]),
    check("import rules", "node", ["tools/boundaries.ts"]),
  ];
  say(`\n== browsers\n${findOrInstallBrowsers(say).join("\n")}`);
  for (const layer of layers) figures.push(runLayer(layer));
  return figures;
}

try {
  const figures = runAll();
  say("");
  for (const { layer, passed, failed, skipped, seconds } of figures) {
    say(`${layer}: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""} (${seconds} s)`);
  }
  const passed = figures.reduce((sum, layer) => sum + layer.passed, 0);
  const failed = figures.reduce((sum, layer) => sum + layer.failed, 0);
  say(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
} finally {
  rmSync(reportFolder, { recursive: true, force: true });
}
