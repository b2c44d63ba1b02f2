import { fileURLToPath } from "node:url";
import { formatNaira, formatUnits, MILLI_PER_UNIT, type Brand } from "@ewebal/contract";
import PdfDocument from "pdfkit";
import type { Config } from "../../../base/config.ts";
import { AppError } from "../../../base/errors.ts";
import type { Payment } from "./payment-store.ts";

/** The fonts that every reader has lack the naira sign and the dotted letters of customers' names. */
const fonts = {
  regular: fileURLToPath(new URL("../../../../fonts/inter-ewebal-regular.ttf", import.meta.url)),
  bold: fileURLToPath(new URL("../../../../fonts/inter-ewebal-bold.ttf", import.meta.url)),
};

const INK = "#141D2B";
const MUTED = "#566275";
const BRAND = "#0B2352";
const RULE = "#DDE3ED";
const WARN = "#87480A";
const MARGIN_POINTS = 56;
/** Figures of one width, so that no kerning hides a decimal point. */
const FIGURES: PDFKit.Mixins.OpenTypeFeatures[] = ["tnum"];

/**
 * The receipt of a payment as PDF: one page, amounts to the kobo.
 *
 * @throws AppError `NOT_FOUND` for a payment that was not paid: there is nothing to confirm.
 */
export async function paymentReceipt({ brand }: Pick<Config, "brand">, payment: Payment): Promise<Buffer> {
  const { paidAt } = payment;
  if (paidAt === null) throw new AppError("NOT_FOUND");
  const document = new PdfDocument({
    size: "A4",
    margin: MARGIN_POINTS,
    info: { Title: `Receipt ${payment.reference}`, Author: brand.name, CreationDate: paidAt },
  });
  document.registerFont("regular", fonts.regular).registerFont("bold", fonts.bold);
  drawHead(document, brand, payment);
  drawRows(document, [
    ["Receipt for", payment.fullName],
    ["E-mail", payment.email],
    ["Paid on", lagosTime(paidAt)],
    ["Paid by", payment.channel === null ? "Card" : readable(payment.channel)],
    ["Reference", payment.reference],
  ]);
  document.moveDown(1.5);
  drawRows(document, amountRows(payment));
  drawTotal(document, payment);
  drawFoot(document, brand, payment);
  return await toBuffer(document);
}

type Document = InstanceType<typeof PdfDocument>;
type Row = readonly [name: string, value: string];

function amountRows({ units, totalKobo }: Payment): Row[] {
  return [
    ["SMS units", formatUnits(units * MILLI_PER_UNIT)],
    ["Price of the units", `₦${formatNaira(units * 100)}`],
    ["Transaction cost", `₦${formatNaira(totalKobo - units * 100)}`],
  ];
}

function drawHead(document: Document, brand: Brand, { isSandbox }: Payment): void {
  document.font("bold").fontSize(20).fillColor(BRAND).text(brand.name, { continued: true });
  document.font("regular").fillColor(MUTED).text(brand.suffix);
  document.fontSize(10).text(brand.address).moveDown(2);
  document.font("bold").fontSize(24).fillColor(INK).text("Receipt");
  if (isSandbox)
    document
      .font("bold")
      .fontSize(11)
      .fillColor(WARN)
      .text("Sandbox: no money has moved. This is no proof of payment.");
  document.moveDown(1);
}

function drawRows(document: Document, rows: readonly Row[]): void {
  for (const [name, value] of rows) drawRow(document, name, value, 11);
}

function drawRow(document: Document, name: string, value: string, size: number): void {
  const { left, right, width } = edges(document);
  const top = document.y;
  document.moveTo(left, top).lineTo(right, top).lineWidth(0.5).strokeColor(RULE).stroke();
  document
    .font("regular")
    .fontSize(size)
    .fillColor(MUTED)
    .text(name, left, top + 7, { width: width / 3 });
  document
    .font("regular")
    .fontSize(size)
    .fillColor(INK)
    .text(value, left + width / 3, top + 7, { width: (width * 2) / 3, align: "right", features: FIGURES });
  document.y = Math.max(document.y, top + 7 + size) + 7;
  document.x = left;
}

function drawTotal(document: Document, { totalKobo }: Payment): void {
  const { left, right, width } = edges(document);
  const top = document.y;
  document.moveTo(left, top).lineTo(right, top).lineWidth(1.5).strokeColor(BRAND).stroke();
  document
    .font("bold")
    .fontSize(14)
    .fillColor(INK)
    .text("Total paid", left, top + 10, { width: width / 3 });
  document.text(`₦${formatNaira(totalKobo)}`, left + width / 3, top + 10, {
    width: (width * 2) / 3,
    align: "right",
    features: FIGURES,
  });
  document.x = left;
}

function drawFoot(document: Document, brand: Brand, { state }: Payment): void {
  const { left, width } = edges(document);
  document.moveDown(2).font("regular").fontSize(10).fillColor(MUTED);
  if (state === "reversed" || state === "frozen") {
    document
      .text(
        "This payment was refunded or disputed after it was made. Your account shows its current state.",
        left,
        document.y,
        { width },
      )
      .moveDown(0.5);
  }
  const contacts = [...brand.phones, ...brand.emails].join("   ");
  document.text(`One unit is one naira of sending credit. Questions: ${contacts}`, left, document.y, { width });
}

function edges({ page }: Document): { left: number; right: number; width: number } {
  const { left, right } = page.margins;
  return { left, right: page.width - right, width: page.width - left - right };
}

/** `bank_transfer` is `Bank transfer`. */
function readable(channel: string): string {
  const words = channel.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function lagosTime(time: Date): string {
  return `${time.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "Africa/Lagos" })} (Lagos)`;
}

async function toBuffer(document: Document): Promise<Buffer> {
  const chunks: Buffer[] = [];
  document.end();
  for await (const chunk of document) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
