import type { VirtualAccountAnswer, VirtualAccountView } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { paymentChanged, publishChange } from "../../../events/index.ts";
import { countTry, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { findCardProvider } from "../payments/card-provider.ts";
import {
  claimOpening,
  findHolder,
  findVirtualAccount,
  releaseOpening,
  saveVirtualAccount,
} from "./virtual-account-store.ts";

/** The calls to the provider take 60 s at most; whoever claimed longer ago has died. */
const OPENING_MS_MAX = 120_000;

/** @returns null before one is open. */
export async function viewVirtualAccount(deps: Deps, userId: string): Promise<VirtualAccountView> {
  const provider = await findCardProvider(deps);
  if (provider === undefined) return { isOffered: false, account: null, sandboxUrl: null };
  const account = (await findVirtualAccount(deps.db, { userId, isSandbox: provider.isSandbox })) ?? null;
  const hasPage = provider.isSandbox && account !== null;
  return { isOffered: true, account, sandboxUrl: hasPage ? `/sandbox-transfer/${account.accountNumber}` : null };
}

/**
 * Opens the customer's account number at the card provider, or returns the one there is.
 *
 * @throws AppError `CARDS_OFF` without a provider, and when the provider opens none for us; `RATE_LIMITED`; `UNAVAILABLE` when the provider does not
 *   answer; `STATE_CONFLICT` while it is being asked for this customer.
 */
export async function openVirtualAccount(deps: Deps, userId: string): Promise<VirtualAccountAnswer> {
  const provider = await findCardProvider(deps);
  if (provider === undefined) throw new AppError("CARDS_OFF");
  const key = { userId, isSandbox: provider.isSandbox };
  const known = await findVirtualAccount(deps.db, key);
  if (known !== undefined) return known;
  await countTry(deps, deps.db, rateRules.paymentStart, userId);
  const holder = await findHolder(deps.db, userId);
  if (holder === undefined) throw new AppError("NOT_FOUND");
  const now = deps.clock.now();
  if (!(await claimOpening(deps.db, { ...key, now, staleBefore: new Date(now.getTime() - OPENING_MS_MAX) })))
    return await openedMeanwhile(deps, key);
  try {
    const outcome = await provider.openAccount(holder);
    if (outcome.kind === "refused") {
      deps.log.error({ reason: outcome.reason }, "the card provider opened no account number");
      throw new AppError("CARDS_OFF", { message: "Account numbers are not available. Buy units by card instead" });
    }
    await saveVirtualAccount(deps.db, key, outcome.account);
  } catch (error) {
    await releaseOpening(deps.db, key);
    throw error;
  }
  await publishChange(deps.db, paymentChanged(userId));
  return await openedMeanwhile(deps, key);
}

async function openedMeanwhile(deps: Deps, key: { userId: string; isSandbox: boolean }): Promise<VirtualAccountAnswer> {
  const account = await findVirtualAccount(deps.db, key);
  if (account === undefined)
    throw new AppError("STATE_CONFLICT", {
      message: "Your account number is being opened. Please try again in a moment",
    });
  return account;
}
