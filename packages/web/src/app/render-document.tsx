/**
 * Makes the documents of the pages on the server: the built `index.html` with a head of the page's own, the data of the
 * first drawing, and the page itself: whole for public pages, and a dashboard's as far as nothing is known of its person.
 * Nothing of a person is in it, so that one document serves everybody.
 */
import type { CreateDocumentRenderer, DocumentBuild, DocumentFacts, DocumentRenderer } from "@ewebal/contract";
import { adminPaths, customerPaths, publicPaths } from "@ewebal/contract/pages";
import { QueryClient } from "@tanstack/react-query";
import { createMemoryHistory, type RouteComponent } from "@tanstack/react-router";
import { renderToString } from "react-dom/server";
import { keepPageData, PAGE_DATA_ID, type PageData } from "./page-data.ts";
import { paths } from "../lib/paths.ts";
import { drawAs } from "../lib/session/session.ts";
import { adminPages } from "./admin-pages.ts";
import { App } from "./app.tsx";
import { customerPages } from "./customer-pages.ts";
import { describePage, letScriptsWait, toDataBlock } from "./document-head.ts";
import type { PageRecord, PublicPageRecord } from "./page-record.ts";
import { notFoundPage, publicPages } from "./public-pages.ts";
import { createAppRouter } from "./router.tsx";

const NOT_FOUND_NAME = "not found";
/** Of the pages that only a browser can draw: under a link with a token, or below a dashboard without being one of its pages. */
const PLAIN_NAME = "plain";

/** A page that has a document of its own. */
type DocumentPage = {
  /** Undefined for what stands under no address of its own. */
  path: string | undefined;
  load: () => Promise<RouteComponent>;
  /** The modules round the page. */
  frame: readonly string[];
  /** Undefined for a dashboard's page. */
  page?: PublicPageRecord;
};

const documentPages: ReadonlyMap<string, DocumentPage> = new Map([
  ...Object.entries(publicPages).map(([name, page]): [string, DocumentPage] => {
    const path = publicPaths[name as keyof typeof publicPaths];
    return [path, { path, load: page.load, frame: page.isInCard ? ["src/shared/account/auth-card.tsx"] : [], page }];
  }),
  ...pagesBehind(customerPages, customerPaths, ["src/app/customer-pages.ts", "src/app/dashboard-shell.tsx"]),
  ...pagesBehind(adminPages, adminPaths, ["src/app/admin-pages.ts", "src/app/admin-shell.tsx"]),
  [NOT_FOUND_NAME, { path: undefined, load: notFoundPage.load, frame: [], page: notFoundPage }],
]);

function pagesBehind<N extends string>(
  records: Readonly<Record<N, PageRecord>>,
  addresses: Readonly<Record<N, string>>,
  frame: readonly string[],
): [string, DocumentPage][] {
  return (Object.keys(records) as N[]).map((name) => [
    addresses[name],
    { path: addresses[name], load: records[name].load, frame },
  ]);
}

/** Every module that draws a page, by the name that it has in the build's manifest. */
const pageModules = import.meta.glob<Record<string, unknown>>([
  "./*-route.tsx",
  "../features/**/*-page.tsx",
  "../features/admin/messages/sms-{lists,details}.tsx",
  "../ui/feedback/not-found-page.tsx",
]);
let moduleNames: Promise<ReadonlyMap<unknown, string>> | undefined;

