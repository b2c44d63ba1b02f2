/** What a first visit may weigh: JavaScript and CSS after brotli, in kB of 1,000 bytes. (design, budgets) */
import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { allPaths } from "@ewebal/contract/pages";
import type { Manifest } from "vite";
import { beforeAll, expect, test } from "vitest";
import { adminPages } from "../app/admin-pages.ts";
import { adminSignInPages } from "../app/admin-sign-in-pages.ts";
import { customerPages } from "../app/customer-pages.ts";
import type { OpenPageRecord, PageRecord } from "../app/page-record.ts";
import { openPages, publicPages } from "../app/public-pages.ts";

const repository = join(import.meta.dirname, "../../../..");
const distFolder = join(repository, "packages/web/dist");
let manifest: Manifest;

/** The pages that `npm start` would serve: built here unless they are there already. */
beforeAll(async () => {
  await promisify(execFile)(process.execPath, ["--run", "build"], { cwd: repository });
  manifest = JSON.parse(await readFile(join(distFolder, "server/manifest.json"), "utf8")) as Manifest;
}, 120_000);

/** Every file that the document and these lazily fetched modules bring along. */
function filesOf(modules: readonly string[]): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (key: string): void => {
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`The build has no ${key}`);
    if (seen.has(key)) return;
    seen.add(key);
    files.add(chunk.file);
    for (const css of chunk.css ?? []) files.add(css);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  visit("index.html");
  for (const module of modules) visit(module);
  return files;
}

async function weighFile(file: string): Promise<number> {
  const path = join(distFolder, "client", file);
  // A file that brotli makes no smaller has no other form.
  const { size } = await stat(`${path}.br`).catch(() => stat(path));
  return size;
}

async function weighKilobytes(modules: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const file of filesOf(modules)) bytes += await weighFile(file);
  return bytes / 1_000;
}

type PageName = keyof typeof allPaths;

/** Of the pages that a stranger opens on slow data, and of what signed-in people open all day. */
const budgets = { stranger: 135, signedIn: 230 };
const ownBudgets: Partial<Record<PageName, number>> = {
  home: 120,
  smsApi: 120,
  adminDashboard: 295,
  // The simulator's: lists in the dashboards' manner, on the machine of whoever tries the product.
  virtualPhones: 190,
  virtualPhone: 190,
};

/** What a page fetches by itself as soon as it is drawn. */
const fetchedAtOnce: Partial<Record<PageName, readonly string[]>> = {
  adminDashboard: ["src/features/admin/overview/overview-charts.tsx"],
};

/** The module that a record fetches, by its name in the manifest. */
function moduleOf({ load }: Pick<PageRecord, "load">): string {
  const path = /import\w*\("([^"]+)"\)/.exec(load.toString())?.[1];
  if (path === undefined) throw new Error(`No module is named in ${load.toString()}`);
  return path.replace(/^.*\/(?=src\/)/, "");
}

const authCard = "src/shared/account/auth-card.tsx";
type Visit = { name: PageName; modules: string[]; budget: number };

function visitsOf(
  records: Readonly<Record<string, OpenPageRecord>>,
  frame: readonly string[],
  budget: number,
): Visit[] {
  return Object.entries(records).map(([key, record]) => {
    const name = key as PageName;
    const card = record.isInCard === true ? [authCard] : [];
    return {
      name,
      modules: [...frame, ...card, moduleOf(record), ...(fetchedAtOnce[name] ?? [])],
      budget: ownBudgets[name] ?? budget,
    };
  });
}

const visits = [
  ...visitsOf({ ...publicPages, ...openPages }, [], budgets.stranger),
  ...visitsOf(adminSignInPages, [authCard, "src/app/admin-sign-in-pages.ts"], budgets.stranger),
  ...visitsOf(customerPages, ["src/app/customer-pages.ts", "src/app/dashboard-shell.tsx"], budgets.signedIn),
  ...visitsOf(adminPages, ["src/app/admin-pages.ts", "src/app/admin-shell.tsx"], budgets.signedIn),
].map((visit) => ({ ...visit, page: allPaths[visit.name] }));

test("every page has its budget", () => {
  expect(visits.map(({ name }) => name).toSorted()).toEqual(Object.keys(allPaths).toSorted());
});

test.each(visits)("a first visit to $page weighs at most $budget kB", async ({ page, budget, modules }) => {
  const weight = await weighKilobytes(modules);
  process.stdout.write(`${page}: ${weight.toFixed(1)} of ${budget} kB\n`);
  expect(weight).toBeLessThanOrEqual(budget);
});
