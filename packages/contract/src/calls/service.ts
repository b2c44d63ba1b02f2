/** How administrators keep the service: rates, carriers, limits, held messages and DND numbers. */
import type { alarmSchemas } from "../schemas/admin/alarms.ts";
import type { rateSchemas } from "../schemas/admin/rate-edits.ts";
import type { carrierSchemas } from "../schemas/admin/carriers.ts";
import type { contentRuleSchemas } from "../schemas/admin/content-rules.ts";
import type { quietHoursSchemas } from "../schemas/admin/quiet-hours.ts";
import type { carrierCostSchemas, marginSchemas } from "../schemas/admin/margin.ts";
import type { dailyLimitSchemas } from "../schemas/admin/daily-limits.ts";
import type { heldMessageSchemas } from "../schemas/admin/held-messages.ts";
import type { dndSchemas } from "../schemas/admin/dnd.ts";
import type { inboundSchemas } from "../schemas/inbox.ts";
import type { Calls } from "./call.ts";

export const rateCalls: Calls<typeof rateSchemas> = {
  viewRates: { method: "GET", url: "/api/view-rates" },
  viewRateEdits: { method: "GET", url: "/api/view-rate-edits" },
  editRate: { method: "PATCH", url: "/api/:adminId/edit-rate" },
  withdrawRate: { method: "DELETE", url: "/api/:adminId/:rateEditId/withdraw-rate" },
};

export const carrierCalls: Calls<typeof carrierSchemas> = {
  viewCarriers: { method: "GET", url: "/api/view-carriers" },
  viewSending: { method: "GET", url: "/api/view-sending" },
  addCarrier: { method: "POST", url: "/api/:adminId/add-carrier" },
  editCarrier: { method: "PATCH", url: "/api/:adminId/:carrierId/edit-carrier" },
  switchCarrier: { method: "PATCH", url: "/api/:adminId/:carrierId/switch-carrier" },
  removeCarrier: { method: "DELETE", url: "/api/:adminId/:carrierId/remove-carrier" },
  testCarrier: { method: "POST", url: "/api/:adminId/test-carrier" },
};

export const carrierCostCalls: Calls<typeof carrierCostSchemas> = {
  viewCarrierCosts: { method: "GET", url: "/api/view-carrier-costs" },
  setCarrierCost: { method: "PATCH", url: "/api/:adminId/:carrierId/set-carrier-cost" },
};

export const marginCalls: Calls<typeof marginSchemas> = {
  viewMargin: { method: "GET", url: "/api/view-margin" },
};

export const dailyLimitCalls: Calls<typeof dailyLimitSchemas> = {
  dailyLimits: { method: "GET", url: "/api/:userId/daily-limits", leastRole: "viewer" },
  setDailyLimit: { method: "PATCH", url: "/api/:adminId/set-daily-limit" },
  allowTransactional: { method: "PATCH", url: "/api/:adminId/allow-transactional" },
  setCallLimit: { method: "PATCH", url: "/api/:adminId/set-call-limit" },
};

export const alarmCalls: Calls<typeof alarmSchemas> = {
  viewAlarms: { method: "GET", url: "/api/view-alarms" },
  silenceAlarm: { method: "PATCH", url: "/api/:adminId/:alarmId/silence-alarm" },
};

export const quietHoursCalls: Calls<typeof quietHoursSchemas> = {
  viewQuietHours: { method: "GET", url: "/api/view-quiet-hours" },
  viewDeferred: { method: "GET", url: "/api/view-deferred" },
  setQuietHours: { method: "POST", url: "/api/:adminId/set-quiet-hours" },
  removeQuietHours: { method: "DELETE", url: "/api/:adminId/:quietHoursId/remove-quiet-hours" },
};

export const contentRuleCalls: Calls<typeof contentRuleSchemas> = {
  viewContentRules: { method: "GET", url: "/api/view-content-rules" },
  addContentRule: { method: "POST", url: "/api/:adminId/add-content-rule" },
  editContentRule: { method: "PATCH", url: "/api/:adminId/:ruleId/edit-content-rule" },
  removeContentRule: { method: "DELETE", url: "/api/:adminId/:ruleId/remove-content-rule" },
  viewReviews: { method: "GET", url: "/api/view-reviews" },
};

export const heldMessageCalls: Calls<typeof heldMessageSchemas> = {
  viewHeldMessages: { method: "GET", url: "/api/view-held-messages" },
  releaseMessage: { method: "PATCH", url: "/api/:adminId/:messageId/release-message" },
  refuseMessage: { method: "PATCH", url: "/api/:adminId/:messageId/refuse-message" },
};

export const dndCalls: Calls<typeof dndSchemas> = {
  addDndNumbers: { method: "POST", url: "/api/:adminId/add-dnd-numbers" },
  viewDndNumbers: { method: "GET", url: "/api/view-dnd-numbers" },
  removeDndNumbers: { method: "DELETE", url: "/api/:adminId/remove-dnd-numbers" },
};

export const inboundCalls: Calls<typeof inboundSchemas> = {
  viewUnassignedInbound: { method: "GET", url: "/api/view-unassigned-inbound" },
  viewNumbers: { method: "GET", url: "/api/view-numbers" },
  assignNumber: { method: "POST", url: "/api/:adminId/assign-number" },
  unassignNumber: { method: "DELETE", url: "/api/:adminId/:numberId/unassign-number" },
};
