/** What a first visit may weigh: JavaScript and CSS after brotli, in kB of 1,000 bytes. (design, budgets) */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build, type Manifest } from "vite";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

let folder: string;
let manifest: Manifest;
const weights = new Map<string, number>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ewebal-bundle-"));
  // Otherwise React would come with its checks for developers.
  vi.stubEnv("NODE_ENV", "production");
  const root = join(import.meta.dirname, "../..");
  await build({
    root,
    configFile: join(root, "vite.config.ts"),
    mode: "production",
    logLevel: "error",
    build: { outDir: folder, manifest: true },
  });
  manifest = JSON.parse(await readFile(join(folder, ".vite/manifest.json"), "utf8")) as Manifest;
}, 120_000);

afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

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
  const weight = weights.get(file) ?? brotliCompressSync(await readFile(join(folder, file))).length;
  weights.set(file, weight);
  return weight;
}

async function weighKilobytes(modules: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const file of filesOf(modules)) bytes += await weighFile(file);
  return bytes / 1_000;
}

const authCard = "src/shared/account/auth-card.tsx";
const shell = ["src/app/customer-pages.ts", "src/app/dashboard-shell.tsx"];
const adminShell = ["src/app/admin-pages.ts", "src/app/admin-shell.tsx"];

test.each([
  { page: "/", budget: 120, modules: ["src/features/site/home/home-page.tsx"] },
  { page: "/pricings", budget: 140, modules: ["src/features/site/prices/pricing-page.tsx"] },
  { page: "/pricing-rates", budget: 140, modules: ["src/features/site/prices/rates-page.tsx"] },
  { page: "/sms-api-page", budget: 120, modules: ["src/features/site/api/api-page.tsx"] },
  { page: "/contact-us", budget: 140, modules: ["src/features/site/contact/contact-page.tsx"] },
  { page: "/login", budget: 135, modules: [authCard, "src/features/accounts/sign-in/login-page.tsx"] },
  { page: "/register", budget: 135, modules: [authCard, "src/features/accounts/sign-in/register-page.tsx"] },
  { page: "/user-dashboard", budget: 230, modules: [...shell, "src/features/accounts/dashboard/basement-page.tsx"] },
  {
    page: "/user-dashboard/ewebal/send-sms",
    budget: 230,
    modules: [...shell, "src/features/messages/compose/send-sms-page.tsx"],
  },
  {
    page: "/user-dashboard/sms-history",
    budget: 230,
    modules: [...shell, "src/features/messages/history/sms-history-page.tsx"],
  },
  {
    page: "/user-dashboard/all-contacts",
    budget: 230,
    modules: [...shell, "src/features/contacts/phonebook/phonebook-page.tsx"],
  },
  {
    page: "/user-dashboard/set-catalogs/{catalogId}/{randomId}",
    budget: 230,
    modules: [...shell, "src/app/catalog-route.tsx"],
  },
  {
    page: "/user-dashboard/upload-new-contacts",
    budget: 230,
    modules: [...shell, "src/features/contacts/upload/upload-page.tsx"],
  },
  {
    page: "/user-dashboard/sms-history/{messageId}",
    budget: 230,
    modules: [...shell, "src/features/messages/one-message/one-message-page.tsx"],
  },
  {
    page: "/user-dashboard/{id}/resend-sms",
    budget: 230,
    modules: [...shell, "src/features/messages/resend/resend-sms-page.tsx"],
  },
  {
    page: "/user-dashboard/drafted-sms",
    budget: 230,
    modules: [...shell, "src/features/messages/drafts/drafted-sms-page.tsx"],
  },
  {
    page: "/user-dashboard/{id}/send-draft-sms",
    budget: 230,
    modules: [...shell, "src/features/messages/drafts/send-draft-page.tsx"],
  },
  {
    page: "/user-dashboard/scheduled-sms",
    budget: 230,
    modules: [...shell, "src/features/messages/scheduled/scheduled-sms-page.tsx"],
  },
  {
    page: "/user-dashboard/{id}/edit-scheduled-sms",
    budget: 230,
    modules: [...shell, "src/features/messages/scheduled/edit-scheduled-page.tsx"],
  },
  {
    page: "/admin-dashboard",
    budget: 295,
    modules: [
      ...adminShell,
      "src/features/admin/overview/overview-page.tsx",
      "src/features/admin/overview/overview-charts.tsx",
    ],
  },
  {
    page: "/admin-dashboard/manage-all-users",
    budget: 230,
    modules: [...adminShell, "src/features/admin/users/manage-users-page.tsx"],
  },
  {
    page: "/admin-dashboard/.../more-details-about-user/{_id}",
    budget: 230,
    modules: [...adminShell, "src/features/admin/users/user-details-page.tsx"],
  },
  {
    page: "/admin-dashboard/manage-all-sms",
    budget: 230,
    modules: [...adminShell, "src/features/admin/messages/sms-lists.tsx"],
  },
  {
    page: "/admin-dashboard/make-general-announcements",
    budget: 230,
    modules: [...adminShell, "src/features/admin/announcements/announcements-page.tsx"],
  },
])("a first visit to $page weighs at most $budget kB", async ({ page, budget, modules }) => {
  const weight = await weighKilobytes(modules);
  process.stdout.write(`${page}: ${weight.toFixed(1)} of ${budget} kB\n`);
  expect(weight).toBeLessThanOrEqual(budget);
});
