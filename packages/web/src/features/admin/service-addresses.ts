import type {
  carrierRoutes,
  dndRoutes,
  heldMessageRoutes,
  inboundRoutes,
  rateRoutes,
  RouteContract,
} from "@ewebal/contract";
import type { RouteAddress } from "../../lib/api/api.ts";

function address<R extends RouteContract>(method: R["method"], url: R["url"]): RouteAddress<R> {
  return { method, url };
}

/** How administrators keep the service: prices, carriers, numbers that are left alone; without schemas, as in `admin-addresses.ts`. */
export const serviceAddresses = {
  viewRates: address<typeof rateRoutes.viewRates>("GET", "/api/view-rates"),
  viewRateEdits: address<typeof rateRoutes.viewRateEdits>("GET", "/api/view-rate-edits"),
  editRate: address<typeof rateRoutes.editRate>("PATCH", "/api/:adminId/edit-rate"),
  withdrawRate: address<typeof rateRoutes.withdrawRate>("DELETE", "/api/:adminId/:rateEditId/withdraw-rate"),
  viewCarriers: address<typeof carrierRoutes.viewCarriers>("GET", "/api/view-carriers"),
  addCarrier: address<typeof carrierRoutes.addCarrier>("POST", "/api/:adminId/add-carrier"),
  editCarrier: address<typeof carrierRoutes.editCarrier>("PATCH", "/api/:adminId/:carrierId/edit-carrier"),
  switchCarrier: address<typeof carrierRoutes.switchCarrier>("PATCH", "/api/:adminId/:carrierId/switch-carrier"),
  removeCarrier: address<typeof carrierRoutes.removeCarrier>("DELETE", "/api/:adminId/:carrierId/remove-carrier"),
  testCarrier: address<typeof carrierRoutes.testCarrier>("POST", "/api/:adminId/test-carrier"),
  viewHeldMessages: address<typeof heldMessageRoutes.viewHeldMessages>("GET", "/api/view-held-messages"),
  releaseMessage: address<typeof heldMessageRoutes.releaseMessage>("PATCH", "/api/:adminId/:messageId/release-message"),
  refuseMessage: address<typeof heldMessageRoutes.refuseMessage>("PATCH", "/api/:adminId/:messageId/refuse-message"),
  addDndNumbers: address<typeof dndRoutes.addDndNumbers>("POST", "/api/:adminId/add-dnd-numbers"),
  viewUnassignedInbound: address<typeof inboundRoutes.viewUnassignedInbound>("GET", "/api/view-unassigned-inbound"),
  viewDndNumbers: address<typeof dndRoutes.viewDndNumbers>("GET", "/api/view-dnd-numbers"),
  removeDndNumbers: address<typeof dndRoutes.removeDndNumbers>("DELETE", "/api/:adminId/remove-dnd-numbers"),
};
