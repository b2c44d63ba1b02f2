import { AboutSection } from "./about-section.tsx";
import { FeatureGrid } from "./feature-grid.tsx";
import { Hero } from "./hero.tsx";
import { PriceSection } from "./price-section.tsx";
import { SitePage } from "../frame/site-page.tsx";
import { SupportSection } from "./support-section.tsx";

/** What visitors see first: what the product is, what it does, what it costs, and whom to ask. */
export function HomePage() {
  return (
    <SitePage top={<Hero />}>
      <FeatureGrid />
      <PriceSection />
      <AboutSection />
      <SupportSection />
    </SitePage>
  );
}
