import "../../ui/styles/forms.css";
import { Outlet } from "@tanstack/react-router";
import classes from "./auth-card.module.css";
import { BrandHeading } from "../../ui/kit/brand-heading.tsx";
import { Inline, Stack } from "../../ui/layout/boxes.tsx";
import { ColorSchemeToggle } from "../../ui/theme/color-scheme-toggle.tsx";

/** The wrapper of everything before sign-in: a white card of 500 px, full width below that, that fades in. */
export function AuthCard() {
  return (
    <div className={classes.page}>
      <div className={classes.card}>
        <Inline as="header" align="center" justify="between" className={classes.top}>
          <BrandHeading colored />
          <ColorSchemeToggle />
        </Inline>
        <Stack as="main" id="main" tabIndex={-1} gap={24}>
          <Outlet />
        </Stack>
      </div>
    </div>
  );
}
