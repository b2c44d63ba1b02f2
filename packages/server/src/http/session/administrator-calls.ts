/**
 * Which administrator may make which call: the one table. A guard refuses what is not in it, and a test walks every row with
 * every role. Customers' own calls are not in it; what an administrator reads of a customer is.
 */
import type { AdminRole } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import { AppError } from "../../base/errors.ts";

/** @property textsFor who sees message texts in the answer; for the other roles they are left empty. Absent: there are none. */
export type Permission = { roles: readonly AdminRole[]; textsFor?: readonly AdminRole[] };

const everybody: Permission = { roles: ["owner", "admin", "finance", "support", "viewer"] };
const owners: Permission = { roles: ["owner"] };
/** What the specification lets administrators do, and what is theirs beyond it. */
const full: Permission = { roles: ["owner", "admin"] };
const money: Permission = { roles: ["owner", "admin", "finance"] };
const senderNames: Permission = { roles: ["owner", "admin", "support"] };
/** Money is read by everybody; the rest is no business of finance. */
const reading: Permission = { roles: ["owner", "admin", "support", "viewer"] };
const messages: Permission = { ...reading, textsFor: full.roles };
const receipts: Permission = { roles: ["owner", "admin", "finance", "support"] };
const auditing: Permission = { roles: ["owner", "admin", "viewer"] };

export const administratorCalls: Readonly<Record<string, Permission>> = {
  // One's own account.
  "GET /api/:adminId/view-one-admin": everybody,
  "PATCH /api/:adminId/update-admin-profile": everybody,
  "POST /api/:adminId/switch-to-user": everybody,
  "POST /api/:adminId/act-for": full,
  "PATCH /api/:id/change-user-password": everybody,
  "POST /api/:id/sign-out": everybody,
  "PATCH /api/:id/login-status-false": everybody,
  "GET /api/:id/sessions": everybody,
  "DELETE /api/:id/:sessionId/end-session": everybody,
  "POST /api/:id/end-other-sessions": everybody,
  "GET /api/:id/two-factor": everybody,
  "POST /api/:id/start-two-factor": everybody,
  "POST /api/:id/confirm-two-factor": everybody,
  "DELETE /api/:id/two-factor": everybody,
  "POST /api/:id/start-passkey": everybody,
  "POST /api/:id/finish-passkey": everybody,
  "GET /api/:id/passkeys": everybody,
  "DELETE /api/:id/:passkeyId/passkey": everybody,
  "PATCH /api/:adminId/:otherId/turn-off-two-factor": owners,
  "GET /api/events": everybody,

  "GET /api/view-admins": owners,
  "PATCH /api/:adminId/:otherId/approve-admin": owners,
  "PATCH /api/:adminId/:otherId/block-admin": owners,
  "PATCH /api/:adminId/:otherId/unblock-admin": owners,
  "PATCH /api/:adminId/:otherId/set-admin-role": owners,
  "DELETE /api/:adminId/:otherId/remove-admin": owners,
  "POST /api/:adminId/invite-admin": owners,

  "GET /api/view-overview": everybody,
  "GET /api/view-sending": everybody,
  "GET /api/view-waiting": everybody,
  "GET /api/view-waiting-counts": everybody,
  "GET /api/view-overview-charts": everybody,
  "GET /api/view-general-announcement": everybody,
  "POST /api/:adminId/make-general-announcement": full,
  "PATCH /api/:adminId/:announcementId/edit-general-announcement": full,
  "DELETE /api/:adminId/:announcementId/clear-general-announcement": full,
  "GET /api/view-audit-entries": auditing,
  "GET /api/view-audit-state": auditing,

  // What waits for a second administrator; `approvalDeciders` says more.
  "GET /api/view-approvals": everybody,
  "PATCH /api/:adminId/:approvalId/approve": receipts,
  "PATCH /api/:adminId/:approvalId/decline": receipts,

  // Customers.
  "GET /api/view-all-users": everybody,
  "GET /api/:userId/view-one-user": everybody,
  "PATCH /api/:userId/update-user": full,
  "PATCH /api/:userId/block-user": full,
  "PATCH /api/:userId/unblock-user": full,
  "PATCH /api/:userId/approve-user": full,
  "PATCH /api/:userId/unapprove-user": full,
  "PATCH /api/:userId/turn-off-two-factor": full,
  "PATCH /api/:adminId/erase-number": full,
  "GET /api/view-api-keys": reading,
  "DELETE /api/:adminId/:keyId/revoke-user-api-key": full,
  "GET /api/:userId/daily-limits": reading,
  "PATCH /api/:adminId/set-daily-limit": full,
  "PATCH /api/:adminId/set-call-limit": full,
  "PATCH /api/:adminId/allow-transactional": full,

  // Money.
  "PATCH /api/:adminId/credit-a-user": money,
  "GET /api/view-all-transactions": everybody,
  "GET /api/:userId/user-transfer-details": everybody,
  "GET /api/:transferId/view-one-transaction": everybody,
  "GET /api/receipts/:transferId": receipts,
  "PATCH /api/:userId/:transferId/:adminId/credit-user": money,
  "PATCH /api/:userId/:transferId/:adminId/declined-transaction": money,
  "GET /api/:userId/statement": everybody,
  "GET /api/:userId/balance-by-day": everybody,
  "GET /api/view-all-payments": everybody,
  "GET /api/:userId/payments": everybody,
  "GET /api/:userId/:reference/view-one-payment": everybody,
  "GET /api/:userId/:reference/payment-receipt": receipts,
  "GET /api/:userId/invoices": everybody,
  "GET /api/:userId/:invoiceId/invoice": receipts,
  "GET /api/view-rates": everybody,
  "GET /api/view-rate-edits": everybody,
  "GET /api/:userId/view-customer-prices": everybody,
  "PATCH /api/:adminId/set-customer-price": money,
  "GET /api/view-tiers": everybody,
  "PATCH /api/:adminId/set-tiers": money,
  "GET /api/view-carrier-costs": everybody,
  "PATCH /api/:adminId/:carrierId/set-carrier-cost": money,
  "GET /api/view-margin": money,
  "PATCH /api/:adminId/edit-rate": money,
  "DELETE /api/:adminId/:rateEditId/withdraw-rate": money,

  // Messages.
  "GET /api/view-all-sms-messages": messages,
  "GET /api/view-all-drafts": messages,
  "GET /api/:messageId/view-any-sms": messages,
  "GET /api/:draftId/view-any-draft": messages,
  "GET /api/:userId/populate-sms-history": messages,
  "GET /api/:userId/:messageId/view-one-sms": messages,
  "GET /api/:userId/:messageId/recipients": messages,
  "GET /api/:userId/populate-drafts": messages,
  "GET /api/:userId/:draftId/view-one-draft": messages,
  "GET /api/:userId/populate-scheduled-sms": messages,
  "GET /api/:userId/:messageId/view-scheduled-sms": messages,
  "GET /api/view-held-messages": messages,
  "GET /api/view-reviews": messages,
  "GET /api/view-unassigned-inbound": messages,
  "GET /api/view-numbers": reading,
  "POST /api/:adminId/assign-number": full,
  "DELETE /api/:adminId/:numberId/unassign-number": full,
  "PATCH /api/:adminId/:messageId/release-message": full,
  "PATCH /api/:adminId/:messageId/refuse-message": full,
  "GET /api/virtual-phones": full,
  "GET /api/virtual-phones/:phoneNo": full,

  // Sender names and addresses.
  "GET /api/view-whitelist-requests": reading,
  "GET /api/:userId/whitelists": reading,
  "PATCH /api/:requestId/approve-whitelist-request": senderNames,
  "PATCH /api/:requestId/decline-whitelist-request": senderNames,
  "PATCH /api/:adminId/whitelist-user-senderID": senderNames,

  // Sending.
  "GET /api/view-content-rules": reading,
  "POST /api/:adminId/add-content-rule": full,
  "PATCH /api/:adminId/:ruleId/edit-content-rule": full,
  "DELETE /api/:adminId/:ruleId/remove-content-rule": full,
  "GET /api/view-alarms": reading,
  "PATCH /api/:adminId/:alarmId/silence-alarm": full,
  "GET /api/view-quiet-hours": reading,
  "GET /api/view-deferred": reading,
  "POST /api/:adminId/set-quiet-hours": full,
  "DELETE /api/:adminId/:quietHoursId/remove-quiet-hours": full,
  "GET /api/view-dnd-numbers": reading,
  "POST /api/:adminId/add-dnd-numbers": full,
  "DELETE /api/:adminId/remove-dnd-numbers": full,
  "GET /api/view-carriers": reading,
  "POST /api/:adminId/add-carrier": full,
  "PATCH /api/:adminId/:carrierId/edit-carrier": full,
  "PATCH /api/:adminId/:carrierId/switch-carrier": full,
  "DELETE /api/:adminId/:carrierId/remove-carrier": full,
  "POST /api/:adminId/test-carrier": full,
};

