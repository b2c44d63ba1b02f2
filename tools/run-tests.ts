/**
 * The whole of `npm test`: format, import rules, types, lint and every test. The layers run one after another, the browser
 * last and alone, because two cores shared with a build make timings lie; types and lint take what one of the layers leaves. Ends
 * with what failed, the figures of each layer, and `N passed, N failed`: machines that build keep the end of a long output.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { installNetworkTools } from "./debian-packages.ts";
import { findOrInstallBrowsers } from "./find-browser.ts";
import { repositoryFolder } from "./source-files.ts";

type Figures = { layer: string; passed: number; failed: number; skipped: number; seconds: number; failures: string[] };

/** What is read of the report that `--reporter=json` writes. */
type Report = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null; meta: { seen?: string } }[];
  }[];
};

const lowestPriority = ["nice", "-n", "19"];

/** From each end of a failure's message, and of what a page showed then. */
const SHOWN_LINES = 25;
const LAST_WORDS_LENGTH = 5_000;

type Layer = {
  layer: string;
  /** Of vitest. */
  projects: string[];
  /** Which of their files, where it is not all of them. */
  choice?: string[];
  /** How many files it runs at once, where that is not `vitest.config.ts`'s number. */
  workers?: number;
};

const layers: Layer[] = [
  { layer: "unit", projects: ["gsm", "contract", "client", "smpp", "simulator", "web", "web-logic", "tools"] },
  // Some wait: for locks, for leases to end, for links to be made anew, for rates to be kept. A fourth file costs the others 2 to 4 % more
  // processor time (docs/benchmarks.md).
  { layer: "integration", projects: ["embedded-postgres", "server"], workers: 4 },
  // Plans on a cluster what the layer before has noted.
  { layer: "statements on a cluster", projects: ["server-statements"] },
];

/** This test waits for half of its time: until hosts that stand still are missed. */
const hostsLayer: Layer = { layer: "several hosts", projects: ["e2e-alone"], choice: ["src/several-hosts"] };

const layersWithBrowsers: Layer[] = [
  {
    layer: "timing and page weights",
    projects: ["e2e-alone"],
    choice: ["--exclude=**/several-hosts*"],
  },
  // Some wait: for sessions to end, for carriers to be asked again, for hosts to start anew.
  { layer: "browser and faults", projects: ["e2e"], workers: 3 },
];

const reportFolder = mkdtempSync(join(tmpdir(), "ewebal-tests-"));
/** The first layer with products makes one that all others begin with, and notes here where it lies. */
const madeProductNote = join(reportFolder, "made-product.json");

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Runs a program from `node_modules/.bin` to its end, its output going straight through.
 *
 * @param wrapper a program, with its words, that runs it.
 * @returns also how its output ended.
 */
async function run(
  program: string,
  args: string[],
  wrapper: readonly string[] = [],
): Promise<{ isGood: boolean; lastWords: string }> {
  const [command = "", ...words] = [...wrapper, join(repositoryFolder, "node_modules/.bin", program), ...args];
  const child = spawn(command, words, {
    cwd: repositoryFolder,
    stdio: ["inherit", "pipe", "pipe"],
    env: {
      ...process.env,
      COLLECT_STATEMENTS: join(reportFolder, "statements"),
      MADE_PRODUCT_NOTE: madeProductNote,
      // For the compiler and the linter, which are written in Go: collected less often, they take an eighth less processor time.
      GOGC: "300",
      // A pipe has no colours of its own.
      ...(process.stdout.isTTY && { FORCE_COLOR: "1" }),
    },
  });
  let lastWords = "";
  const streams = [child.stdout, child.stderr];
  for (const stream of streams) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      process.stdout.write(text);
      lastWords = (lastWords + text).slice(-LAST_WORDS_LENGTH);
    });
  }
  const isClosed = once(child, "close");
  const [status] = (await once(child, "exit")) as [number | null];
  // A process that a test left behind may hold the pipe open.
  await Promise.race([isClosed, sleep(1_000)]);
  for (const stream of streams) stream.destroy();
  return { isGood: status === 0, lastWords: `its output ended with\n${shorten(lastWords)}` };
}

async function check(layer: string, program: string, args: string[], wrapper?: readonly string[]): Promise<Figures> {
  say(`\n== ${layer}`);
  const startedAt = Date.now();
  const { isGood, lastWords } = await run(program, args, wrapper);
  return {
    layer,
    passed: isGood ? 1 : 0,
    failed: isGood ? 0 : 1,
    skipped: 0,
    seconds: secondsSince(startedAt),
    failures: isGood ? [] : [lastWords],
  };
}

