import type { PageRule, Rates } from "@ewebal/contract";
import { chargeMilli, countPages, rateMilliForCode } from "@ewebal/contract/rules";
import type { MergeSummary } from "../recipients/merge-recipients.ts";

export type Price = {
  recipients: number;
  /** Of each recipient, or the most where texts differ. */
  pages: number;
  /** Where texts differ: how many recipients pay how many pages. */
  pageCounts?: MergeSummary["pageCounts"];
  rateMilli: number;
  /** Nobody has a price for the country: the send would be refused with NO_PRICE. */
  isUnpriced: boolean;
  chargeMilli: number;
  /** Undefined until the balance is known. */
  availableMilli: number | undefined;
  /** What is left after the send; negative when the balance does not reach. */
  remainingMilli: number | undefined;
};

/** In words for "Still needed: ...". */
export const A_PRICED_COUNTRY = "a country that has a price";

/**
 * What the send will cost, by the same functions that the server charges with. Numbers on the do-not-disturb list are
 * known to the server alone and make it cheaper.
 *
 * @param send.rates of this moment; those of the moment of sending are charged.
 * @param send.units the customer's balance as the server sends it: two decimals, cut, never rounded up.
 * @param send.heldMilli what a scheduled message holds already, which pays for what it becomes.
 */
export function priceOf(send: {
  recipients: number;
  message: string;
  code: string;
  pageRule: PageRule;
  rates?: Rates;
  units: number | undefined;
  heldMilli?: number;
  /** Where recipients' texts differ; those who lack a value are left out. */
  merged?: Pick<MergeSummary, "recipientCount" | "pageSum" | "pageCounts"> | undefined;
}): Price {
  const { merged } = send;
  const recipients = merged?.recipientCount ?? send.recipients;
  const pages = merged === undefined ? countPages(send.message, send.pageRule) : (merged.pageCounts.at(-1)?.pages ?? 0);
  const rateMilli = rateMilliForCode(send.code, send.rates);
  const isUnpriced = send.rates !== undefined && !send.rates.has(send.code);
  const charge =
    merged === undefined
      ? chargeMilli({ recipients, pages, rateMilli })
      : chargeMilli({ recipients: merged.pageSum, pages: 1, rateMilli });
  const availableMilli =
    send.units === undefined ? undefined : Math.round(send.units * 100) * 10 + (send.heldMilli ?? 0);
  return {
    recipients,
    pages,
    ...(merged && { pageCounts: merged.pageCounts }),
    rateMilli,
    isUnpriced,
    chargeMilli: charge,
    availableMilli,
    remainingMilli: availableMilli === undefined ? undefined : availableMilli - charge,
  };
}
