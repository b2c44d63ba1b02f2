/** How a page that confirms a payment is drawn: receipts and invoices look alike. */
import { fileURLToPath } from "node:url";
import type PdfDocument from "pdfkit";

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

export type Document = InstanceType<typeof PdfDocument>;
export type Row = readonly [name: string, value: string];

type Facts = { title: string; author: string; at: Date };

export async function newDocument({ title, author, at }: Facts): Promise<Document> {
  // Loaded with the first document: 60 modules that no start has to wait for.
  const { default: PdfDocument } = await import("pdfkit");
  const document = new PdfDocument({
    size: "A4",
    margin: MARGIN_POINTS,
    info: { Title: title, Author: author, CreationDate: at },
  });
  return document.registerFont("regular", fonts.regular).registerFont("bold", fonts.bold);
}

type Heading = { title: string; name: string; suffix?: string; address: string; warning?: string };

export function drawHeading(document: Document, { title, name, suffix, address, warning }: Heading): void {
  document
    .font("bold")
    .fontSize(20)
    .fillColor(BRAND)
    .text(name, { continued: suffix !== undefined });
  if (suffix !== undefined) document.font("regular").fillColor(MUTED).text(suffix);
  document.font("regular").fillColor(MUTED).fontSize(10).text(address).moveDown(2);
  document.font("bold").fontSize(24).fillColor(INK).text(title);
  if (warning !== undefined) document.font("bold").fontSize(11).fillColor(WARN).text(warning);
  document.moveDown(1);
}

export function drawRows(document: Document, rows: readonly Row[]): void {
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

export function drawTotal(document: Document, name: string, value: string): void {
  const { left, right, width } = edges(document);
  const top = document.y;
  document.moveTo(left, top).lineTo(right, top).lineWidth(1.5).strokeColor(BRAND).stroke();
  document
    .font("bold")
    .fontSize(14)
    .fillColor(INK)
    .text(name, left, top + 10, { width: width / 3 });
  document.text(value, left + width / 3, top + 10, { width: (width * 2) / 3, align: "right", features: FIGURES });
  document.x = left;
}

/** The sentences at the end, one below the other. */
export function drawNotes(document: Document, notes: readonly string[]): void {
  const { left, width } = edges(document);
  document.moveDown(2).font("regular").fontSize(10).fillColor(MUTED);
  for (const note of notes) document.text(note, left, document.y, { width }).moveDown(0.5);
}

function edges({ page }: Document): { left: number; right: number; width: number } {
  const { left, right } = page.margins;
  return { left, right: page.width - right, width: page.width - left - right };
}

export function lagosTime(time: Date): string {
  return `${time.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "Africa/Lagos" })} (Lagos)`;
}

export async function toBuffer(document: Document): Promise<Buffer> {
  const chunks: Buffer[] = [];
  document.end();
  for await (const chunk of document) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