async function runLayer({ layer, projects, choice = [], workers }: Layer): Promise<Figures> {
  say(`\n== ${layer}`);
  const startedAt = Date.now();
  const report = join(reportFolder, `${layer.replaceAll(" ", "-")}.json`);
  const { isGood, lastWords } = await run("vitest", [
    "run",
    ...choice,
    ...projects.flatMap((project) => ["--project", project]),
    ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  const seconds = secondsSince(startedAt);
  if (!existsSync(report)) return { layer, passed: 0, failed: 1, skipped: 0, seconds, failures: [lastWords] };
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
    readFileSync(report, "utf8"),
  ) as Report;
  const failures = testResults.flatMap(describeFailures);
  // An error outside any test fails the run without a failed test in the report.
  const failed = isGood ? numFailedTests : Math.max(1, numFailedTests);
  return {
    layer,
    passed: numPassedTests,
    failed,
    skipped: numPendingTests,
    seconds,
    failures: failed > 0 && failures.length === 0 ? [lastWords] : failures,
  };
}

function describeFailures({ name, status, message, assertionResults }: Report["testResults"][number]): string[] {
  const failures = assertionResults.filter((result) => result.status === "failed");
  const file = relative(repositoryFolder, name);
  if (failures.length === 0) return status === "failed" ? [`${file}\n${shorten(message)}`] : [];
  return failures.map(({ fullName, failureMessages, meta }) =>
    [
      `${file}: ${fullName}`,
      ...(failureMessages ?? []).map(shorten),
      ...(meta.seen === undefined ? [] : [shorten(meta.seen)]),
    ].join("\n"),
  );
}

/** The beginning says what failed, the end what stood last on a page: its notices and dialogs. */
function shorten(text: string): string {
  const lines = text.trim().split("\n");
  const shown =
    lines.length <= 2 * SHOWN_LINES ? lines : [...lines.slice(0, SHOWN_LINES), "...", ...lines.slice(-SHOWN_LINES)];
  return shown.map((line) => `  ${line}`).join("\n");
}

function secondsSince(startedAt: number): number {
  return Math.round((Date.now() - startedAt) / 1000);
}

function removeMadeProduct(): void {
  if (!existsSync(madeProductNote)) return;
  const { dataDir } = JSON.parse(readFileSync(madeProductNote, "utf8")) as { dataDir: string };
  rmSync(dataDir, { recursive: true, force: true });
}

/** @returns the paths of the browsers that the tests drive. */
async function installBrowsers(): Promise<string[]> {
  await installNetworkTools(say);
  return await findOrInstallBrowsers(say);
}

async function runAll(): Promise<Figures[]> {
  // On a machine where nothing was installed it takes a minute, most of which is waiting for the archive and the disk.
  const installing = installBrowsers();
  // A failure is told at once, and ends the run where a browser is needed: whoever watches need not wait for that.
  installing.catch((error: unknown) => say(String(error)));
  const figures = [
    await check("format", "oxfmt", ["--check"]),
    await check("import rules", "node", ["tools/boundaries.ts"]),
  ];
  for (const layer of layers) figures.push(await runLayer(layer));
  say(`\n== browsers\n${(await installing).join("\n")}`);
  figures.push(
    ...(await Promise.all([
      runLayer(hostsLayer),
      // With the lowest priority: they take what the hosts leave. The script `types` has one checker a package: each of the compiler's own four
      // reads the types of the libraries for itself, which takes 53 s of processor time instead of 28.
      check("types", "node", ["--run", "types"], lowestPriority),
      check("lint", "oxlint", ["--type-aware"], lowestPriority),
    ])),
  );
  for (const layer of layersWithBrowsers) figures.push(await runLayer(layer));
  return figures;
}

try {
  const figures = await runAll();
  say("");
  for (const { layer, failures } of figures) for (const failure of failures) say(`FAILED in ${layer}: ${failure}\n`);
  for (const { layer, passed, failed, skipped, seconds } of figures) {
    say(`${layer}: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""} (${seconds} s)`);
  }
  const passed = figures.reduce((sum, layer) => sum + layer.passed, 0);
  const failed = figures.reduce((sum, layer) => sum + layer.failed, 0);
  say(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
} finally {
  removeMadeProduct();
  rmSync(reportFolder, { recursive: true, force: true });
}
