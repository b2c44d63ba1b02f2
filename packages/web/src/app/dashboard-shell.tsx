import { durationsMs } from "@ewebal/contract/rules";
import { Outlet } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useCurrentUser } from "../shared/account/current-user.ts";
import { useOwnRole } from "../shared/account/own-role.ts";
import { isOnServer } from "../lib/browser/hydration.ts";
import { paths } from "../lib/paths.ts";
import { useSession } from "../lib/session/session.ts";
import { KEPT_DRAFTS_KEY } from "../lib/session/tab-storage.ts";
import { SwitchModeButton } from "../shared/shell/switch-mode-button.tsx";
import { SimulatorBanner } from "../shared/shell/simulator-banner.tsx";
import { LoadingCover } from "../ui/feedback/loading-cover.tsx";
import { PersonBadge } from "../shared/shell/person-badge.tsx";
import { Shell } from "../shared/shell/shell.tsx";
import { customerMenu } from "./customer-pages.ts";
import { menuOf } from "./menu.ts";
import { useLiveSession } from "./use-live-session.ts";
import { IconCoins } from "@tabler/icons-react";
import { formatUnits } from "../lib/texts/format.ts";
import { Inline } from "../ui/layout/boxes.tsx";
import classes from "../shared/shell/balance-pill.module.css";
import banner from "../ui/feedback/banner.module.css";

const sideMenu = menuOf(customerMenu, paths);

/** Whether something that was written on this device waits for the network. */
function hasKeptDrafts(): boolean {
  try {
    return localStorage.getItem(KEPT_DRAFTS_KEY) !== null;
  } catch {
    return false;
  }
}

/** Everything round the customer's pages: menu, balance, person, live changes and the end of the session. */
export function DashboardShell() {
  const { userId } = useSession();
  const signOut = useLiveSession({ id: userId, loginPath: paths.login });
  const { data: user } = useCurrentUser();
  const role = useOwnRole();
  // The style sheet hides what the role may not do: `data-least` of a button.
  useEffect(() => void (document.documentElement.dataset["role"] = role ?? ""), [role]);
  const isCovered = useCover(user === undefined);
  // What a tab before this one kept while the network was away.
  useEffect(() => {
    if (userId !== null && hasKeptDrafts())
      void import("../features/messages/drafts/kept-drafts.ts").then(({ saveKeptDrafts }) => saveKeptDrafts(userId));
  }, [userId]);
  if (userId === null) return null;
  return (
    <Shell
      menuLabel="Dashboard"
      menu={sideMenu}
      banner={
        <>
          {user?.acting !== undefined && (
            <p className={`${banner.banner} small centered`} data-tone="error" role="status">
              You see the account of {user.userName} and can change nothing. Switch Mode leads back.
            </p>
          )}
          {user?.acting === undefined && role !== undefined && role !== "owner" && (
            <p className={`${banner.banner} small centered`} data-tone="info">
              Your role in this account is {role}. What needs another role is not shown.
            </p>
          )}
          <SimulatorBanner />
        </>
      }
      figures={<BalancePill units={user?.units} />}
      person={
        user !== undefined && (
          <>
            {(user.role === "admin" || user.acting !== undefined) && <SwitchModeButton to="admin" id={userId} />}
            <PersonBadge userName={user.userName} fullName={user.fullName} />
          </>
        )
      }
      onLogout={() => signOut("asked")}
    >
      <Outlet />
      {isCovered && <LoadingCover label="Loading your dashboard" />}
    </Shell>
  );
}

/** The specified cover: while there is nothing to show, and for 2 s at most. The server draws what is below it. */
function useCover(isLoading: boolean): boolean {
  const [isTimeOver, setTimeOver] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setTimeOver(true), durationsMs.dashboardCoverMax);
    return () => window.clearTimeout(timer);
  }, []);
  return isLoading && !isTimeOver && !isOnServer;
}

/** The live balance of the top bar. @param units undefined while it is on its way. */
function BalancePill({ units }: { units: number | undefined }) {
  return (
    <Inline as="p" gap={8} align="center" className={`${classes.pill} small nowrap`}>
      <IconCoins size={18} stroke={1.7} aria-hidden />
      <span className="muted">Units</span>
      <span className={`${classes.value} numeric`}>{units === undefined ? "" : formatUnits(units)}</span>
    </Inline>
  );
}
