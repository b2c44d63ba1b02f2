import { createRoute, lazyRouteComponent, type AnyRoute } from "@tanstack/react-router";
import { paths } from "../lib/paths.ts";

/** The virtual phones, outside both dashboards. */
export function simulatorRoutes(rootRoute: AnyRoute): AnyRoute[] {
  const phones = createRoute({
    getParentRoute: () => rootRoute,
    path: paths.virtualPhones,
    component: lazyRouteComponent(
      () => import("../features/messages/simulator/virtual-phones-page.tsx"),
      "VirtualPhonesPage",
    ),
  });
  const phone = createRoute({
    getParentRoute: () => rootRoute,
    path: `${paths.virtualPhones}/$phoneNo`,
    component: lazyRouteComponent(
      () => import("../features/messages/simulator/virtual-phone-page.tsx"),
      "VirtualPhonePage",
    ),
  });
  return [phones, phone];
}
