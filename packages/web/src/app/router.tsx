import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
} from "@tanstack/react-router";
import { isOnServer } from "../lib/browser/hydration.ts";
import { paths } from "../lib/paths.ts";
import { FallbackContent } from "../ui/feedback/fallback-page.tsx";
import { adminRoutes } from "./admin-routes.ts";
import { dashboardRoutes } from "./dashboard-routes.ts";
import { RootLayout } from "./root-layout.tsx";
import { simulatorRoutes } from "./simulator-routes.ts";

export type RouterContext = {
  queryClient: QueryClient;
};

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: RootLayout,
  notFoundComponent: lazyRouteComponent(() => import("../ui/feedback/not-found-page.tsx"), "NotFoundPage"),
});

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.home,
  component: lazyRouteComponent(() => import("../features/site/home/home-page.tsx"), "HomePage"),
});

const sitePages = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.contact,
    component: lazyRouteComponent(() => import("../features/site/contact/contact-page.tsx"), "ContactPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.pricing,
    component: lazyRouteComponent(() => import("../features/site/prices/pricing-page.tsx"), "PricingPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.rates,
    component: lazyRouteComponent(() => import("../features/site/prices/rates-page.tsx"), "RatesPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.smsApi,
    component: lazyRouteComponent(() => import("../features/site/api/api-page.tsx"), "ApiPage"),
  }),
];

/** The 500 px card; its pages are fetched one by one. */
const authLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: "auth",
  component: lazyRouteComponent(() => import("../shared/account/auth-card.tsx"), "AuthCard"),
});

const register = createRoute({
  getParentRoute: () => authLayout,
  path: paths.register,
  component: lazyRouteComponent(() => import("../features/accounts/sign-in/register-page.tsx"), "RegisterPage"),
});

const login = createRoute({
  getParentRoute: () => authLayout,
  path: paths.login,
  component: lazyRouteComponent(() => import("../features/accounts/sign-in/login-page.tsx"), "LoginPage"),
});

const verifyUser = createRoute({
  getParentRoute: () => authLayout,
  path: "/$token/verify-user",
  component: lazyRouteComponent(() => import("../features/accounts/sign-in/verify-user-page.tsx"), "VerifyUserPage"),
});

const message = createRoute({
  getParentRoute: () => authLayout,
  path: paths.message,
  component: lazyRouteComponent(() => import("../features/accounts/sign-in/mail-sent-pages.tsx"), "MessagePage"),
});

const resetMessage = createRoute({
  getParentRoute: () => authLayout,
  path: paths.resetMessage,
  component: lazyRouteComponent(() => import("../features/accounts/sign-in/mail-sent-pages.tsx"), "ResetMessagePage"),
});

const resetPassword = createRoute({
  getParentRoute: () => authLayout,
  path: paths.resetPassword,
  component: lazyRouteComponent(
    () => import("../features/accounts/sign-in/reset-password-page.tsx"),
    "ResetPasswordPage",
  ),
});

/** One screen under three addresses: by a mail's link, its older form, and for someone who is signed in. */
const changePassword = ["/$token/reset-user-password", "/change-password/$token", paths.changePassword].map((path) =>
  createRoute({
    getParentRoute: () => authLayout,
    path,
    component: lazyRouteComponent(
      () => import("../features/accounts/sign-in/change-password-page.tsx"),
      "ChangePasswordPage",
    ),
  }),
);

const routeTree = rootRoute.addChildren([
  homeRoute,
  ...sitePages,
  authLayout.addChildren([register, login, verifyUser, message, resetMessage, resetPassword, ...changePassword]),
  dashboardRoutes(rootRoute),
  ...adminRoutes(rootRoute, authLayout),
  ...simulatorRoutes(rootRoute),
]);

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
