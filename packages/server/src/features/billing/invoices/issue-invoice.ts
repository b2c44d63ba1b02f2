/**
 * Invoices: one for each payment, in the transaction that credits it. What a customer pays holds the VAT; the net amount is rounded half up to the kobo
 * and the VAT is the rest, so that the two always add up to what was paid.
 */
import type { InvoiceKind, ListQuery } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { cursorError, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import { findCreditNote, insertCreditNote, selectCreditNotes, type CreditNote } from "./credit-note-store.ts";
import {
  findBuyer,
  findInvoice,
  findInvoiceOf,
  insertInvoice,
  selectInvoices,
  takeNumber,
  type Invoice,
  type InvoicePlace,
} from "./invoice-store.ts";

const BASIS_POINTS = 10_000;
const yearFormat = new Intl.DateTimeFormat("en-CA", { timeZone: "Africa/Lagos", year: "numeric" });

/** @returns the net amount and the VAT of a gross one, in kobo; their sum is the gross one. */
export function splitVat(grossKobo: number, vatBasisPoints: number): { netKobo: number; vatKobo: number } {
  const divisor = BASIS_POINTS + vatBasisPoints;
  // In whole numbers: a product beyond 2^53 would be rounded.
  const netKobo = Number((BigInt(grossKobo) * BigInt(BASIS_POINTS * 2) + BigInt(divisor)) / BigInt(divisor * 2));
  return { netKobo, vatKobo: grossKobo - netKobo };
}

export type { CreditNote, Invoice };

/** With what corrects it, oldest first. */
export type CorrectedInvoice = Invoice & { corrections: CreditNote[] };

export type InvoicedPayment = {
  userId: string;
  kind: InvoiceKind;
  reference: string;
  grossKobo: number;
  unitsMilli: number;
  isSandbox?: boolean;
};

/**
 * @param tx the transaction that credits the payment; the year's counter stays locked until it ends, behind the customer's account.
 * @returns the invoice as it is stored.
 */
export async function issueInvoice(
  { config, clock }: Pick<Deps, "config" | "clock">,
  tx: Tx,
  { userId, kind, reference, grossKobo, unitsMilli, isSandbox = false }: InvoicedPayment,
): Promise<Invoice> {
  const issuedAt = clock.now();
  const year = Number(yearFormat.format(issuedAt));
  const buyer = await findBuyer(tx, userId);
  const vatBasisPoints = config.vatBasisPoints;
  const invoice: Invoice = {
    userId,
    kind,
    reference,
    grossKobo,
    unitsMilli,
    isSandbox,
    vatBasisPoints,
    issuedAt,
    year,
    ...splitVat(grossKobo, vatBasisPoints),
    invoiceId: uuidv7({ msecs: issuedAt.getTime() }),
    number: await takeNumber(tx, "invoice", year),
    sellerName: `${config.brand.name}${config.brand.suffix}`,
    sellerAddress: config.brand.address,
    buyerName: buyer.fullName,
    buyerEmail: buyer.email,
  };
  await insertInvoice(tx, invoice);
  return invoice;
}

/**
 * Corrects a payment's invoice after money of it went back. All corrections of an invoice together are no more than the invoice: what is refunded and
 * disputed at once went back once. The net amount is that of everything corrected so far less what was corrected before, so that a payment which went
 * back in parts is corrected to the kobo.
 *
 * @param tx the transaction that upholds the refund or dispute; the payment is locked. The year's counter stays locked until it ends.
 * @returns undefined when nothing is left to correct, when this refund or dispute did so before, and for a payment from before there were invoices.
 */
export async function issueCreditNote(
  { clock }: Pick<Deps, "clock">,
  tx: Tx,
  refund: { userId: string; reference: string; chargebackId: string; amountKobo: number },
): Promise<CreditNote | undefined> {
  const { userId, reference, chargebackId } = refund;
  const invoice = await findInvoiceOf(tx, { userId, kind: "card", reference });
  if (invoice === undefined) return undefined;
  const { invoiceId, vatBasisPoints } = invoice;
  const earlier = await selectCreditNotes(tx, { userId, invoiceIds: [invoiceId] });
  const correctedKobo = earlier.reduce((sum, { grossKobo }) => sum + grossKobo, 0);
  const correctedNetKobo = earlier.reduce((sum, { netKobo }) => sum + netKobo, 0);
  const grossKobo = Math.min(refund.amountKobo, invoice.grossKobo - correctedKobo);
  if (grossKobo <= 0 || earlier.some((note) => note.chargebackId === chargebackId)) return undefined;
  const netKobo = splitVat(correctedKobo + grossKobo, vatBasisPoints).netKobo - correctedNetKobo;
  const issuedAt = clock.now();
  const year = Number(yearFormat.format(issuedAt));
  const note: CreditNote = {
    userId,
    invoiceId,
    chargebackId,
    grossKobo,
    netKobo,
    year,
    issuedAt,
    vatKobo: grossKobo - netKobo,
    creditNoteId: uuidv7({ msecs: issuedAt.getTime() }),
    number: await takeNumber(tx, "credit_note", year),
  };
  await insertCreditNote(tx, note);
  return note;
}

/** `CN-2026-000001` */
export function creditNoteNumber(note: Pick<CreditNote, "year" | "number">): string {
  return `CN-${invoiceNumber(note)}`;
}

/** `2026-000001` */
export function invoiceNumber({ year, number }: Pick<Invoice, "year" | "number">): string {
  return `${year}-${String(number).padStart(6, "0")}`;
}

/** A customer's invoices, newest first. @throws AppError `VALIDATION` for a cursor that is none. */
export async function listInvoices(
  db: Queryable,
  userId: string,
  query: ListQuery,
): Promise<{ rows: CorrectedInvoice[]; next: string | null }> {
  const after = query.after === undefined ? undefined : readPlace(query.after);
  const read = async (limit: number) => await selectInvoices(db, { userId, limit, after });
  const { rows, next } = await readPage(query.limit, read, invoiceNumber);
  const notes = await selectCreditNotes(db, { userId, invoiceIds: rows.map(({ invoiceId }) => invoiceId) });
  const correctionsOf = ({ invoiceId }: Invoice) => notes.filter((note) => note.invoiceId === invoiceId);
  return { rows: rows.map((invoice) => ({ ...invoice, corrections: correctionsOf(invoice) })), next };
}

function readPlace(cursor: string): InvoicePlace {
  const [, year, number] = /^(2[0-9]{3})-([0-9]{6,9})$/.exec(cursor) ?? [];
  if (year === undefined || number === undefined) throw cursorError();
  return { year: Number(year), number: Number(number) };
}

/**
 * @param key invoiceId: of the invoice, or of a credit note.
 * @returns the note only when it was asked for.
 * @throws AppError `NOT_FOUND`, also for another customer's.
 */
export async function getInvoice(
  db: Queryable,
  { userId, invoiceId }: { userId: string; invoiceId: string },
): Promise<{ invoice: Invoice; note: CreditNote | undefined }> {
  const note = await findCreditNote(db, { userId, creditNoteId: invoiceId });
  const invoice = await findInvoice(db, { userId, invoiceId: note?.invoiceId ?? invoiceId });
  if (invoice === undefined) throw new AppError("NOT_FOUND");
  return { invoice, note };
}
