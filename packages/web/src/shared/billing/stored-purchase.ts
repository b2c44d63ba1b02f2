/**
 * The card payment that this tab has begun. The customer leaves for the provider's page and comes back, and only the tab
 * remembers the payment meanwhile. Its units are set to 0 once it is paid.
 */
import { keepInTab, readFromTab } from "../../lib/session/tab-storage.ts";

export type StoredPurchase = {
  reference: string;
  userId: string;
  /** What the customer asked for; the server credits what it stored itself. */
  units: number;
};

/** When storage is blocked, the address that the provider leads back to still holds the reference. */
export function storePurchase(purchase: StoredPurchase): void {
  keepInTab("ewebal.purchase", purchase);
}

/** @returns undefined when this tab began another payment, or another customer did. */
export function findPurchase(reference: string, userId: string): StoredPurchase | undefined {
  const stored = readFromTab("ewebal.purchase");
  return isPurchase(stored) && stored.reference === reference && stored.userId === userId ? stored : undefined;
}

function isPurchase(value: unknown): value is StoredPurchase {
  if (typeof value !== "object" || value === null) return false;
  const { reference, userId, units } = value as Partial<StoredPurchase>;
  return typeof reference === "string" && typeof userId === "string" && typeof units === "number";
}
