/**
 * How the server has the pages' documents made. The maker is part of the pages (`packages/web/src/app/render-document.tsx`)
 * and is built with them; the server loads what was built. Only types cross.
 */
import type { PublicSettings, RateRow } from "./schemas/brand.ts";

/** Everything that a document shows and that can differ between two installations, or between two days. */
export type DocumentFacts = {
  settings: PublicSettings;
  rates: readonly RateRow[];
};

export type DocumentRenderer = {
  /**
   * Which document an address gets. There are few names: addresses share one when nothing in their document differs.
   *
   * @param path the page's, as `pagePaths` has it, or the whole address when no page has it.
   */
  nameDocument: (path: string, isPage: boolean) => string;
  /** @returns the whole HTML. @throws Error when a page breaks while it is drawn; the plain document serves then. */
  renderDocument: (name: string, facts: DocumentFacts) => Promise<string>;
};

/** What the browser's build left: its document, and which file each module became. */
export type DocumentBuild = {
  template: string;
  manifest: Record<string, BuiltModule>;
};

/** An entry of Vite's manifest, as far as documents need it. */
export type BuiltModule = {
  file: string;
  css?: string[];
  imports?: string[];
};

export type CreateDocumentRenderer = (build: DocumentBuild) => DocumentRenderer;
