import { useTitle } from "../../ui/use-title.ts";
import { FeatureGrid } from "./feature-grid.tsx";
import { FloatingLinks } from "./floating-links.tsx";
import { Hero } from "./hero.tsx";
import classes from "./home-page.module.css";
import { PriceSection } from "./price-section.tsx";
import { SiteFooter } from "./site-footer.tsx";
import { SiteHeader } from "./site-header.tsx";
import { SupportSection } from "./support-section.tsx";

/** What visitors see first: what the product is, what it does, what it costs, and whom to ask. */
export function HomePage() {
  useTitle();
  return (
    <div className={classes.page}>
      <SiteHeader />
      <main id="main" tabIndex={-1}>
        <Hero />
        <FeatureGrid />
        <PriceSection />
        <SupportSection />
      </main>
      <SiteFooter />
      <FloatingLinks />
    </div>
  );
}
