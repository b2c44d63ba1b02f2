import { paymentReferenceSchema, type AdminPaymentAnswer, type ListQuery, type PaymentAnswer, type PaymentState } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import { fieldError } from "../../../errors.ts";
import { selectClaimsOf } from "./claims/claim-store.ts";
import { selectAllPayments, selectCustomerPayments, type Payment } from "./payment-store.ts";
import { presentPayment, presentPaymentToAdmin } from "./present-payment.ts";

type Page<Row> = { data: Row[]; next: string | null };

/** A customer's card payments, newest first. @throws AppError `VALIDATION` for a cursor that is none. */
export async function listPayments(db: Queryable, userId: string, query: ListQuery): Promise<Page<PaymentAnswer>> {
  // One more than asked tells whether there is a next page.
  const payments = await selectCustomerPayments(db, { userId, after: readCursor(query.after), limit: query.limit + 1 });
  const { shown, next } = cut(payments, query.limit);
  return { data: shown.map(presentPayment), next };
}

/** Everybody's, with their refunds and disputes, for administrators. */
export async function listAllPayments(db: Queryable, query: ListQuery & { state?: PaymentState | undefined }): Promise<Page<AdminPaymentAnswer>> {
  const payments = await selectAllPayments(db, { state: query.state, after: readCursor(query.after), limit: query.limit + 1 });
  const { shown, next } = cut(payments, query.limit);
  const claims = await selectClaimsOf(db, shown);
  const claimsOf = ({ userId, reference }: Payment) => claims.filter((claim) => claim.userId === userId && claim.reference === reference);
  return { data: shown.map((payment) => presentPaymentToAdmin(payment, claimsOf(payment))), next };
}

function cut(payments: Payment[], limit: number): { shown: Payment[]; next: string | null } {
  const shown = payments.slice(0, limit);
  return { shown, next: payments.length > limit ? (shown.at(-1)?.reference ?? null) : null };
}

/** A page starts behind the reference that the last one ended with. */
function readCursor(cursor: string | undefined): string | undefined {
  if (cursor !== undefined && !paymentReferenceSchema.safeParse(cursor).success) throw fieldError("after", "is not a cursor of this list");
  return cursor;
}
