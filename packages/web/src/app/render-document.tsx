/**
 * Makes the documents of the pages on the server: the built `index.html` with a head of the page's own, the data of the
 * first drawing, and the page itself: whole for public pages, and a dashboard's as far as nothing is known of its person.
 * Nothing of a person is in it, so that one document serves everybody.
 */
import type { CreateDocumentRenderer, DocumentBuild, DocumentFacts, DocumentRenderer } from "@ewebal/contract";
import { QueryClient } from "@tanstack/react-query";
import { createMemoryHistory } from "@tanstack/react-router";
import { renderToString } from "react-dom/server";
import { keepPageData, PAGE_DATA_ID, type PageData } from "./page-data.ts";
import { paths } from "../lib/paths.ts";
import { drawAs } from "../lib/session/session.ts";
import { adminDocuments } from "./admin-documents.ts";
import { App } from "./app.tsx";
import { dashboardDocuments } from "./dashboard-documents.ts";
import { describePage, letScriptsWait, toDataBlock } from "./document-head.ts";
import { notFoundPage, publicPages } from "./public-pages.ts";
import { createAppRouter } from "./router.tsx";

const NOT_FOUND_NAME = "not found";
/** Of the pages that only a browser can draw: under a link with a token, or below a dashboard without being one of its pages. */
const PLAIN_NAME = "plain";

/** Which public page's document it is. */
function findPublicPage(name: string) {
  if (name === NOT_FOUND_NAME) return { ...notFoundPage, path: undefined };
  return name in publicPages ? { ...publicPages[name as keyof typeof publicPages], path: name } : undefined;
}

function findDashboardModules(name: string): readonly string[] | undefined {
  return ({ ...dashboardDocuments, ...adminDocuments } as Partial<Record<string, readonly string[]>>)[name];
}

export const createDocumentRenderer: CreateDocumentRenderer = (build): DocumentRenderer => ({
  nameDocument: (path, isPage) => {
    if (isPage)
      return findPublicPage(path) === undefined && findDashboardModules(path) === undefined ? PLAIN_NAME : path;
    // Below a dashboard the browser draws the dashboard round it, or leads to the login.
    return findKind(path) !== undefined ? PLAIN_NAME : NOT_FOUND_NAME;
  },
  renderDocument: async (name, facts) => {
    const page = findPublicPage(name);
    const modules = page?.modules ?? findDashboardModules(name);
    const data: PageData = { settings: facts.settings, ...(page?.hasRates === true && { rates: facts.rates }) };
    const dataBlock = toDataBlock({ id: PAGE_DATA_ID, type: "application/json" }, data);
    const head = describePage(page, facts.settings, filesOf(build, modules ?? [])) + dataBlock;
    if (modules === undefined) return replacePart(build.template, "head", head);
    const template = replacePart(letScriptsWait(build.template), "head", head);
    return replacePart(
      template,
      "body",
      page === undefined ? await drawOutline(name, data) : await drawPublicBody(page.path ?? "/nothing", facts, data),
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
async function drawOutline(path: string, data: PageData): Promise<string> {
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
