import type { StatementCause, StatementRow } from "@ewebal/contract";
import { once } from "../../../lib/texts/format.ts";

/** What moved the units, as a customer would say it. */
const causeWords: Readonly<Record<StatementCause, string>> = {
  message: "SMS sent",
  refund: "Failed SMS refunded",
  payment: "Card payment",
  deposit: "Bank deposit",
  credit: "Credit by management",
  reversal: "Taken back",
  freeze: "Set aside while a payment is reviewed",
};

/** Units are set aside when a message is scheduled or begins to be sent, and are back when nothing of it was sent. */
export function movementInWords(row: StatementRow): string {
  if (row.cause === "message" && !row.final) return "Set aside for SMS";
  return isWithoutMessage(row) ? "SMS not sent" : causeWords[row.cause];
}

/** Nothing was sent: mostly a scheduled message that was deleted, so that there is no page of it. */
export function isWithoutMessage({ cause, final, units }: StatementRow): boolean {
  return cause === "message" && final && units === 0;
}

const exactFormat = once(() => new Intl.NumberFormat("en-NG", { minimumFractionDigits: 2, maximumFractionDigits: 3 }));
const signedFormat = once(
  () =>
    new Intl.NumberFormat("en-NG", { minimumFractionDigits: 2, maximumFractionDigits: 3, signDisplay: "exceptZero" }),
);

/** To the thousandth, so that the lines add up: `1,234.50`, `982.295`. */
export function formatExact(units: number): string {
  return exactFormat().format(units);
}

/** The same with its sign: `+500.00`, `-17.705`. */
export function formatSigned(units: number): string {
  return signedFormat().format(units);
}
