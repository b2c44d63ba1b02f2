import type { adminRoutes, RouteContract } from "@ewebal/contract";
import type { RouteAddress } from "../../lib/api.ts";

function address<R extends RouteContract>(method: R["method"], url: R["url"]): RouteAddress<R> {
  return { method, url };
}

/**
 * Method and address of the calls before an administrator has signed in. The contract's routes would bring their schemas,
 * and zod with them, to pages that must be light; the compiler compares each address with the contract.
 */
export const adminAddresses = {
  createAdmin: address<typeof adminRoutes.createAdmin>("POST", "/api/create-admin"),
  verifyOtp: address<typeof adminRoutes.verifyOtp>("POST", "/api/:token/verify-otp"),
  verifyAdmin: address<typeof adminRoutes.verifyAdmin>("GET", "/api/:token/verify-admin"),
  signInAdmin: address<typeof adminRoutes.signInAdmin>("POST", "/api/sign-in-admin"),
  viewOneAdmin: address<typeof adminRoutes.viewOneAdmin>("GET", "/api/:adminId/view-one-admin"),
};
