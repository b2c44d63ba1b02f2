import type { adminAccountRoutes } from "@ewebal/contract";
import type { RouteAddress } from "../../lib/api/api.ts";

/** An administrator's own account and the audit record; without schemas, as in `admin-addresses.ts`. */
export const accountAddresses = {
  updateAdminProfile: { method: "PATCH", url: "/api/:adminId/update-admin-profile" } as RouteAddress<
    typeof adminAccountRoutes.updateAdminProfile
  >,
  viewAuditEntries: { method: "GET", url: "/api/view-audit-entries" } as RouteAddress<
    typeof adminAccountRoutes.viewAuditEntries
  >,
  viewAuditState: { method: "GET", url: "/api/view-audit-state" } as RouteAddress<
    typeof adminAccountRoutes.viewAuditState
  >,
};
