/** Account numbers that Paystack keeps for customers ("dedicated accounts"), and what was transferred to them. */
import {
  accountListSchema,
  madeAccountSchema,
  madeCustomerSchema,
  transactionListSchema,
  type ProviderTransaction,
} from "./paystack-answers.ts";
import { ask, askAgain, isRefusal, type PaystackSettings, ProviderUnclearError, reasonOf } from "./paystack-client.ts";

export type AccountHolder = { email: string; fullName: string; phoneNo: string; bank: string };
export type BankAccount = { bank: string; accountName: string; accountNumber: string };
export type OpenOutcome = { kind: "opened"; account: BankAccount } | { kind: "refused"; reason: string };

/**
 * Opens an account number for a customer, or finds the one that was opened before: the provider would open a second one.
 *
 * @throws ProviderUnclearError when nobody knows whether it is open now. It may be called again.
 */
export async function openDedicatedAccount(settings: PaystackSettings, holder: AccountHolder): Promise<OpenOutcome> {
  const [firstName = "", ...others] = holder.fullName.trim().split(/\s+/);
  const made = await ask(settings, "POST", "/customer", {
    email: holder.email,
    first_name: firstName,
    last_name: others.join(" ") || firstName,
    phone: holder.phoneNo,
  });
  if (isRefusal(made.status)) return { kind: "refused", reason: reasonOf(made.status, made.json) };
  const customer = madeCustomerSchema.safeParse(made.json);
  if (!customer.success) throw new ProviderUnclearError(`The provider answered ${made.status} to a customer`);
  const { customer_code: customerCode, id } = customer.data.data;

  const listed = await askAgain(settings, `/dedicated_account?active=true&customer=${id}`);
  const list = accountListSchema.safeParse(listed.json);
  if (!list.success) throw new ProviderUnclearError(`The provider answered ${listed.status} to a list of accounts`);
  const known = list.data.data.find((account) => account !== undefined && account.active !== false);
  if (known !== undefined) return opened(known);

  const body = { customer: customerCode, preferred_bank: holder.bank };
  const { status, json } = await ask(settings, "POST", "/dedicated_account", body);
  if (isRefusal(status)) return { kind: "refused", reason: reasonOf(status, json) };
  const answer = madeAccountSchema.safeParse(json);
  if (!answer.success) throw new ProviderUnclearError(`The provider answered ${status} to an account`);
  return opened(answer.data.data);
}

type DedicatedAccount = { bank: { name: string }; account_name: string; account_number: string };

function opened({ bank, account_name: accountName, account_number: accountNumber }: DedicatedAccount): OpenOutcome {
  return { kind: "opened", account: { bank: bank.name, accountName, accountNumber } };
}

/** What one page of the provider's list holds. */
export const TRANSACTIONS_PER_PAGE = 100;

/**
 * What was paid since a moment, newest first, by every channel: the provider has no list of transfers alone.
 *
 * @returns also how many there were on the page, those that cannot be read included.
 */
export async function listPaidTransactions(
  settings: PaystackSettings,
  { from, page }: { from: Date; page: number },
): Promise<{ transactions: ProviderTransaction[]; count: number }> {
  const query = new URLSearchParams({
    status: "success",
    from: from.toISOString(),
    perPage: String(TRANSACTIONS_PER_PAGE),
    page: String(page),
  });
  const { status, json } = await askAgain(settings, `/transaction?${query.toString()}`);
  const answer = transactionListSchema.safeParse(json);
  if (status !== 200 || !answer.success) throw new ProviderUnclearError(`The provider answered ${status} to a list`);
  const { data } = answer.data;
  return { transactions: data.filter((transaction) => transaction !== undefined), count: data.length };
}
