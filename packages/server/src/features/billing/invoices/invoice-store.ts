/** All SQL about invoices. */
import type { InvoiceKind } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";

export type Invoice = {
  userId: string;
  invoiceId: string;
  year: number;
  number: number;
  kind: InvoiceKind;
  reference: string;
  grossKobo: number;
  netKobo: number;
  vatKobo: number;
  /** Hundredths of a percent. */
  vatBasisPoints: number;
  unitsMilli: number;
  isSandbox: boolean;
  sellerName: string;
  sellerAddress: string;
  buyerName: string;
  buyerEmail: string;
  issuedAt: Date;
};

const COLUMNS = `user_id as "userId", invoice_id as "invoiceId", year, number, kind, reference, gross_kobo as "grossKobo",
  net_kobo as "netKobo", vat_kobo as "vatKobo", vat_basis_points as "vatBasisPoints", units_milli as "unitsMilli", is_sandbox as "isSandbox",
  seller_name as "sellerName", seller_address as "sellerAddress", buyer_name as "buyerName", buyer_email as "buyerEmail", issued_at as "issuedAt"`;

/** @returns the next number of the year; others who ask wait until the transaction ends, and get the same one when it is undone. */
export async function takeNumber(tx: Queryable, counter: "invoice" | "credit_note", year: number): Promise<number> {
  const { rows } = await tx.query<{ number: number }>(
    `insert into ${counter}_counter as own (year, last_number) values ($1, 1)
     on conflict (year) do update set last_number = own.last_number + 1 returning last_number as number`,
    [year],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`${counter}_counter came back without its row`);
  return row.number;
}

export async function insertInvoice(tx: Queryable, invoice: Invoice): Promise<void> {
  await tx.query(
    `insert into invoice (user_id, invoice_id, year, number, kind, reference, gross_kobo, net_kobo, vat_kobo, vat_basis_points, units_milli,
       is_sandbox, seller_name, seller_address, buyer_name, buyer_email, issued_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    [
      invoice.userId,
      invoice.invoiceId,
      invoice.year,
      invoice.number,
      invoice.kind,
      invoice.reference,
      invoice.grossKobo,
      invoice.netKobo,
      invoice.vatKobo,
      invoice.vatBasisPoints,
      invoice.unitsMilli,
      invoice.isSandbox,
      invoice.sellerName,
      invoice.sellerAddress,
      invoice.buyerName,
      invoice.buyerEmail,
      invoice.issuedAt,
    ],
  );
}

export type InvoicePlace = Pick<Invoice, "year" | "number">;

/** Newest first. `after` is the number that the last page ended with. */
export async function selectInvoices(
  db: Queryable,
  page: { userId: string; limit: number; after: InvoicePlace | undefined },
): Promise<Invoice[]> {
  const { rows } = await db.query<Invoice>(
    `select ${COLUMNS} from invoice where user_id = $1 and ($2::integer is null or (year, number) < ($2, $3))
     order by year desc, number desc limit $4`,
    [page.userId, page.after?.year ?? null, page.after?.number ?? null, page.limit],
  );
  return rows;
}

export async function findInvoice(
  db: Queryable,
  key: { userId: string; invoiceId: string },
): Promise<Invoice | undefined> {
  const { rows } = await db.query<Invoice>(`select ${COLUMNS} from invoice where user_id = $1 and invoice_id = $2`, [
    key.userId,
    key.invoiceId,
  ]);
  return rows[0];
}

export async function findInvoiceOf(
  db: Queryable,
  payment: { userId: string; kind: InvoiceKind; reference: string },
): Promise<Invoice | undefined> {
  const { rows } = await db.query<Invoice>(
    `select ${COLUMNS} from invoice where user_id = $1 and kind = $2 and reference = $3`,
    [payment.userId, payment.kind, payment.reference],
  );
  return rows[0];
}

/** The customer as an invoice names them. */
export async function findBuyer(db: Queryable, userId: string): Promise<{ fullName: string; email: string }> {
  const { rows } = await db.query<{ fullName: string; email: string }>(
    `select full_name as "fullName", email from app_user where user_id = $1`,
    [userId],
  );
  const [buyer] = rows;
  if (buyer === undefined) throw new Error("an invoice is for a customer who does not exist");
  return buyer;
}
