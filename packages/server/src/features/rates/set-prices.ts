/** Changing what single customers pay: prices of their own, and the tiers. Messages that were accepted keep their price. */
import {
  isSendable,
  MILLI_PER_UNIT,
  rateMilliOf,
  readTiers,
  type CustomerPriceState,
  type PriceTier,
  type SetCustomerPriceBody,
  type TierAnswer,
} from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { ADVISORY_LOCK_CLASS } from "../../db/advisory.ts";
import { withTransaction, type Tx } from "../../db/transaction.ts";
import type { Deps } from "../../base/deps.ts";
import { AppError, fieldError } from "../../base/errors.ts";
import { publishChange, ratesChanged } from "../../events/index.ts";
import { checkRateTime, type Act } from "./edit-rate.ts";
import { readRatesAt } from "./list-rates.ts";
import { readTierAt, type CustomerTier } from "./price-of.ts";
import {
  findCustomerPrice,
  insertCustomerPrice,
  lockOwnPrices,
  replaceTiers,
  selectCustomerPrices,
  selectHeldPrices,
  selectTiers,
  type CustomerPrice,
} from "./price-store.ts";
import { lockRate } from "./rate-store.ts";

/** What an administrator is shown of a customer's prices; older ones stay in the audit. */
const PRICES_SHOWN_MAX = 500;
/** The lock of all tiers together stands beside those of codes, and no code is 0. */
const ALL_TIERS = "0";

export type StatedPrice = CustomerPrice & { state: CustomerPriceState };

/**
 * Gives a customer another price for a code. Of two administrators at once the second waits for the first.
 *
 * @throws AppError `NOT_FOUND` when there is no such customer; `VALIDATION` for a code that nobody sends to, or a time that is not in the future;
 * `STATE_CONFLICT` when the customer has this price already.
 */
export async function setCustomerPrice(deps: Deps, body: SetCustomerPriceBody, act: Act): Promise<StatedPrice> {
  return await withTransaction(deps.db, (tx) => changeCustomerPrice(deps, tx, body, act));
}

/** @param tx open transaction; others who change prices of this customer wait until it ends. */
export async function changeCustomerPrice(
  deps: Deps,
  tx: Tx,
  { userId, code, class: messageClass, rate, from }: SetCustomerPriceBody,
  act: Act,
): Promise<StatedPrice> {
  const now = deps.clock.now();
  const effectiveAt = from === undefined ? now : new Date(from);
  if (from !== undefined) checkRateTime(effectiveAt, now);
  if (!isSendable(code, await readRatesAt(tx, now)))
    throw fieldError("code", "is no country's code that can be sent to");
  if (!(await lockOwnPrices(tx, userId))) throw new AppError("NOT_FOUND");
  const classes = messageClass === undefined ? (["promotional", "transactional"] as const) : [messageClass];
  const before: (number | undefined)[] = [];
  for (const each of classes) before.push(await findCustomerPrice(tx, { userId, code, at: effectiveAt, class: each }));
  const rateMilli = rate === null ? null : rateMilliOf(rate);
  if (before.every((milli) => milli === (rateMilli ?? undefined)))
    throw new AppError("STATE_CONFLICT", { message: "The customer has this price already" });
  const price: CustomerPrice = {
    customerPriceId: uuidv7(),
    userId,
    code,
    class: messageClass ?? null,
    rateMilli,
    effectiveAt,
    createdAt: now,
  };
  await insertCustomerPrice(tx, { ...price, adminId: act.adminId });
  const [beforeMilli] = before;
  await deps.recordAudit(tx, {
    ...act,
    action: "set-customer-price",
    subjectId: userId,
    before: { code, rate: beforeMilli === undefined ? null : beforeMilli / MILLI_PER_UNIT },
    after: { code, rate, ...(messageClass && { class: messageClass }), from: effectiveAt.toISOString() },
  });
  await publishChange(tx, ratesChanged());
  return { ...price, state: effectiveAt > now ? "planned" : "current" };
}

/** A customer's own prices, newest first, and the tier that the others are discounted by. */
export async function viewCustomerPrices(
  { db, clock }: Pick<Deps, "db" | "clock">,
  userId: string,
): Promise<{ prices: StatedPrice[]; tier: CustomerTier }> {
  const at = clock.now();
  const promotional = await selectHeldPrices(db, { userId, at, class: "promotional" });
  const transactional = await selectHeldPrices(db, { userId, at, class: "transactional" });
  const currentIds = new Set([...promotional, ...transactional].map(({ customerPriceId }) => customerPriceId));
  const stateOf = ({ customerPriceId, effectiveAt }: CustomerPrice): CustomerPriceState =>
    effectiveAt > at ? "planned" : currentIds.has(customerPriceId) ? "current" : "past";
  const prices = await selectCustomerPrices(db, userId, PRICES_SHOWN_MAX);
  return {
    prices: prices.map((price) => ({ ...price, state: stateOf(price) })),
    tier: await readTierAt(db, userId, at),
  };
}

/** Lowest first. */
export async function viewTiers({ db }: Pick<Deps, "db">): Promise<PriceTier[]> {
  return await selectTiers(db);
}

/** Makes the tiers those given: what was not named is gone. */
export async function setTiers(deps: Deps, tiers: readonly TierAnswer[], act: Act): Promise<PriceTier[]> {
  return await withTransaction(deps.db, async (tx) => {
    await lockRate(tx, ADVISORY_LOCK_CLASS.rateEdit, ALL_TIERS);
    const before = await selectTiers(tx);
    await replaceTiers(tx, readTiers(tiers));
    await deps.recordAudit(tx, {
      ...act,
      action: "set-tiers",
      before: { tiers: before.map(tierInWords) },
      after: { tiers: (await selectTiers(tx)).map(tierInWords) },
    });
    await publishChange(tx, ratesChanged());
    return await selectTiers(tx);
  });
}

function tierInWords({ unitsPerMonthMilli, discountBasisPoints }: PriceTier): string {
  return `${unitsPerMonthMilli / MILLI_PER_UNIT}: ${discountBasisPoints / 100} %`;
}
