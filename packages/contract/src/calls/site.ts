/** What everybody may ask: brand, rates, help; the events of a session and the built-in simulator. */
import type { siteSchemas } from "../schemas/brand.ts";
import type { helpSchemas } from "../schemas/help.ts";
import type { eventSchemas } from "../schemas/events.ts";
import type { simulatorSchemas } from "../schemas/simulator.ts";
import type { Calls } from "./call.ts";

export const siteCalls: Calls<typeof siteSchemas> = {
  brand: { method: "GET", url: "/api/brand" },
  countries: { method: "GET", url: "/api/countries" },
  rates: { method: "GET", url: "/api/rates" },
};

export const helpCalls: Calls<typeof helpSchemas> = {
  needHelp: { method: "POST", url: "/api/need-help" },
};

export const eventCalls: Calls<typeof eventSchemas> = {
  events: { method: "GET", url: "/api/events", leastRole: "viewer" },
};

export const simulatorCalls: Calls<typeof simulatorSchemas> = {
  virtualPhones: { method: "GET", url: "/api/virtual-phones" },
  virtualPhone: { method: "GET", url: "/api/virtual-phones/:phoneNo" },
};
