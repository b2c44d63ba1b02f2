/**
 * What a page costs one customer: the one place that decides it, for every way in and every page that shows a price.
 *
 *   the customer's own price -> else the list's rate (edited, or the specified one) less the discount of the customer's tier
 *
 * A price of the customer's own is what was agreed with them: no tier changes it. The tier is that of the units used in the last month or in this one,
 * whichever are more, so that nobody falls back at midnight of the first.
 */
import {
  classifyCode,
  DEFAULT_RATES,
  discountedRate,
  discountFor,
  listFurtherCodes,
  messageClasses,
  UNLISTED_RATE_MILLI,
  type MessageClass,
  type PriceTier,
  type RateRow,
  type Rates,
} from "@ewebal/contract";
import type { Deps } from "../../base/deps.ts";
import { AppError } from "../../base/errors.ts";
import type { Queryable } from "../../db/pool.ts";
import { listRates, readRatesAt } from "./list-rates.ts";
import { findNextChange } from "./rate-store.ts";
import {
  findCustomerPrice,
  findNextPriceChange,
  readListPrice,
  readMonthlyUse,
  selectCostedPrefixes,
  selectHeldPrices,
  selectTiers,
} from "./price-store.ts";

export type PriceQuestion = { userId: string; hasOwnPrices: boolean; code: string; class: MessageClass; at: Date };

/**
 * What a send is charged by: read in its own transaction, never from memory, so that a page says one price and another is charged only if the
 * price changed between the two.
 *
 * @returns thousandths of a unit for one page to one number.
 * @throws AppError `NO_PRICE` for a code that no list prices, for either class, and that no carrier's cost is known for.
 */
export async function readPriceAt(db: Queryable, question: PriceQuestion): Promise<number> {
  const own = question.hasOwnPrices ? await findCustomerPrice(db, question) : undefined;
  if (own !== undefined) return own;
  const specifiedMilli = DEFAULT_RATES.get(question.code);
  const isListed = specifiedMilli !== undefined;
  const { rateMilli, tiers, hasCost } = await readListPrice(db, { ...question, isListed });
  const isUnpriced = rateMilli === null && !hasCost && classifyCode(question.code) === "unlisted";
  if (isUnpriced && !(await hasPriceForOtherClass(db, question))) throw new AppError("NO_PRICE");
  const listMilli = rateMilli ?? specifiedMilli ?? UNLISTED_RATE_MILLI;
  return discountedRate(listMilli, await readDiscount(db, question, tiers));
}

/** A code that a customer has a price for in one class stands on their page with one for the other, too: what the page shows is charged. */
async function hasPriceForOtherClass(db: Queryable, question: PriceQuestion): Promise<boolean> {
  const others = messageClasses.filter((messageClass) => messageClass !== question.class);
  if (!question.hasOwnPrices) return false;
  for (const other of others)
    if ((await findCustomerPrice(db, { ...question, class: other })) !== undefined) return true;
  return false;
}

/** @returns hundredths of a percent. */
async function readDiscount(
  db: Queryable,
  { userId, at }: Pick<PriceQuestion, "userId" | "at">,
  tiers: readonly PriceTier[],
): Promise<number> {
  return tiers.length === 0 ? 0 : discountFor(tiers, await readMonthlyUse(db, userId, at));
}

export type CustomerTier = { discountBasisPoints: number; usedMilli: number };

export async function readTierAt(db: Queryable, userId: string, at: Date): Promise<CustomerTier> {
  const usedMilli = await readMonthlyUse(db, userId, at);
  return { usedMilli, discountBasisPoints: discountFor(await selectTiers(db), usedMilli) };
}

export type OwnRates = { rows: RateRow[]; nextChangeAt: Date | null; discountBasisPoints: number };

/** Every price that a customer pays, as the list of rates shows them. */
export async function viewOwnRates({ db, clock }: Pick<Deps, "db" | "clock">, userId: string): Promise<OwnRates> {
  const at = clock.now();
  const { discountBasisPoints } = await readTierAt(db, userId, at);
  const read = async (messageClass: MessageClass): Promise<Rates> => {
    const list = await readRatesAt(db, at, messageClass);
    const own = await selectHeldPrices(db, { userId, at, class: messageClass });
    return new Map([
      ...[...list].map(([code, rateMilli]) => [code, discountedRate(rateMilli, discountBasisPoints)] as const),
      ...own.flatMap(({ code, rateMilli }) => (rateMilli === null ? [] : [[code, rateMilli] as const])),
    ]);
  };
  const [promotional, transactional] = [await read("promotional"), await read("transactional")];
  // A code that is priced for one class alone costs what an unlisted one does for the other, and so does one that a carrier's cost alone prices.
  const unlisted = discountedRate(UNLISTED_RATE_MILLI, discountBasisPoints);
  const prefixes = await selectCostedPrefixes(db, at);
  const costed = listFurtherCodes().filter(
    (code) =>
      classifyCode(code) === "unlisted" &&
      prefixes.some((prefix) => code.startsWith(prefix) || prefix.startsWith(code)),
  );
  const codes = new Set([...promotional.keys(), ...transactional.keys(), ...costed]);
  const complete = (rates: Rates): Rates => new Map([...codes].map((code) => [code, rates.get(code) ?? unlisted]));
  const changes = [await findNextChange(db, at), await findNextPriceChange(db, userId, at)];
  const next = changes.filter((time) => time !== undefined).map((time) => time.getTime());
  return {
    rows: listRates(complete(promotional), complete(transactional)),
    nextChangeAt: next.length === 0 ? null : new Date(Math.min(...next)),
    discountBasisPoints,
  };
}
