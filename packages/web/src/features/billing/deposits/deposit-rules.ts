/** What is missing in the form of a bank deposit, and which files can be a receipt. (specification, section 5) */
import { lagosDate, limits } from "@ewebal/contract/rules";

export const emptyDeposit = {
  depositorName: "",
  amountDeposited: "",
  phoneNo: "",
  tellerId: "",
  transactionDate: "",
  bankDeposited: "",
  /** The receipt's file name. */
  image: "",
};
export type DepositValues = typeof emptyDeposit;

export const DEPOSIT_FIELDS = Object.keys(emptyDeposit) as (keyof DepositValues)[];

/** In the order of the fields. */
export function findMissingForDeposit(values: DepositValues): string[] {
  const filled = (text: string): boolean => text.trim() !== "";
  const isLater = values.transactionDate > lagosDate(new Date());
  return [
    !filled(values.amountDeposited) && "amount",
    !filled(values.tellerId) && "teller ID",
    !filled(values.depositorName) && "depositor name",
    !filled(values.phoneNo) && "phone number",
    (!filled(values.transactionDate) || isLater) &&
      (isLater ? "a date that is not later than today" : "transaction date"),
    !filled(values.bankDeposited) && "bank",
    !filled(values.image) && "receipt",
  ].filter((name) => name !== false);
}

/** The number of digits of the largest amount. */
const amountDigitsMax = String(limits.unitsMaxPerCredit).length;

/** The characters that the amount's field keeps: digits, no leading zeros. */
export function cleanAmount(text: string): string {
  return text
    .replaceAll(/[^0-9]/g, "")
    .replace(/^0+/, "")
    .slice(0, amountDigitsMax);
}

const RECEIPT_NAME = /\.(?:pdf|jpe?g|png)$/i;

/** @returns why a file cannot be a receipt; undefined when it can be sent. */
export function findReceiptFault({ name, size }: { name: string; size: number }): string | undefined {
  if (!RECEIPT_NAME.test(name)) return "The receipt must be a .pdf, .jpg or .png file";
  if (size > limits.receiptBytesMax)
    return `The receipt is larger than ${limits.receiptBytesMax / 1024 / 1024} MB. Use a smaller photo`;
  return size === 0 ? "This file is empty" : undefined;
}