/** Who decides what waits, by its kind. */
export const approvalDeciders: Readonly<Record<string, readonly AdminRole[]>> = {
  credit: money.roles,
  deposit: money.roles,
  sender: senderNames.roles,
  role: owners.roles,
};

/** @returns undefined for a call that is not the administrators'. HEAD is judged as its GET. */
export function permissionOf(request: Pick<FastifyRequest, "method" | "routeOptions">): Permission | undefined {
  return administratorCalls[`${request.method === "HEAD" ? "GET" : request.method} ${request.routeOptions.url}`];
}

/** An `onRequest` hook of every route: an administrator makes no call that the table does not give to their role. */
export async function refuseByRole(request: FastifyRequest): Promise<void> {
  const session = request.session ?? request.sessionInSetUp;
  if (session?.role === undefined) return;
  const permission = permissionOf(request);
  if (permission === undefined) return;
  if (!permission.roles.includes(session.role)) throw new AppError("FORBIDDEN");
  // Searching finds texts letter by letter, and a file holds them.
  const { search, format } = request.query as Record<string, unknown>;
  if (permission.textsFor?.includes(session.role) === false && (Boolean(search) || format !== undefined)) {
    throw new AppError("FORBIDDEN", {
      message: "Your role does not read message texts, so it cannot search or export them",
    });
  }
}

/** A `preSerialization` hook of every route: takes message texts out of an answer to a role that does not read them. */
export async function hideTexts(request: FastifyRequest, _reply: unknown, payload: unknown): Promise<unknown> {
  const role = request.session?.role;
  const textsFor = permissionOf(request)?.textsFor;
  if (role === undefined || textsFor === undefined || textsFor.includes(role)) return payload;
  const answer = payload as { data?: unknown };
  if (answer.data === undefined) return payload;
  return { ...answer, data: Array.isArray(answer.data) ? answer.data.map(withoutText) : withoutText(answer.data) };
}

/** Messages, drafts and scheduled messages carry their text as `message`, those from phones as `text`. */
function withoutText(item: unknown): unknown {
  return { ...(item as object), message: "", text: "" };
}
