/** All SQL about corrections of invoices. */
import type { Queryable } from "../../../db/pool.ts";

export type CreditNote = {
  userId: string;
  creditNoteId: string;
  year: number;
  number: number;
  invoiceId: string;
  chargebackId: string;
  grossKobo: number;
  netKobo: number;
  vatKobo: number;
  issuedAt: Date;
};

const COLUMNS = `user_id as "userId", credit_note_id as "creditNoteId", year, number, invoice_id as "invoiceId", claim_id as "chargebackId",
  gross_kobo as "grossKobo", net_kobo as "netKobo", vat_kobo as "vatKobo", issued_at as "issuedAt"`;

export async function insertCreditNote(tx: Queryable, note: CreditNote): Promise<void> {
  await tx.query(
    `insert into credit_note (user_id, credit_note_id, year, number, invoice_id, claim_id, gross_kobo, net_kobo, vat_kobo, issued_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      note.userId,
      note.creditNoteId,
      note.year,
      note.number,
      note.invoiceId,
      note.chargebackId,
      note.grossKobo,
      note.netKobo,
      note.vatKobo,
      note.issuedAt,
    ],
  );
}

/** Oldest first. */
export async function selectCreditNotes(
  db: Queryable,
  { userId, invoiceIds }: { userId: string; invoiceIds: readonly string[] },
): Promise<CreditNote[]> {
  const { rows } = await db.query<CreditNote>(
    `select ${COLUMNS} from credit_note where user_id = $1 and invoice_id = any($2::uuid[]) order by year, number`,
    [userId, invoiceIds],
  );
  return rows;
}

export async function findCreditNote(
  db: Queryable,
  key: { userId: string; creditNoteId: string },
): Promise<CreditNote | undefined> {
  const { rows } = await db.query<CreditNote>(
    `select ${COLUMNS} from credit_note where user_id = $1 and credit_note_id = $2`,
    [key.userId, key.creditNoteId],
  );
  return rows[0];
}
