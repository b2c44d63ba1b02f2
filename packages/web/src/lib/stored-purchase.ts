/**
 * The card payment that this tab is in the middle of: the way leads over the provider's page and back, and nothing else
 * remembers. Its units are set to 0 once it is paid; the end of the session removes it.
 */
export type StoredPurchase = {
  reference: string;
  userId: string;
  /** What was asked for; the server credits what it stored itself. */
  units: number;
};

const KEY = "ewebal.purchase";

export function storePurchase(purchase: StoredPurchase): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(purchase));
  } catch {
    // Storage is blocked: the reference comes back in the address anyway.
  }
}

/** @returns undefined when this tab began another payment, or somebody else did. */
export function findPurchase(reference: string, userId: string): StoredPurchase | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return isPurchase(stored) && stored.reference === reference && stored.userId === userId ? stored : undefined;
  } catch {
    return undefined; // Blocked storage, or an entry that somebody else wrote.
  }
}

export function forgetPurchase(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Without storage there is nothing to forget.
  }
}

function isPurchase(value: unknown): value is StoredPurchase {
  if (typeof value !== "object" || value === null) return false;
  const { reference, userId, units } = value as Partial<StoredPurchase>;
  return typeof reference === "string" && typeof userId === "string" && typeof units === "number";
}
