import "../../ui/styles/forms.css";
import { Outlet } from "@tanstack/react-router";
import classes from "./auth-card.module.css";
import { BrandHeading } from "../../ui/kit/brand-heading.tsx";
import { ColorSchemeToggle } from "../../ui/theme/color-scheme-toggle.tsx";

/** The wrapper of everything before sign-in: a white card of 500 px, full width below that, that fades in. */
export function AuthCard() {
  return (
    <div className={classes.page}>
      <div className={classes.card}>
        <header className={classes.top}>
          <BrandHeading colored />
          <ColorSchemeToggle />
        </header>
        <main id="main" tabIndex={-1} className={classes.screen}>
          <Outlet />
        </main>
      </div>
    </div>
  );
}
