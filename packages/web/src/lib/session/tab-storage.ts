/**
 * What one page keeps for another in the tab's own storage, so that a reload finds it. Each entry belongs to the signed-in
 * customer: the end of the session removes them all, whether or not a page that knows them was opened.
 */
const entries = ["sms-history", "draft-history", "ewebal.purchase", "left-out-rows"] as const;

export type TabEntry = (typeof entries)[number];

/** A value that is too large is not kept, nor is what the entry held before; nothing is kept when storage is blocked. */
export function keepInTab(entry: TabEntry, value: unknown): void {
  try {
    sessionStorage.setItem(entry, JSON.stringify(value));
  } catch {
    forgetInTab(entry);
  }
}

/** @returns whatever the entry holds, which another script may have written; null when it holds nothing readable. */
export function readFromTab(entry: TabEntry): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(entry) ?? "null");
  } catch {
    return null;
  }
}

export function forgetInTab(...forgotten: readonly TabEntry[]): void {
  try {
    for (const entry of forgotten) sessionStorage.removeItem(entry);
  } catch {
    // Storage is blocked, so nothing was kept.
  }
}

/** What is written while the network is away, for every tab, see `kept-drafts.ts`. The tab that ends the session removes it from the device. */
export const KEPT_DRAFTS_KEY = "ewebal.keptDrafts";

/** Removes everything that the tab keeps for the signed-in customer. */
export function forgetAllInTab(): void {
  forgetInTab(...entries);
}
