import { Link } from "@tanstack/react-router";
import { paths } from "../../lib/paths.ts";
import { BrandHeading } from "../../ui/brand-heading.tsx";
import { ColorSchemeToggle } from "../../ui/color-scheme-toggle.tsx";
import classes from "./site-header.module.css";
import { useIsSignedIn } from "./use-is-signed-in.ts";

const sections = [
  { href: "#features", label: "Features" },
  { href: "#pricing", label: "Pricing" },
  { href: "#contact", label: "Contact" },
];

/** The header of the public pages, white on navy. */
export function SiteHeader() {
  const isSignedIn = useIsSignedIn();
  return (
    <header className={classes.header}>
      <BrandHeading />
      <nav className={classes.nav} aria-label="Site">
        {sections.map(({ href, label }) => (
          <a key={href} className={`${classes.link} ${classes.wide}`} href={href}>
            {label}
          </a>
        ))}
        <Link className={classes.enter} to={isSignedIn ? paths.dashboard : paths.login}>
          {isSignedIn ? "Dashboard" : "Login"}
        </Link>
        <ColorSchemeToggle />
      </nav>
    </header>
  );
}
