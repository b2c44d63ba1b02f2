/** The settings of the auto top-up, and the look each minute that finds who fell below the amount. */
import { instantPurchaseKobo, lagosDate, lagosDayStart, MILLI_PER_UNIT, type AutoTopUpAnswer } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { paymentChanged, paymentStarted, publishChange } from "../../../events/index.ts";
import type { JobQueue } from "../../../jobs/job-queue.ts";
import { eachWithFreeUnits, readBalance } from "../../../ledger/index.ts";
import { findCardProvider } from "../payments/card-provider.ts";
import { FIRST_CHECK_DELAY_MS } from "../payments/payment-states.ts";
import { insertPayment } from "../payments/payment-store.ts";
import {
  endCrossing,
  findAutoTopUp,
  lockAutoTopUp,
  markCrossing,
  readCharges,
  saveAutoTopUp,
  selectWatchedAmounts,
  type AutoTopUp,
  type WatchedAmount,
} from "./auto-top-up-store.ts";
import { CHARGE_KEPT_CARD } from "./charge-kept-card.ts";

export async function viewAutoTopUp(deps: Deps, userId: string): Promise<AutoTopUpAnswer> {
  const provider = await findCardProvider(deps);
  return present(await findAutoTopUp(deps.db, userId), provider?.isSandbox);
}

/** @param isSandbox of the provider there is now: a card of the other one cannot be charged. */
function present(stored: AutoTopUp | undefined, isSandbox: boolean | undefined): AutoTopUpAnswer {
  if (stored === undefined)
    return { isOn: false, below: null, units: null, perDayMax: null, card: null, isStopped: false };
  const { isOn, belowMilli, units, perDayMax, brand, last4, expires, switchedOffAt } = stored;
  return {
    isOn,
    units,
    perDayMax,
    below: belowMilli === null ? null : belowMilli / MILLI_PER_UNIT,
    card: stored.isSandbox === isSandbox ? { brand, last4, expires } : null,
    isStopped: switchedOffAt !== null,
  };
}

export type AutoTopUpChange = {
  isOn: boolean;
  below?: number | undefined;
  units?: number | undefined;
  perDayMax?: number | undefined;
};

/**
 * What is left out stays as it is. The same or a higher amount keeps what the present crossing had; who turns it on, or sets a lower amount, while
 * fewer units are free is charged for that.
 *
 * @throws AppError `CARDS_OFF` without a provider; `STATE_CONFLICT` without a card that can be charged; `VALIDATION` when it is turned on without
 *   an amount, units or a limit. Off is always possible.
 */
export async function setAutoTopUp(deps: Deps, userId: string, change: AutoTopUpChange): Promise<AutoTopUpAnswer> {
  const provider = await findCardProvider(deps);
  if (change.isOn && provider === undefined) throw new AppError("CARDS_OFF");
  await withTransaction(deps.db, async (tx) => {
    const stored = await lockAutoTopUp(tx, userId);
    if (change.isOn && (stored === undefined || stored.isSandbox !== provider?.isSandbox))
      throw new AppError("STATE_CONFLICT", { message: "Pay once by card first. Then it can be charged again" });
    if (stored === undefined) return;
    const belowMilli = change.below === undefined ? stored.belowMilli : change.below * MILLI_PER_UNIT;
    const { units = stored.units, perDayMax = stored.perDayMax, isOn } = change;
    for (const [name, value] of Object.entries({ below: belowMilli, units, perDayMax }))
      if (isOn && value === null) throw fieldError(name, "is needed to turn it on");
    const isSameCrossing = stored.isOn && stored.isBelow && (belowMilli ?? 0) >= (stored.belowMilli ?? 0);
    await saveAutoTopUp(tx, userId, { isOn, belowMilli, units, perDayMax, isBelow: isSameCrossing });
    await publishChange(tx, paymentChanged(userId));
  });
  return await viewAutoTopUp(deps, userId);
}

export const autoTopUpQueue: JobQueue = {
  name: "auto-top-up",
  retriesMax: 2,
  retryDelaySeconds: 5,
  retryDelaySecondsMax: 20,
  runSecondsMax: 300,
  concurrency: 2,
  cron: "* * * * *",
  handle: async (deps) => await topUpLowBalances(deps),
};

/** Begins a charge for everyone whose units crossed their amount. Charging itself is a job for each. */
export async function topUpLowBalances(deps: Deps): Promise<void> {
  const provider = await findCardProvider(deps);
  if (provider === undefined) return;
  for await (const { freeMilli, ...amount } of eachWithFreeUnits(deps.db, selectWatchedAmounts)) {
    if (freeMilli >= amount.belowMilli && amount.isBelow) await endCrossing(deps.db, amount.userId, freeMilli);
    else if (freeMilli < amount.belowMilli && !amount.isBelow) await beginCharge(deps, amount, provider.isSandbox);
  }
}

/** Stores the payment and its job, if the crossing still has none: of two looks at once the second waits, and finds it. */
async function beginCharge(deps: Deps, { userId }: WatchedAmount, isSandbox: boolean): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const now = deps.clock.now();
    const settings = await lockAutoTopUp(tx, userId);
    if (settings === undefined || !settings.isOn || settings.isBelow || settings.isSandbox !== isSandbox) return;
    const { belowMilli, units, perDayMax, notBefore, reference: newest } = settings;
    if (belowMilli === null || units === null || perDayMax === null || (notBefore !== null && notBefore > now)) return;
    // Read again behind the lock: a charge that was credited meanwhile has filled the account.
    if ((await readBalance(tx, userId)).freeMilli >= belowMilli) return;
    const since = lagosDayStart(lagosDate(now));
    const { today, isUnderWay } = await readCharges(tx, { userId, since, newest });
    if (isUnderWay || today >= perDayMax) return;
    const reference = `EWB-${uuidv7()}`;
    await insertPayment(tx, {
      userId,
      reference,
      units,
      isSandbox,
      totalKobo: instantPurchaseKobo(units),
      isAutomatic: true,
      createdAt: now,
      nextCheckAt: new Date(now.getTime() + FIRST_CHECK_DELAY_MS),
    });
    await markCrossing(tx, userId, reference);
    await deps.jobs.enqueue(tx, CHARGE_KEPT_CARD, { userId, reference });
    await publishChange(tx, paymentStarted(userId));
  });
}
