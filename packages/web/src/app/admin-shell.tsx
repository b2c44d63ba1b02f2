import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { ApiError } from "../lib/api/api.ts";
import { useCurrentAdmin } from "../shared/account/current-admin.ts";
import { paths } from "../lib/paths.ts";
import { useSession } from "../lib/session/session.ts";
import { PersonBadge } from "../shared/shell/person-badge.tsx";
import { Shell } from "../shared/shell/shell.tsx";
import { SimulatorBanner } from "../shared/shell/simulator-banner.tsx";
import { SwitchModeButton } from "../shared/shell/switch-mode-button.tsx";
import { waitingCountsQuery } from "../features/admin/waiting/waiting-query.ts";
import { adminPages } from "./admin-pages.ts";
import { menuOf } from "./menu.ts";
import { useLiveSession } from "./use-live-session.ts";

/** Everything round the administrators' pages: menu, person, live changes and the end of the session. */
export function AdminShell() {
  const { adminId } = useSession();
  const signOut = useLiveSession({ id: adminId, loginPath: paths.adminLogin });
  const { data: admin, error } = useCurrentAdmin();
  const { data: waiting } = useQuery(waitingCountsQuery);
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
      menu={menuOf(adminPages, paths, { role: admin?.role, waiting })}
      mark="Admin"
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
