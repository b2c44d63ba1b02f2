/** Approvals: what one administrator asked for and a second one has to agree to. The features that ask say how it takes effect. */
export {
  type Approval,
  countWaitingApprovals,
  type Decider,
  findDecider,
  selectWaitingApprovals,
} from "./approval-store.ts";
export { askApproval, getAdmin, isOneself, lapseApprovals, mayDecide } from "./ask-approval.ts";
export type { ApprovalKind, ApprovalKinds } from "./decide-approval.ts";
export { approvalRoutes } from "./routes.ts";
