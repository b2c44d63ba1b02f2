import { unitsForJson, type DepositAnswer, type DepositReview } from "@ewebal/contract";
import type { Deposit, DepositDouble } from "./deposit-store.ts";
import type { SubmittedDeposit } from "./submit-deposit.ts";

const KOBO_PER_NAIRA = 100;

/** What the customer is told. */
export function presentDeposit(deposit: Deposit): DepositAnswer {
  return {
    _id: deposit.depositId,
    userID: deposit.userId,
    depositorName: deposit.depositorName,
    amountDeposited: deposit.amountKobo / KOBO_PER_NAIRA,
    phoneNo: deposit.phoneNo,
    tellerId: deposit.tellerId,
    transactionDate: deposit.transactionDate,
    bankDeposited: deposit.bank,
    image: `/api/receipts/${deposit.depositId}`,
    receiptType: deposit.extension === "pdf" ? "pdf" : "image",
    verified: deposit.state === "verified",
    declined: deposit.state === "declined",
    withdrawn: deposit.state === "withdrawn",
    creditedUnits: deposit.creditedMilli === null ? null : unitsForJson(deposit.creditedMilli),
    reason: deposit.reason,
    createdAt: deposit.createdAt.toISOString(),
    decidedAt: deposit.decidedAt?.toISOString() ?? null,
  };
}

/** What administrators are told; `doubles` only where they were read. */
export function presentDepositForAdmin(deposit: Deposit, doubles?: readonly DepositDouble[]): DepositAnswer {
  const review: DepositReview = {
    userName: deposit.userName,
    email: deposit.email,
    flagged: deposit.isFlagged,
    proposal: presentProposal(deposit),
    hidden: deposit.hiddenAt !== null,
    decidedBy: deposit.decidedByName ?? "",
    ...(doubles && { doubles: doubles.map(presentDouble) }),
  };
  return { ...presentDeposit(deposit), review };
}

function presentProposal(deposit: Deposit): DepositReview["proposal"] {
  const { approvalId, proposedUnits, proposedBy, proposedByName, proposedAt } = deposit;
  if (approvalId === null || proposedUnits === null || proposedBy === null || proposedAt === null) return null;
  return {
    _id: approvalId,
    units: proposedUnits,
    adminID: proposedBy,
    adminName: proposedByName ?? "",
    createdAt: proposedAt.toISOString(),
  };
}

function presentDouble(double: DepositDouble): NonNullable<DepositReview["doubles"]>[number] {
  const same: ("receipt" | "tellerId")[] = [];
  if (double.isSameReceipt) same.push("receipt");
  if (double.isSameTeller) same.push("tellerId");
  return {
    _id: double.depositId,
    userID: double.userId,
    userName: double.userName,
    state: double.state,
    same,
    createdAt: double.createdAt.toISOString(),
  };
}

export function presentSubmission({ depositId }: SubmittedDeposit): { message: string; data: { _id: string } } {
  return {
    message: "Your deposit was submitted. A mail was sent to management, who verify it",
    data: { _id: depositId },
  };
}
