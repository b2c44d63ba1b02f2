import { createRoute, lazyRouteComponent, redirect, type AnyRoute } from "@tanstack/react-router";
import { paths } from "../lib/paths.ts";
import { getSession } from "../lib/session.ts";

/** The customer's pages, all behind the guard: without a signed-in customer the way leads to /login. */
export function dashboardRoutes(rootRoute: AnyRoute) {
  const layout = createRoute({
    getParentRoute: () => rootRoute,
    path: paths.dashboard,
    beforeLoad: () => {
      if (getSession().userId === null) throw redirect({ to: paths.login });
    },
    component: lazyRouteComponent(() => import("./dashboard-shell.tsx"), "DashboardShell"),
  });
  const page = <const Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
    createRoute({ getParentRoute: () => layout, path, component });

  return layout.addChildren([
    page("/", lazyRouteComponent(() => import("../features/accounts/basement-page.tsx"), "BasementPage")),
  ]);
}
