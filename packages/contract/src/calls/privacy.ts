/** A customer's own data. Apart from `accounts.ts`, so that no stranger fetches it. */
import type { privacySchemas } from "../schemas/people/privacy.ts";
import type { Calls } from "./call.ts";

export const privacyCalls: Calls<typeof privacySchemas> = {
  exportData: { method: "POST", url: "/api/:userId/export-data", leastRole: "owner" },
  dataExport: { method: "GET", url: "/api/:userId/data-export", leastRole: "owner" },
  loadExport: { method: "GET", url: "/api/:userId/:exportId/load-export", leastRole: "owner" },
  closeAccount: { method: "POST", url: "/api/:userId/close-account", leastRole: "owner" },
};
