import { formatNaira, formatUnits } from "@ewebal/contract";
import type { Brand } from "@ewebal/contract";
import { drawHeading, drawNotes, drawRows, drawTotal, lagosTime, newDocument, toBuffer } from "../payments/pdf-page.ts";
import { creditNoteNumber, invoiceNumber, type CreditNote, type Invoice } from "./issue-invoice.ts";

/** An invoice as PDF: one page, amounts to the kobo, as it was issued. */
export async function invoiceDocument(brand: Brand, invoice: Invoice): Promise<Buffer> {
  const { issuedAt, netKobo, vatKobo, grossKobo, vatBasisPoints, unitsMilli, isSandbox } = invoice;
  const number = invoiceNumber(invoice);
  const document = await newDocument({ title: `Invoice ${number}`, author: invoice.sellerName, at: issuedAt });
  drawHeading(document, {
    title: `VAT invoice ${number}`,
    name: invoice.sellerName,
    address: invoice.sellerAddress,
    ...(isSandbox && { warning: "Sandbox: no money has moved. This is no invoice for the tax office." }),
  });
  drawRows(document, [
    ["Seller", `${invoice.sellerName}, ${invoice.sellerAddress}`],
    ["Buyer", invoice.buyerName],
    ["E-mail", invoice.buyerEmail],
    ["Issued on", lagosTime(issuedAt)],
    ["Paid by", PAID_BY[invoice.kind]],
    ["Reference", invoice.reference],
  ]);
  document.moveDown(1.5);
  drawRows(document, [
    ["SMS units", formatUnits(unitsMilli)],
    ["Net amount", `₦${formatNaira(netKobo)}`],
    [`VAT ${vatBasisPoints / 100} %`, `₦${formatNaira(vatKobo)}`],
  ]);
  drawTotal(document, "Total paid", `₦${formatNaira(grossKobo)}`);
  drawNotes(document, [`Paid in full. Questions: ${[...brand.phones, ...brand.emails].join("   ")}`]);
  return await toBuffer(document);
}

/** A credit note as PDF: what it takes back of which invoice. */
export async function creditNoteDocument(brand: Brand, invoice: Invoice, note: CreditNote): Promise<Buffer> {
  const { vatBasisPoints, isSandbox } = invoice;
  const number = creditNoteNumber(note);
  const document = await newDocument({ title: `Credit note ${number}`, author: invoice.sellerName, at: note.issuedAt });
  drawHeading(document, {
    title: `Credit note ${number}`,
    name: invoice.sellerName,
    address: invoice.sellerAddress,
    ...(isSandbox && { warning: "Sandbox: no money has moved. This is no credit note for the tax office." }),
  });
  drawRows(document, [
    ["Seller", `${invoice.sellerName}, ${invoice.sellerAddress}`],
    ["Buyer", invoice.buyerName],
    ["E-mail", invoice.buyerEmail],
    ["Issued on", lagosTime(note.issuedAt)],
    ["Corrects invoice", `${invoiceNumber(invoice)} of ${lagosTime(invoice.issuedAt)}`],
    ["Reference", invoice.reference],
  ]);
  document.moveDown(1.5);
  drawRows(document, [
    ["Net amount", `₦${formatNaira(note.netKobo)}`],
    [`VAT ${vatBasisPoints / 100} %`, `₦${formatNaira(note.vatKobo)}`],
  ]);
  drawTotal(document, "Total returned", `₦${formatNaira(note.grossKobo)}`);
  drawNotes(document, [`Questions: ${[...brand.phones, ...brand.emails].join("   ")}`]);
  return await toBuffer(document);
}

const PAID_BY = { card: "Card", deposit: "Bank deposit", transfer: "Bank transfer" } as const;
