import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { ApiError } from "../lib/api.ts";
import { useCurrentAdmin } from "../lib/current-admin.ts";
import { paths } from "../lib/paths.ts";
import { useSession } from "../lib/session.ts";
import { PersonBadge } from "../ui/person-badge.tsx";
import { Shell } from "../ui/shell.tsx";
import { SimulatorBanner } from "../ui/simulator-banner.tsx";
import { SwitchModeButton } from "../ui/switch-mode-button.tsx";
import { menuFor } from "./admin-menu.ts";
import { useLiveSession } from "./use-live-session.ts";

/** Everything round the administrators' pages: menu, person, live changes and the end of the session. */
export function AdminShell() {
  const { adminId } = useSession();
  const signOut = useLiveSession({ id: adminId, loginPath: paths.adminLogin });
  const { data: admin, error } = useCurrentAdmin();
  const isFactorDuty = error instanceof ApiError && error.code === "TWO_FACTOR_REQUIRED";
  const navigate = useNavigate();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  // Nothing else is open: every page leads to the set-up.
  useEffect(() => {
    if (isFactorDuty && pathname !== paths.adminProfile) void navigate({ to: paths.adminProfile, replace: true });
  }, [isFactorDuty, pathname, navigate]);
  if (adminId === null) return null;
  return (
    <Shell
      menuLabel="Admin dashboard"
      menu={menuFor(admin?.role)}
      banner={<SimulatorBanner />}
      person={
        admin !== undefined && (
          <>
            <SwitchModeButton to="user" id={adminId} />
            <PersonBadge userName={admin.adminName} fullName={admin.adminFullName} />
          </>
        )
      }
      onLogout={() => signOut("asked")}
    >
      <Outlet />
    </Shell>
  );
}
