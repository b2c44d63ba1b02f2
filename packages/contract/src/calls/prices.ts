/** What customers pay. Apart from `service.ts`, so that no customer fetches the calls of administrators. */
import type { priceSchemas } from "../schemas/admin/customer-prices.ts";
import type { Calls } from "./call.ts";

export const priceCalls: Calls<typeof priceSchemas> = {
  ownRates: { method: "GET", url: "/api/:userId/rates", leastRole: "viewer" },
  viewCustomerPrices: { method: "GET", url: "/api/:userId/view-customer-prices" },
  setCustomerPrice: { method: "PATCH", url: "/api/:adminId/set-customer-price" },
  viewTiers: { method: "GET", url: "/api/view-tiers" },
  setTiers: { method: "PATCH", url: "/api/:adminId/set-tiers" },
};
