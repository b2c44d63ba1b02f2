import { paymentReferenceSchema, type ListQuery, type PaymentState } from "@ewebal/contract";
import { cursorError, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { type Chargeback, selectChargebacksOf } from "./chargebacks/chargeback-store.ts";
import { selectAllPayments, selectCustomerPayments, type Payment } from "./payment-store.ts";

type Page<Row> = { rows: Row[]; next: string | null };

/** A customer's card payments, newest first. @throws AppError `VALIDATION` for a cursor that is none. */
export async function listPayments(db: Queryable, userId: string, query: ListQuery): Promise<Page<Payment>> {
  const after = readCursor(query.after);
  return await readPage(query.limit, (limit) => selectCustomerPayments(db, { userId, after, limit }), referenceOf);
}

export type ContestedPayment = { payment: Payment; chargebacks: Chargeback[] };

/** Everybody's, with their refunds and disputes, for administrators. */
export async function listAllPayments(
  db: Queryable,
  query: ListQuery & { state?: PaymentState | undefined },
): Promise<Page<ContestedPayment>> {
  const after = readCursor(query.after);
  const { rows, next } = await readPage(
    query.limit,
    (limit) => selectAllPayments(db, { state: query.state, after, limit }),
    referenceOf,
  );
  const chargebacks = await selectChargebacksOf(db, rows);
  const chargebacksOf = ({ userId, reference }: Payment) =>
    chargebacks.filter((chargeback) => chargeback.userId === userId && chargeback.reference === reference);
  return { rows: rows.map((payment) => ({ payment, chargebacks: chargebacksOf(payment) })), next };
}

function referenceOf({ reference }: Payment): string {
  return reference;
}

/** A page starts behind the reference that the last one ended with. */
function readCursor(cursor: string | undefined): string | undefined {
  if (cursor !== undefined && !paymentReferenceSchema.safeParse(cursor).success) throw cursorError();
  return cursor;
}
