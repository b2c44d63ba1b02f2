import { unitsForJson, type DepositAnswer, type DepositReview } from "@ewebal/contract";
import { type KeptAnswers, keptIdOf } from "../../../db/idempotency.ts";
import type { Deposit, DepositDuplicate } from "./deposit-store.ts";
import type { CreditOutcome } from "./decide-deposit.ts";
import type { ViewedDeposit, Viewer } from "./view-deposits.ts";

const KOBO_PER_NAIRA = 100;

/** What the customer is told. */
function presentDeposit(deposit: Deposit): DepositAnswer {
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

/** @param duplicates undefined in lists, which do not read them. */
function presentDepositForAdmin(deposit: Deposit, duplicates?: readonly DepositDuplicate[]): DepositAnswer {
  const review: DepositReview = {
    userName: deposit.userName,
    email: deposit.email,
    flagged: deposit.isFlagged,
    proposal: presentProposal(deposit),
    hidden: deposit.hiddenAt !== null,
    decidedBy: deposit.decidedByName ?? "",
    ...(duplicates && { doubles: duplicates.map(presentDuplicate) }),
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

function presentDuplicate(duplicate: DepositDuplicate): NonNullable<DepositReview["doubles"]>[number] {
  const same: ("receipt" | "tellerId")[] = [];
  if (duplicate.isSameReceipt) same.push("receipt");
  if (duplicate.isSameTeller) same.push("tellerId");
  return {
    _id: duplicate.depositId,
    userID: duplicate.userId,
    userName: duplicate.userName,
    state: duplicate.state,
    same,
    createdAt: duplicate.createdAt.toISOString(),
  };
}

export type SubmittedDeposit = { depositId: string };

export function presentSubmission({ depositId }: SubmittedDeposit) {
  const message = "Your deposit was submitted. A mail was sent to management, who verify it";
  return { status: 201 as const, body: { message, data: { _id: depositId } } };
}

export const keptSubmissions: KeptAnswers<SubmittedDeposit> = {
  write: presentSubmission,
  read: (answer) => ({ depositId: keptIdOf(answer) }),
};

export function presentListed({ kind }: Viewer): (deposit: Deposit) => DepositAnswer {
  return kind === "admin" ? (deposit) => presentDepositForAdmin(deposit) : presentDeposit;
}

export function presentViewed({ kind }: Viewer, { deposit, duplicates }: ViewedDeposit): DepositAnswer {
  return kind === "admin" ? presentDepositForAdmin(deposit, duplicates) : presentDeposit(deposit);
}

export function presentCredit(viewer: Viewer, outcome: CreditOutcome) {
  if (outcome.kind === "waiting") {
    const message = "This credit waits for a second administrator";
    return { status: 202 as const, body: { message, data: { _id: outcome.approvalId } } };
  }
  const message = `${outcome.deposit.userName} was credited with ${outcome.units} units. A mail was sent`;
  return { status: 200 as const, body: { message, data: presentViewed(viewer, outcome) } };
}
