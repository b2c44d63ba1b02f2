/** The text of every mail about deposits. */
import { formatNaira, formatUnits } from "@ewebal/contract";
import type { Config } from "../../../base/config.ts";
import { plainName, type MailContent } from "../../../mail/index.ts";

type Customer = { userName: string; email: string };

/** The facts by which a person recognises the deposit. */
type DepositFacts = {
  depositId: string;
  depositorName: string;
  amountKobo: number;
  tellerId: string;
  phoneNo: string;
  transactionDate: string;
  bank: string;
};

export function reportedMail(
  { managementEmail }: Pick<Config, "managementEmail">,
  customer: Customer,
  deposit: DepositFacts & { isFlagged: boolean },
): MailContent {
  const warning = "Possible duplicate: the same receipt or teller ID was used for another deposit.";
  return {
    recipient: managementEmail,
    subject: `Deposit of NGN ${formatNaira(deposit.amountKobo)} from ${customer.email}`,
    blocks: [
      { kind: "text", text: "A customer reports a bank deposit. Please check it against the bank account." },
      {
        kind: "facts",
        rows: [["Customer", `${plainName(customer.userName)}, ${customer.email}`], ...factsOf(deposit)],
      },
      ...(deposit.isFlagged ? [{ kind: "text" as const, text: warning }] : []),
      {
        kind: "action",
        label: "Review the deposit",
        path: `/admin-dashboard/manage-all-transactions/more-about-transaction/${deposit.depositId}`,
      },
    ],
  };
}

export function creditedMail(
  { brand }: Pick<Config, "brand">,
  customer: Customer,
  deposit: DepositFacts,
  credit: { amountMilli: number; freeMilli: number },
): MailContent {
  return {
    recipient: customer.email,
    subject: `${formatUnits(credit.amountMilli)} units were added for your deposit`,
    greetingName: customer.userName,
    blocks: [
      { kind: "text", text: `${brand.name} has verified your bank deposit and credited your account.` },
      {
        kind: "facts",
        rows: [
          ...factsOf(deposit),
          ["Units added", formatUnits(credit.amountMilli)],
          ["Available now", formatUnits(credit.freeMilli)],
        ],
      },
      { kind: "action", label: "See your transactions", path: "/user-dashboard/transactions" },
    ],
  };
}

export function declinedMail(
  { brand }: Pick<Config, "brand">,
  customer: Customer,
  deposit: DepositFacts,
  reason: string,
): MailContent {
  return {
    recipient: customer.email,
    subject: "Your bank deposit was declined",
    greetingName: customer.userName,
    blocks: [
      { kind: "text", text: "We could not verify this bank deposit, so no units were added." },
      { kind: "facts", rows: [...factsOf(deposit), ...(reason === "" ? [] : [["Reason", reason] as const])] },
      {
        kind: "text",
        text: `If you think this is a mistake, send your receipt to ${brand.emails[0] ?? "support"}.`,
      },
      { kind: "action", label: "See your transactions", path: "/user-dashboard/transactions" },
    ],
  };
}

function factsOf(deposit: DepositFacts): (readonly [string, string])[] {
  return [
    ["Depositor", plainName(deposit.depositorName)],
    ["Paid to", deposit.bank],
    ["Amount", `NGN ${formatNaira(deposit.amountKobo)}`],
    ["Teller ID", deposit.tellerId],
    ["Contact", `+234 ${deposit.phoneNo}`],
    ["Date", deposit.transactionDate],
  ];
}
