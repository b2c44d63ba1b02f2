import type { DepositAnswer, DepositReview } from "@ewebal/contract";
import { userId } from "./fake-server.ts";

/** A deposit that waits, as its customer reads it. */
export function depositOf(fields: Partial<DepositAnswer> = {}): DepositAnswer {
  const _id = fields._id ?? "01900000-0000-7000-8000-0000000000d1";
  return {
    _id,
    userID: userId,
    depositorName: "Ada Example",
    amountDeposited: 10_000,
    phoneNo: "8031234567",
    tellerId: "TRF-0001",
    transactionDate: "2026-03-05",
    bankDeposited: "Example Microfinance Bank",
    image: `/api/receipts/${_id}`,
    receiptType: "image",
    verified: false,
    declined: false,
    withdrawn: false,
    creditedUnits: null,
    reason: "",
    createdAt: new Date(Date.now() - 5 * 60_000).toISOString(),
    decidedAt: null,
    ...fields,
  };
}

/** What administrators are told beside it. */
export function reviewOf(fields: Partial<DepositReview> = {}): DepositReview {
  return {
    userName: "ada",
    email: "ada@gmail.com",
    flagged: false,
    doubles: [],
    proposal: null,
    hidden: false,
    decidedBy: "",
    ...fields,
  };
}
