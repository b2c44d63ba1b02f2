/**
 * Credits what was transferred to a customer's account number, less the provider's fee. The provider's event and the look every ten minutes come through
 * here, any number of times and at once: each reference is credited once, and only after the provider was asked.
 */
import { formatNaira, formatUnits, MILLI_PER_UNIT } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import { paymentSettled, publishChange } from "../../../events/index.ts";
import type { JobQueue } from "../../../jobs/job-queue.ts";
import { topUpUnits } from "../../../ledger/index.ts";
import { writeMail, type MailContent } from "../../../mail/index.ts";
import { recordEvent } from "../../../outbox/index.ts";
import { findCustomer } from "../../accounts/index.ts";
import { endCrossing } from "../auto-top-up/auto-top-up-store.ts";
import { issueInvoice } from "../invoices/issue-invoice.ts";
import { findCardProvider, type CardProvider } from "../payments/card-provider.ts";
import { TRANSACTIONS_PER_PAGE } from "../payments/paystack/paystack-accounts.ts";
import { readReceiver, type ProviderTransaction } from "../payments/paystack/paystack-answers.ts";
import {
  type AccountTransfer,
  findAccountOwner,
  findVirtualAccount,
  hasVirtualAccounts,
  insertTransfer,
  isTransferCredited,
} from "./virtual-account-store.ts";

export const SETTLE_TRANSFER = "settle-transfer";

/** Thousandths of a unit in a kobo: a unit is a naira. */
const MILLI_PER_KOBO = MILLI_PER_UNIT / 100;
/** How far the look goes back: an event that is lost is found within ten minutes, and a provider that was away for a day loses nothing. */
const LOOK_BACK_MS = 24 * 60 * 60_000;
const PAGES_MAX = 50;

export const settleTransferQueue: JobQueue = {
  name: SETTLE_TRANSFER,
  retriesMax: 8,
  retryDelaySeconds: 5,
  retryDelaySecondsMax: 600,
  runSecondsMax: 60,
  concurrency: 4,
  handle: async (deps, { userId = "", reference = "" }) => void (await settleTransfer(deps, { userId, reference })),
};

/** Every ten minutes: finds transfers that no event told of. */
export const checkTransfersQueue: JobQueue = {
  name: "check-transfers",
  retriesMax: 1,
  retryDelaySeconds: 30,
  retryDelaySecondsMax: 60,
  runSecondsMax: 540,
  concurrency: 2,
  cron: "*/10 * * * *",
  handle: async (deps) => await checkTransfers(deps),
};

export async function checkTransfers(deps: Deps): Promise<void> {
  const provider = await findCardProvider(deps);
  if (provider === undefined || !(await hasVirtualAccounts(deps.db, provider.isSandbox))) return;
  const from = new Date(deps.clock.now().getTime() - LOOK_BACK_MS);
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { transactions, count } = await provider.listPaid({ from, page });
    for (const transaction of transactions) await settleListed(deps, provider, transaction);
    if (count < TRANSACTIONS_PER_PAGE) return;
  }
  deps.log.warn({ pages: PAGES_MAX }, "the card provider lists more payments than are looked through for transfers");
}

async function settleListed(deps: Deps, provider: CardProvider, transaction: ProviderTransaction): Promise<void> {
  const accountNumber = readReceiver(transaction);
  if (accountNumber === undefined) return;
  const userId = await findAccountOwner(deps.db, { accountNumber, isSandbox: provider.isSandbox });
  if (userId !== undefined) await settleTransfer(deps, { userId, reference: transaction.reference });
}

/**
 * @returns whether it is credited now.
 * @throws ProviderUnclearError when the provider cannot be asked; nothing has changed then.
 */
