/** The text of every mail about card payments. */
import { formatNaira, formatUnits, MILLI_PER_UNIT } from "@ewebal/contract";
import type { Config } from "../../../base/config.ts";
import type { MailContent } from "../../../mail/index.ts";
import type { Chargeback } from "./chargebacks/chargeback-store.ts";
import type { Payment } from "./payment-store.ts";

export function receiptMail({ brand }: Pick<Config, "brand">, payment: Payment, freeMilli: number): MailContent {
  const { units, totalKobo, reference, isAutomatic } = payment;
  const opening = isAutomatic
    ? "Your units fell below the amount that you set, and your card was charged."
    : "Thank you.";
  return {
    recipient: payment.email,
    subject: `Receipt: ${formatUnits(units * MILLI_PER_UNIT)} units for NGN ${formatNaira(totalKobo)}`,
    greetingName: payment.userName,
    blocks: [
      { kind: "text", text: `${opening} Your card payment to ${brand.name} is complete, and the units are yours.` },
      ...(payment.isSandbox
        ? [{ kind: "text", text: "This was a payment in the sandbox: no money has moved." } as const]
        : []),
      {
        kind: "facts",
        rows: [
          ["Units added", formatUnits(units * MILLI_PER_UNIT)],
          ["Transaction cost", `NGN ${formatNaira(totalKobo - units * 100)}`],
          ["Total paid", `NGN ${formatNaira(totalKobo)}`],
          ["Reference", reference],
          ["Available now", formatUnits(freeMilli)],
        ],
      },
      { kind: "action", label: "Open my payments and receipts", path: "/user-dashboard/buy-sms" },
    ],
  };
}

/** To management: money arrived that does not match the payment. */
export function problemMail(
  { managementEmail }: Pick<Config, "managementEmail">,
  payment: Payment,
  problem: string,
): MailContent {
  return {
    recipient: managementEmail,
    subject: `Card payment ${payment.reference} needs a look`,
    blocks: [
      {
        kind: "text",
        text: "The card provider reports a success that does not match the payment. Nothing was credited.",
      },
      { kind: "facts", rows: [["Problem", problem], ...paymentRows(payment)] },
    ],
  };
}

const chargebackWords: Record<Chargeback["kind"], Record<Chargeback["state"], string>> = {
  refund: { open: "is being refunded", upheld: "was refunded", dismissed: "was not refunded after all" },
  dispute: { open: "is disputed", upheld: "was disputed with success", dismissed: "was disputed without success" },
};

/** To management: what became of the units of a payment that is refunded or disputed. */
export function chargebackMail(
  { managementEmail }: Pick<Config, "managementEmail">,
  payment: Payment,
  chargeback: Chargeback,
): MailContent {
  return {
    recipient: managementEmail,
    subject: `Card payment ${payment.reference} ${chargebackWords[chargeback.kind][chargeback.state]}`,
    blocks: [
      { kind: "text", text: `A card payment ${chargebackWords[chargeback.kind][chargeback.state]}. Its units:` },
      {
        kind: "facts",
        rows: [
          ["Amount", `NGN ${formatNaira(chargeback.amountKobo)}`],
          ["Units concerned", formatUnits(chargeback.unitsMilli)],
          ["Set aside", formatUnits(chargeback.frozenMilli)],
          ["Taken back", formatUnits(chargeback.takenMilli)],
          ["Spent before", formatUnits(chargeback.spentMilli)],
          ...paymentRows(payment),
        ],
      },
    ],
  };
}

function paymentRows(payment: Payment): [string, string][] {
  return [
    ["Customer", payment.email],
    ["Reference", payment.reference],
    ["Payment", `${formatUnits(payment.units * MILLI_PER_UNIT)} units for NGN ${formatNaira(payment.totalKobo)}`],
  ];
}
