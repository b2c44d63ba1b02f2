import type { Address } from "../client/client-types.ts";
import { numberingPlan, typeOfNumber } from "../codec/commands.ts";

/**
 * A sender as carriers expect it: a name is alphanumeric (TON 5, NPI 0), up to 8 digits are a short code of the
 * network (TON 3, NPI 0), and more are an international number (TON 1, NPI 1).
 *
 * @param sender a name of at most 11 characters, or digits.
 */
export function sourceAddress(sender: string): Address {
  if (!/^\d+$/.test(sender)) {
    return { ton: typeOfNumber.alphanumeric, npi: numberingPlan.unknown, address: sender };
  }
  if (sender.length <= 8) return { ton: typeOfNumber.networkSpecific, npi: numberingPlan.unknown, address: sender };
  return { ton: typeOfNumber.international, npi: numberingPlan.isdn, address: sender };
}
