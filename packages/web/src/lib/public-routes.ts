/**
 * Method and address of the calls that the first pages make. The contract's routes carry their schemas, and the schemas
 * carry zod (23 kB of the 135 that `/login` may weigh); here only their types come along. The compiler compares each
 * method and address with the contract.
 */
import type { accountRoutes, adminRoutes, helpRoutes, RouteContract, siteRoutes } from "@ewebal/contract";
import type { RouteAddress } from "./api/api.ts";

function address<R extends RouteContract>(method: R["method"], url: R["url"]): RouteAddress<R> {
  return { method, url };
}

export const publicRoutes = {
  brand: address<typeof siteRoutes.brand>("GET", "/api/brand"),
  rates: address<typeof siteRoutes.rates>("GET", "/api/rates"),
  needHelp: address<typeof helpRoutes.needHelp>("POST", "/api/need-help"),
  createUser: address<typeof accountRoutes.createUser>("POST", "/api/create-user"),
  signInUser: address<typeof accountRoutes.signInUser>("POST", "/api/sign-in-user"),
  resendVerification: address<typeof accountRoutes.resendVerification>("POST", "/api/resend-verification"),
  verifyUser: address<typeof accountRoutes.verifyUser>("GET", "/api/:token/verify-user"),
  resetUserPassword: address<typeof accountRoutes.resetUserPassword>("PATCH", "/api/reset-user-password"),
  changeUserPassword: address<typeof accountRoutes.changeUserPassword>("PATCH", "/api/:id/change-user-password"),
  signOut: address<typeof accountRoutes.signOut>("POST", "/api/:id/sign-out"),
  viewOneUser: address<typeof accountRoutes.viewOneUser>("GET", "/api/:userId/view-one-user"),
  viewOneAdmin: address<typeof adminRoutes.viewOneAdmin>("GET", "/api/:adminId/view-one-admin"),
};
