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
import {
  findBuyer,
  findInvoice,
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

export type { Invoice };

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
    number: await takeNumber(tx, year),
    sellerName: `${config.brand.name}${config.brand.suffix}`,
    sellerAddress: config.brand.address,
    buyerName: buyer.fullName,
    buyerEmail: buyer.email,
  };
  await insertInvoice(tx, invoice);
  return invoice;
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
): Promise<{ rows: Invoice[]; next: string | null }> {
  const after = query.after === undefined ? undefined : readPlace(query.after);
  return await readPage(query.limit, (limit) => selectInvoices(db, { userId, limit, after }), invoiceNumber);
}

function readPlace(cursor: string): InvoicePlace {
  const [, year, number] = /^(2[0-9]{3})-([0-9]{6,9})$/.exec(cursor) ?? [];
  if (year === undefined || number === undefined) throw cursorError();
  return { year: Number(year), number: Number(number) };
}

/** @throws AppError `NOT_FOUND`, also for another customer's. */
export async function getInvoice(db: Queryable, key: { userId: string; invoiceId: string }): Promise<Invoice> {
  const invoice = await findInvoice(db, key);
  if (invoice === undefined) throw new AppError("NOT_FOUND");
  return invoice;
}
