import type { accountRoutes, adminRoutes, RouteContract, whitelistRoutes } from "@ewebal/contract";
import type { RouteAddress } from "../../lib/api/api.ts";

function address<R extends RouteContract>(method: R["method"], url: R["url"]): RouteAddress<R> {
  return { method, url };
}

/**
 * Method and address of the administrators' calls. The contract's routes would bring their schemas along, and zod (23 kB)
 * with them, to pages that must be light; here only their types come. The compiler compares each address with the contract.
 */
export const adminAddresses = {
  createAdmin: address<typeof adminRoutes.createAdmin>("POST", "/api/create-admin"),
  verifyOtp: address<typeof adminRoutes.verifyOtp>("POST", "/api/:token/verify-otp"),
  verifyAdmin: address<typeof adminRoutes.verifyAdmin>("GET", "/api/:token/verify-admin"),
  signInAdmin: address<typeof adminRoutes.signInAdmin>("POST", "/api/sign-in-admin"),
  creditAUser: address<typeof adminRoutes.creditAUser>("PATCH", "/api/:adminId/credit-a-user"),
  viewAllUsers: address<typeof accountRoutes.viewAllUsers>("GET", "/api/view-all-users"),
  viewWhitelistRequests: address<typeof whitelistRoutes.viewWhitelistRequests>("GET", "/api/view-whitelist-requests"),
  approveWhitelistRequest: address<typeof whitelistRoutes.approveWhitelistRequest>(
    "PATCH",
    "/api/:requestId/approve-whitelist-request",
  ),
  declineWhitelistRequest: address<typeof whitelistRoutes.declineWhitelistRequest>(
    "PATCH",
    "/api/:requestId/decline-whitelist-request",
  ),
  whitelistUserSenderId: address<typeof whitelistRoutes.whitelistUserSenderId>(
    "PATCH",
    "/api/:adminId/whitelist-user-senderID",
  ),
};
