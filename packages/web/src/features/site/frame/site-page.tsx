import type { ReactNode } from "react";
import { FloatingLinks } from "./floating-links.tsx";
import section from "./section.module.css";
import { SiteFooter } from "./site-footer.tsx";
import { SiteHeader } from "./site-header.tsx";
import classes from "./site-page.module.css";

type SitePageProps = {
  /** The navy top of the page, which the header lies on: `PageTop`, or the home page's own. */
  top: ReactNode;
  children: ReactNode;
};

/** What every public page has: the header on its top, the footer, and the way to a chat and back up. */
export function SitePage({ top, children }: SitePageProps) {
  return (
    <div className={classes.page}>
      <SiteHeader />
      <main id="main" tabIndex={-1}>
        {top}
        {children}
      </main>
      <SiteFooter />
      <FloatingLinks />
    </div>
  );
}

type PageTopProps = {
  title: string;
  /** One sentence about what is found here. */
  children: ReactNode;
};

/** The title of a public page. */
export function PageTop({ title, children }: PageTopProps) {
  return (
    <div className={classes.top}>
      <div className={section.wrap}>
        <h1 className={classes.title}>{title}</h1>
        <p className={classes.lead}>{children}</p>
      </div>
    </div>
  );
}
