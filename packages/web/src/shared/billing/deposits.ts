/** What the customer's and the administrators' pages both know of bank deposits. */
import type { DepositAnswer, DepositState } from "@ewebal/contract";
import { once } from "../../lib/texts/format.ts";

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
