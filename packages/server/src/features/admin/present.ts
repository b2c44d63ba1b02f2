import type { AdminAnswer } from "@ewebal/contract";
import type { Admin } from "./admin-store.ts";
import type { CreditOutcome } from "./credit/credit-user.ts";

export function presentAdmin(admin: Admin): AdminAnswer {
  return {
    _id: admin.adminId,
    adminName: admin.adminName,
    adminFullName: admin.adminFullName,
    email: admin.email,
    contact: admin.contact,
    role: admin.role,
    createdAt: admin.createdAt.toISOString(),
    updatedAt: admin.updatedAt.toISOString(),
  };
}

type CreditedAnswer = { message: string; data: { units: number } };
type WaitingAnswer = { message: string; data: { _id: string } };

export function presentCredit(
  outcome: CreditOutcome,
): { status: 200; body: CreditedAnswer } | { status: 202; body: WaitingAnswer } {
  if (outcome.kind === "credited")
    return { status: 200, body: { message: outcome.message, data: { units: outcome.availableUnits } } };
  const message = "This credit waits for a second administrator";
  return { status: 202, body: { message, data: { _id: outcome.approvalId } } };
}
