/**
 * Behind a proxy that nobody told us of (`TRUST_PROXY=off`) all visitors have the proxy's address. What counts by that
 * address counts them all together, and one stranger would shut everybody out: so nothing does, once it is known.
 */
import { clientKey } from "../rate-limits/client-key.ts";

const sharedKeys = new Set<string>();

/** Whoever finds out that an address is that of many tells it here, once for this process. */
export function noteSharedAddress(address: string): void {
  sharedKeys.add(clientKey(address));
}

export function isSharedAddress(address: string): boolean {
  return sharedKeys.has(clientKey(address));
}

/** For tests, which share a process. */
export function forgetSharedAddresses(): void {
  sharedKeys.clear();
}
