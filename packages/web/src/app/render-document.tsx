/**
 * Makes the documents of the pages on the server: the built `index.html` with a head of the page's own, the data of the
 * first drawing, and, for public pages, the page itself. Nothing of a person is in it, so that one document serves everybody.
 */
import type { CreateDocumentRenderer, DocumentBuild, DocumentFacts, DocumentRenderer } from "@ewebal/contract";
import { QueryClient } from "@tanstack/react-query";
import { createMemoryHistory } from "@tanstack/react-router";
import { renderToString } from "react-dom/server";
import { keepPageData, pageDataId, type PageData } from "../lib/page-data.ts";
import { paths } from "../lib/paths.ts";
import { App } from "./app.tsx";
import { describePage, letScriptsWait, toDataBlock } from "./document-head.ts";
import { notFoundPage, publicPages } from "./public-pages.ts";
import { createAppRouter } from "./router.tsx";

const notFoundName = "not found";
/** Of the pages that only a browser can draw: behind a sign-in, or under a link with a token. */
const plainName = "plain";

/** Which page's document it is; undefined for the plain one. */
function findPage(name: string) {
  if (name === notFoundName) return { ...notFoundPage, path: undefined };
  return name in publicPages ? { ...publicPages[name as keyof typeof publicPages], path: name } : undefined;
}

export const createDocumentRenderer: CreateDocumentRenderer = (build): DocumentRenderer => ({
  nameDocument: (pathname, isPage) => {
    if (isPage) return findPage(pathname) === undefined ? plainName : pathname;
    // Below a dashboard the browser draws the dashboard round it, or leads to the login.
    return [paths.dashboard, paths.adminDashboard].some((layout) => pathname.startsWith(layout)) ? plainName : notFoundName;
  },
  renderDocument: async (name, facts) => {
    const page = findPage(name);
    const data: PageData = { settings: facts.settings, ...(page?.hasRates === true && { rates: facts.rates }) };
    const dataBlock = toDataBlock({ id: pageDataId, type: "application/json" }, data);
    const head = describePage(page, facts.settings, page === undefined ? [] : filesOf(build, page.modules)) + dataBlock;
    if (page === undefined) return replacePart(build.template, "head", head);
    const template = replacePart(letScriptsWait(build.template), "head", head);
    return replacePart(template, "body", await drawBody(page.path ?? "/nothing", facts, data));
  },
});

async function drawBody(path: string, facts: DocumentFacts, data: PageData): Promise<string> {
  const queryClient = new QueryClient();
  keepPageData(queryClient, data);
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }));
  await router.load();
  const markup = renderToString(<App queryClient={queryClient} router={router} />);
  if (!markup.includes("<h1")) throw new Error(`The page ${path} was drawn without its heading`);
  if (!markup.includes("<form")) return `<div id="root" data-drawn>${markup}</div>`;
  const hint = `<noscript><p class="no-script">Forms need JavaScript. You can also write to ${escapeText(facts.settings.emails.join(" or "))}.</p></noscript>`;
  return `<div id="root" data-drawn>${markup}</div>${hint}`;
}

/** The style sheets and scripts of modules that the entry does not bring along. */
function filesOf({ manifest }: DocumentBuild, modules: readonly string[]): string[] {
  const isInEntry = collect(manifest, ["index.html"]);
  return [...collect(manifest, modules)].filter((file) => !isInEntry.has(file));
}

function collect(manifest: DocumentBuild["manifest"], modules: readonly string[], files = new Set<string>()): Set<string> {
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
