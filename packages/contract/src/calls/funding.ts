/** Units that arrive without a visit. Apart from `billing.ts`, so that no other page fetches these calls. */
import type { fundingSchemas } from "../schemas/funding.ts";
import type { Calls } from "./call.ts";

export const fundingCalls: Calls<typeof fundingSchemas> = {
  autoTopUp: { method: "GET", url: "/api/:userId/auto-top-up", leastRole: "viewer" },
  setAutoTopUp: { method: "PATCH", url: "/api/:userId/auto-top-up", leastRole: "owner" },
  virtualAccount: { method: "GET", url: "/api/:userId/virtual-account", leastRole: "viewer" },
  openVirtualAccount: { method: "POST", url: "/api/:userId/virtual-account", leastRole: "owner" },
};
