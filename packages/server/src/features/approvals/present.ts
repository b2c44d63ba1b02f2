import type { ApprovalAnswer } from "@ewebal/contract";
import type { ListedApproval } from "./decide-approval.ts";

export function presentApproval(approval: ListedApproval): ApprovalAnswer {
  const { approvalId, kind, askedByName, askedByEmail, what, mayDecide, createdAt } = approval;
  const by = `${askedByName}, ${askedByEmail}`;
  return { _id: approvalId, kind, by, what, mayDecide, createdAt: createdAt.toISOString() };
}
