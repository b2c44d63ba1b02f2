/** What the customer's and the administrators' pages both know of bank deposits. */
import type { DepositAnswer, depositRoutes, DepositState, RouteContract } from "@ewebal/contract";
import type { RouteAddress } from "../../lib/api/api.ts";
import { once } from "../../lib/texts/once.ts";

function address<R extends RouteContract>(method: R["method"], url: R["url"]): RouteAddress<R> {
  return { method, url };
}

/** Without their schemas, see `public-routes.ts`. */
export const depositAddresses = {
  submit: address<typeof depositRoutes.submitTransferDetails>("POST", "/api/:userId/submit-transfer-details"),
  listOwn: address<typeof depositRoutes.userTransferDetails>("GET", "/api/:userId/user-transfer-details"),
  remove: address<typeof depositRoutes.deleteDetails>("DELETE", "/api/:userId/:transferId/delete-details"),
  listAll: address<typeof depositRoutes.viewAllTransactions>("GET", "/api/view-all-transactions"),
  view: address<typeof depositRoutes.viewOneTransaction>("GET", "/api/:transferId/view-one-transaction"),
  credit: address<typeof depositRoutes.creditUser>("PATCH", "/api/:userId/:transferId/:adminId/credit-user"),
  decline: address<typeof depositRoutes.declinedTransaction>(
    "PATCH",
    "/api/:userId/:transferId/:adminId/declined-transaction",
  ),
};

export function stateOfDeposit({ verified, declined, withdrawn }: DepositAnswer): DepositState {
  if (verified) return "verified";
  if (declined) return "declined";
  return withdrawn ? "withdrawn" : "pending";
}

/** The words for each state. */
export const depositStateLabels: Readonly<Record<DepositState, string>> = {
  pending: "Waiting",
  verified: "Verified",
  declined: "Declined",
  withdrawn: "Withdrawn",
};

/** @returns undefined for what is none, as an address may say anything. */
export function readDepositState(text: string): DepositState | undefined {
  return Object.keys(depositStateLabels).find((state): state is DepositState => state === text);
}

const dayFormat = once(() => new Intl.DateTimeFormat("en-NG", { dateStyle: "medium", timeZone: "UTC" }));

/** A day without a time, which is the same everywhere: `2026-03-05` as `5 Mar 2026`. */
export function formatDay(day: string): string {
  return dayFormat().format(new Date(`${day}T00:00:00Z`));
}
