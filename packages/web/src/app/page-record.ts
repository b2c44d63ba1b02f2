import type { WaitingCountsAnswer } from "@ewebal/contract";
import type { RouteComponent } from "@tanstack/react-router";
import type { Icon } from "@tabler/icons-react";

/** What the app knows of a page. Its address stands under the same name in `contract/pages.ts`. */
export type PageRecord = {
  /** Fetches the page's module and gives its component. */
  load: () => Promise<RouteComponent>;
  /** Its entry in the side menu, and in the palette. */
  menu?: {
    panel: string;
    label: string;
    icon: Icon;
    /** For a page whose address others begin with. */
    isExact?: true;
    /** Shown to owners alone. */
    isForOwners?: true;
    /** Of what waits for an administrator, the kinds that are decided there: the entry shows how many. */
    waiting?: readonly (keyof WaitingCountsAnswer)[];
  };
};

/** One record for each address. */
export type PageRecords<Paths extends Record<string, string>> = { readonly [name in keyof Paths]: PageRecord };

/** A page that nobody needs to sign in for. */
export type OpenPageRecord = Omit<PageRecord, "menu"> & {
  /** The window's title, less the brand's name; a page without one names the window itself. */
  title?: string;
  /** Whether it lies in the card of the sign-in screens. */
  isInCard?: true;
};

/** A page that has a whole document of its own. */
export type PublicPageRecord = OpenPageRecord & {
  title: string;
  /** What a search engine shows below the title, and whoever shares a link. */
  description: string;
  /** Whether its document carries the rates. */
  hasRates?: true;
};