async function readModuleNames(): Promise<ReadonlyMap<unknown, string>> {
  const names = new Map<unknown, string>();
  for (const [path, fetchModule] of Object.entries(pageModules)) {
    const name = path.replace(/^\.\//, "src/app/").replace(/^\.\.\//, "src/");
    for (const exported of Object.values(await fetchModule())) names.set(exported, name);
  }
  return names;
}

/** @throws Error when `pageModules` has no module with this component. */
async function findModule(load: DocumentPage["load"]): Promise<string> {
  moduleNames ??= readModuleNames();
  const [names, component] = await Promise.all([moduleNames, load()]);
  const name = names.get(component);
  if (name === undefined) throw new Error("A page's component is in none of the modules that are searched");
  return name;
}

export const createDocumentRenderer: CreateDocumentRenderer = (build): DocumentRenderer => ({
  nameDocument: (path, isPage) => {
    if (isPage) return documentPages.has(path) ? path : PLAIN_NAME;
    // Below a dashboard the browser draws the dashboard round it, or leads to the login.
    return findKind(path) !== undefined ? PLAIN_NAME : NOT_FOUND_NAME;
  },
  renderDocument: async (name, facts) => {
    const found = documentPages.get(name);
    const page = found?.page;
    const data: PageData = { settings: facts.settings, ...(page?.hasRates === true && { rates: facts.rates }) };
    const dataBlock = toDataBlock({ id: PAGE_DATA_ID, type: "application/json" }, data);
    const modules = found === undefined ? [] : [...found.frame, await findModule(found.load)];
    const described = page && { ...page, path: found?.path };
    const head = describePage(described, facts.settings, filesOf(build, modules)) + dataBlock;
    if (found === undefined) return replacePart(build.template, "head", head);
    const template = replacePart(letScriptsWait(build.template), "head", head);
    return replacePart(
      template,
      "body",
      page === undefined ? await drawShell(name, data) : await drawPublicBody(found.path ?? "/nothing", facts, data),
    );
  },
});

/** Whose page it is; undefined for everybody's. */
function findKind(path: string): "user" | "admin" | undefined {
  if (path.startsWith(paths.dashboard)) return "user";
  return path.startsWith(paths.adminDashboard) ? "admin" : undefined;
}

/** @throws Error when there is no page in what was drawn. */
async function draw(path: string, data: PageData): Promise<string> {
  const queryClient = new QueryClient();
  keepPageData(queryClient, data);
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }));
  await router.load();
  const nobody = "nobody";
  const kind = findKind(path);
  const markup = drawAs({ userId: kind === "user" ? nobody : null, adminId: kind === "admin" ? nobody : null }, () =>
    renderToString(<App queryClient={queryClient} router={router} />),
  );
  if (!markup.includes("<h1")) throw new Error(`The page ${path} was drawn without its heading`);
  return markup;
}

/**
 * A signed-in person's page before anything of them is known: menu and heading. The browser puts the page in its place, and does
 * not take it over, so until then nothing of it can be pressed.
 */
async function drawShell(path: string, data: PageData): Promise<string> {
  const status = `<span class="visually-hidden" role="status">Loading</span>`;
  return `<div id="root"><div class="outline" data-for="${findKind(path)}" inert>${await draw(path, data)}</div>${status}</div>`;
}

async function drawPublicBody(path: string, facts: DocumentFacts, data: PageData): Promise<string> {
  const markup = await draw(path, data);
  if (!markup.includes("<form")) return `<div id="root" data-drawn>${markup}</div>`;
  const hint = `<noscript><p class="no-script">Forms need JavaScript. You can also write to ${escapeText(facts.settings.emails.join(" or "))}.</p></noscript>`;
  return `<div id="root" data-drawn>${markup}</div>${hint}`;
}

/** The style sheets and scripts of modules that the entry does not bring along. */
function filesOf({ manifest }: DocumentBuild, modules: readonly string[]): string[] {
  const isInEntry = collect(manifest, ["index.html"]);
  return [...collect(manifest, modules)].filter((file) => !isInEntry.has(file));
}

function collect(
  manifest: DocumentBuild["manifest"],
  modules: readonly string[],
  files = new Set<string>(),
): Set<string> {
  for (const name of modules) {
    const module = manifest[name];
    if (module === undefined) throw new Error(`The build has no ${name}`);
    if (files.has(module.file)) continue;
    files.add(module.file);
    collect(manifest, module.imports ?? [], files);
    for (const css of module.css ?? []) files.add(css);
  }
  return files;
}

/** Puts something else between a pair of the template's marks, such as `<!--head-->` and `<!--/head-->`. */
function replacePart(template: string, mark: string, content: string): string {
  const [before, rest] = template.split(`<!--${mark}-->`);
  const after = rest?.split(`<!--/${mark}-->`)[1];
  if (before === undefined || after === undefined) throw new Error(`The template has no part ${mark}`);
  return before + content + after;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
