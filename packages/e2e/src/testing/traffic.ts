import type { BrowserContext, Page, Request } from "playwright-core";

/** Of each watched page, the requests that have no whole answer yet. */
const openRequests = new WeakMap<Page, Set<Request>>();

/** Keeps account of what the pages of a context fetch. */
export function watchTraffic(context: BrowserContext): void {
  context.on("page", (page) => {
    const open = new Set<Request>();
    openRequests.set(page, open);
    // The stream of events stays open as long as its page.
    page.on("request", (request) => request.resourceType() !== "eventsource" && open.add(request));
    page.on("requestfinished", (request) => open.delete(request));
    page.on("requestfailed", (request) => open.delete(request));
  });
}

/** Whether a page waits for nothing from the server. */
export function isQuiet(page: Page): boolean {
  return (openRequests.get(page)?.size ?? 0) === 0;
}
