import { formatNaira, formatUnits, MILLI_PER_UNIT } from "@ewebal/contract";
import type { Config } from "../../../base/config.ts";
import { AppError } from "../../../base/errors.ts";
import type { Payment } from "./payment-store.ts";
import { drawHeading, drawNotes, drawRows, drawTotal, lagosTime, newDocument, toBuffer, type Row } from "./pdf-page.ts";

/**
 * The receipt of a payment as PDF: one page, amounts to the kobo.
 *
 * @throws AppError `NOT_FOUND` for a payment that was not paid: there is nothing to confirm.
 */
export async function paymentReceipt({ brand }: Pick<Config, "brand">, payment: Payment): Promise<Buffer> {
  const { paidAt, isSandbox, state } = payment;
  if (paidAt === null) throw new AppError("NOT_FOUND");
  const document = await newDocument({ title: `Receipt ${payment.reference}`, author: brand.name, at: paidAt });
  const { name, suffix, address } = brand;
  const warning = "Sandbox: no money has moved. This is no proof of payment.";
  drawHeading(document, { title: "Receipt", name, suffix, address, ...(isSandbox && { warning }) });
  drawRows(document, [
    ["Receipt for", payment.fullName],
    ["E-mail", payment.email],
    ["Paid on", lagosTime(paidAt)],
    ["Paid by", payment.channel === null ? "Card" : readable(payment.channel)],
    ["Reference", payment.reference],
  ]);
  document.moveDown(1.5);
  drawRows(document, amountRows(payment));
  drawTotal(document, "Total paid", `₦${formatNaira(payment.totalKobo)}`);
  const contacts = [...brand.phones, ...brand.emails].join("   ");
  drawNotes(document, [
    ...(state === "reversed" || state === "frozen"
      ? ["This payment was refunded or disputed after it was made. Your account shows its current state."]
      : []),
    `One unit is one naira of sending credit. Questions: ${contacts}`,
  ]);
  return await toBuffer(document);
}

function amountRows({ units, totalKobo }: Payment): Row[] {
  return [
    ["SMS units", formatUnits(units * MILLI_PER_UNIT)],
    ["Price of the units", `₦${formatNaira(units * 100)}`],
    ["Transaction cost", `₦${formatNaira(totalKobo - units * 100)}`],
  ];
}

/** `bank_transfer` is `Bank transfer`. */
function readable(channel: string): string {
  const words = channel.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
