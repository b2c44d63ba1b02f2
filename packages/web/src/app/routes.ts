/** Makes the router's routes from the pages' records: one route for each address of the contract. */
import { createRoute, lazyRouteComponent, redirect, type AnyRoute, type RouteComponent } from "@tanstack/react-router";
import { adminPaths, adminSignInPaths, customerPaths, openPaths, publicPaths } from "@ewebal/contract/pages";
import { isOnServer } from "../lib/browser/hydration.ts";
import { paths } from "../lib/paths.ts";
import { getSession } from "../lib/session/session.ts";
import type { OpenPageRecord, PageRecord } from "./page-record.ts";
import { openPages, publicPages } from "./public-pages.ts";

declare module "@tanstack/react-router" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to.
  interface StaticDataRouteOption {
    /** The window's title, for a page whose record names it; the others name it themselves. */
    title?: string;
  }
}

/** @param rootRoute parent of all. */
export function createRoutes(rootRoute: AnyRoute): AnyRoute[] {
  /** The 500 px card of the sign-in screens. */
  const card = createRoute({
    getParentRoute: () => rootRoute,
    id: "auth",
    component: lazyRouteComponent(() => import("../shared/account/auth-card.tsx"), "AuthCard"),
  });
  const records: Readonly<Record<string, OpenPageRecord>> = { ...publicPages, ...openPages };
  const open = Object.entries({ ...publicPaths, ...openPaths }).map(([name, address]) => {
    const { load, title, isInCard = false } = records[name] as OpenPageRecord;
    const parent: AnyRoute = isInCard ? card : rootRoute;
    return { isInCard, route: createPage(parent, toPattern(address), load, title) };
  });
  const adminSignIn = Object.entries(adminSignInPaths).map(([name, address]) =>
    createPage(card, toPattern(address), async () => await loadFrom((await fetchAdminSignIn()).adminSignInPages, name)),
  );
  return [
    ...open.filter(({ isInCard }) => !isInCard).map(({ route }) => route),
    card.addChildren([...open.filter(({ isInCard }) => isInCard).map(({ route }) => route), ...adminSignIn]),
    createDashboard(rootRoute, {
      addresses: customerPaths,
      root: paths.dashboard,
      loginPath: paths.login,
      isSignedIn: () => getSession().userId !== null,
      loadShell: async () => await (await fetchCustomer()).loadShell(),
      loadPage: async (name) => await loadFrom((await fetchCustomer()).customerPages, name),
    }),
    createDashboard(rootRoute, {
      addresses: adminPaths,
      root: paths.adminDashboard,
      loginPath: paths.adminLogin,
      isSignedIn: () => getSession().adminId !== null,
      loadShell: async () => await (await fetchAdmin()).loadShell(),
      loadPage: async (name) => await loadFrom((await fetchAdmin()).adminPages, name),
    }),
  ];
}

const fetchCustomer = () => import("./customer-pages.ts");
const fetchAdminSignIn = () => import("./admin-sign-in-pages.ts");
const fetchAdmin = () => import("./admin-pages.ts");

async function loadFrom(records: Readonly<Record<string, PageRecord>>, name: string): Promise<RouteComponent> {
  return await (records[name] as PageRecord).load();
}

type Dashboard = {
  addresses: Readonly<Record<string, string>>;
  root: string;
  loginPath: string;
  isSignedIn: () => boolean;
  loadShell: () => Promise<RouteComponent>;
  loadPage: (name: string) => Promise<RouteComponent>;
};

/** Pages behind a guard: without a signed-in person the way leads to the login. */
function createDashboard(
  rootRoute: AnyRoute,
  { addresses, root, loginPath, isSignedIn, loadShell, loadPage }: Dashboard,
): AnyRoute {
  const layout = createRoute({
    getParentRoute: () => rootRoute,
    path: root,
    beforeLoad: () => {
      if (!isOnServer && !isSignedIn()) throw redirect({ to: loginPath });
    },
    component: lazyPage(loadShell),
  });
  return layout.addChildren(
    Object.entries(addresses).map(([name, address]) =>
      createPage(layout, toPattern(address.slice(root.length)) || "/", async () => await loadPage(name)),
    ),
  );
}

function createPage(parent: AnyRoute, path: string, load: () => Promise<RouteComponent>, title?: string): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path,
    component: lazyPage(load),
    ...(title !== undefined && { staticData: { title } }),
  });
}

function lazyPage(load: () => Promise<RouteComponent>): RouteComponent {
  return lazyRouteComponent(async () => ({ default: await load() }));
}

/** The router writes `$name` where the contract has `:name`. */
function toPattern(address: string): string {
  return address.replaceAll("/:", "/$");
}
