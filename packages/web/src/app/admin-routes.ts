import type { AnyRoute } from "@tanstack/react-router";

/**
 * The administrators' pages.
 *
 * @param rootRoute parent of /admin-dashboard.
 * @param authLayout parent of the screens in the auth card (register, OTP, login).
 */
export function adminRoutes(_rootRoute: AnyRoute, _authLayout: AnyRoute): AnyRoute[] {
  return [];
}
