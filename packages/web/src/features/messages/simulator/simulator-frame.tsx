import "../../../ui/styles/signed-in.css";
import type { ReactNode } from "react";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { BrandHeading } from "../../../ui/kit/brand-heading.tsx";
import { ColorSchemeToggle } from "../../../ui/theme/color-scheme-toggle.tsx";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { SimulatorBanner } from "../../../shared/shell/simulator-banner.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import classes from "./simulator-frame.module.css";

/** Frames the simulator's pages, which belong to no dashboard: anybody at this machine may open them, signed in or not. */
export function SimulatorFrame({ children }: { children: ReactNode }) {
  const { userId, adminId } = useSession();
  const back = adminId === null ? (userId === null ? undefined : paths.dashboard) : paths.adminDashboard;
  return (
    <div className={classes.frame}>
      <header>
        <SimulatorBanner />
        <div className={classes.top}>
          <BrandHeading colored />
          <Inline gap={12} align="center">
            {back !== undefined && (
              <ButtonLink to={back} size="xs" variant="default">
                Dashboard
              </ButtonLink>
            )}
            <ColorSchemeToggle />
          </Inline>
        </div>
      </header>
      <main id="main" tabIndex={-1} className={classes.content}>
        {children}
      </main>
    </div>
  );
}
