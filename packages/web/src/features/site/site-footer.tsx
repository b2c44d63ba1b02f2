import { useBrand } from "../../lib/brand.ts";
import { BrandHeading } from "../../ui/brand-heading.tsx";
import section from "./section.module.css";
import classes from "./site-footer.module.css";

export function SiteFooter() {
  const brand = useBrand();
  return (
    <footer className={classes.footer}>
      <div className={`${section.wrap} ${classes.row}`}>
        <BrandHeading />
        <nav aria-label="Footer" className={classes.links}>
          <a href="#features">Features</a>
          <a href="#pricing">Pricing</a>
          <a href="#contact">Contact</a>
        </nav>
        <p className={classes.small}>
          {brand?.address}
          <br />
          <span className="numeric">{brand?.phones.join(", ")}</span>
        </p>
      </div>
    </footer>
  );
}
