import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
} from "@tanstack/react-router";
import { isOnServer } from "../lib/browser/hydration.ts";
import { FallbackContent } from "../ui/feedback/fallback-page.tsx";
import { RootLayout } from "./root-layout.tsx";
import { createRoutes } from "./routes.ts";

export type RouterContext = {
  queryClient: QueryClient;
};

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: RootLayout,
  notFoundComponent: lazyRouteComponent(() => import("../ui/feedback/not-found-page.tsx"), "NotFoundPage"),
});

const routeTree = rootRoute.addChildren(createRoutes(rootRoute));

/** @param history only tests give one; the browser's own is the default. */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: "intent",
    // Data has its own freshness rules; the router only fetches code.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: FallbackContent,
    // On the server it would write a script into the document, which the CSP refuses.
    scrollRestoration: !isOnServer,
    ...(history !== undefined && { history }),
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;