export async function settleTransfer(deps: Deps, key: { userId: string; reference: string }): Promise<boolean> {
  if (await isTransferCredited(deps.db, key)) return true;
  const provider = await findCardProvider(deps);
  if (provider === undefined) return false;
  const account = await findVirtualAccount(deps.db, { userId: key.userId, isSandbox: provider.isSandbox });
  if (account === undefined) return false;
  const outcome = await provider.find(key.reference);
  if (outcome.kind === "unknown") return false;
  const read = readTransfer(outcome.transaction, { ...key, mode: provider.mode, accountNumber: account.accountNumber });
  if (typeof read === "string") {
    deps.log.warn({ reference: key.reference, problem: read }, "a transfer to an account number is not credited");
    return false;
  }
  const { isSandbox } = provider;
  const transfer = { ...read, ...key, isSandbox, creditedAt: deps.clock.now() };
  await withTransaction(deps.db, async (tx) => await credit(deps, tx, transfer));
  return true;
}

/** @returns what is wrong with it in words: then nothing is credited. */
function readTransfer(
  transaction: ProviderTransaction,
  expected: { reference: string; mode: CardProvider["mode"]; accountNumber: string },
): Pick<AccountTransfer, "amountKobo" | "feeKobo" | "providerId"> | string {
  const { status, reference, amount: amountKobo, currency, domain, fees: feeKobo, id } = transaction;
  if (reference !== expected.reference) return "another reference";
  if (status !== "success") return `status ${status.slice(0, 40)}`;
  if (currency !== "NGN") return `currency ${currency.slice(0, 10)}`;
  if (typeof domain === "string" && expected.mode !== undefined && domain !== expected.mode)
    return `mode ${domain.slice(0, 10)}`;
  if (readReceiver(transaction) !== expected.accountNumber) return "another account number";
  if (typeof feeKobo !== "number") return "no fee";
  if (feeKobo >= amountKobo) return `${amountKobo} kobo do not pay the fee of ${feeKobo}`;
  return { amountKobo, feeKobo, providerId: id?.slice(0, 40) ?? null };
}

async function credit(deps: Deps, tx: Tx, transfer: AccountTransfer): Promise<void> {
  const { userId, reference, amountKobo, feeKobo, isSandbox } = transfer;
  // Of several callers only one passes here; the ledger would also refuse a second top-up of this reference.
  if (!(await insertTransfer(tx, transfer))) return;
  const unitsMilli = (amountKobo - feeKobo) * MILLI_PER_KOBO;
  const { balance } = await topUpUnits(tx, { userId, amountMilli: unitsMilli, source: "bank", reference });
  await issueInvoice(deps, tx, { userId, kind: "transfer", reference, grossKobo: amountKobo, unitsMilli, isSandbox });
  const units = unitsMilli / MILLI_PER_UNIT;
  await recordEvent(tx, { userId, type: "payment.credited", data: { units, cause: "transfer" } });
  await endCrossing(tx, userId, balance.freeMilli);
  const customer = await findCustomer(tx, userId);
  if (customer !== undefined) await writeMail(deps, tx, receiptMail(customer, transfer, unitsMilli));
  await publishChange(tx, paymentSettled(userId));
}

function receiptMail(
  { email, userName }: { email: string; userName: string },
  { amountKobo, feeKobo, reference, isSandbox }: AccountTransfer,
  unitsMilli: number,
): MailContent {
  return {
    recipient: email,
    subject: `Receipt: ${formatUnits(unitsMilli)} units for a transfer of NGN ${formatNaira(amountKobo)}`,
    greetingName: userName,
    blocks: [
      { kind: "text", text: "Thank you. Your bank transfer has arrived, and the units are yours." },
      ...(isSandbox
        ? [{ kind: "text", text: "This was a transfer in the sandbox: no money has moved." } as const]
        : []),
      {
        kind: "facts",
        rows: [
          ["Units added", formatUnits(unitsMilli)],
          ["Transferred", `NGN ${formatNaira(amountKobo)}`],
          ["Bank's fee", `NGN ${formatNaira(feeKobo)}`],
          ["Reference", reference],
        ],
      },
      { kind: "action", label: "Open my payments and receipts", path: "/user-dashboard/buy-sms" },
    ],
  };
}
