/** Messages, drafts, scheduled messages and whitelists of a customer. */
import type { codeResultSchemas } from "../schemas/verifications.ts";
import type { templateSchemas } from "../schemas/templates.ts";
import type { draftSchemas } from "../schemas/drafts.ts";
import type { messageSchemas } from "../schemas/messages.ts";
import type { inboxSchemas } from "../schemas/inbox.ts";
import type { optOutSchemas } from "../schemas/opt-outs.ts";
import type { resultSchemas } from "../schemas/results.ts";
import type { scheduledSchemas } from "../schemas/scheduled.ts";
import type { whitelistSchemas } from "../schemas/whitelists.ts";
import type { Calls } from "./call.ts";

/** A 503 that says `dnd` is a success which skipped DND numbers; any other means that the server is overloaded. */
function isSentWithDnd(status: number, answer: unknown): boolean {
  return status === 503 && typeof answer === "object" && answer !== null && "dnd" in answer && answer.dnd === true;
}

export const messageCalls: Calls<typeof messageSchemas> = {
  sendBulkSms: { method: "POST", url: "/api/:userId/send-bulk-sms", leastRole: "sender", isAnswer: isSentWithDnd },
  sendTest: { method: "POST", url: "/api/:userId/send-test", leastRole: "sender", isAnswer: isSentWithDnd },
  populateSmsHistory: { method: "GET", url: "/api/:userId/populate-sms-history", leastRole: "viewer" },
  viewAllSmsMessages: { method: "GET", url: "/api/view-all-sms-messages" },
  viewSmsDays: { method: "GET", url: "/api/:userId/view-sms-days", leastRole: "viewer" },
  resendFailed: {
    method: "POST",
    url: "/api/:userId/:messageId/resend-failed",
    leastRole: "sender",
    isAnswer: isSentWithDnd,
  },
  viewOneSms: { method: "GET", url: "/api/:userId/:messageId/view-one-sms", leastRole: "viewer" },
  viewBreakdown: { method: "GET", url: "/api/:userId/:messageId/view-breakdown", leastRole: "viewer" },
  recipients: { method: "GET", url: "/api/:userId/:messageId/recipients", leastRole: "viewer" },
  recipientValues: { method: "GET", url: "/api/:userId/:messageId/recipient-values", leastRole: "viewer" },
  pause: { method: "POST", url: "/api/:userId/:messageId/pause", leastRole: "sender" },
  resume: { method: "POST", url: "/api/:userId/:messageId/resume", leastRole: "sender" },
  cancel: { method: "POST", url: "/api/:userId/:messageId/cancel", leastRole: "sender" },
  deleteSmsMessage: { method: "DELETE", url: "/api/:userId/:messageId/delete-sms-message", leastRole: "sender" },
};

export const draftCalls: Calls<typeof draftSchemas> = {
  draftMessage: { method: "POST", url: "/api/:userId/draft-message", leastRole: "sender" },
  populateDrafts: { method: "GET", url: "/api/:userId/populate-drafts", leastRole: "viewer" },
  viewAllDrafts: { method: "GET", url: "/api/view-all-drafts" },
  viewOneDraft: { method: "GET", url: "/api/:userId/:draftId/view-one-draft", leastRole: "viewer" },
  editDraft: { method: "PATCH", url: "/api/:userId/:draftId/edit-draft", leastRole: "sender" },
  deleteDraft: { method: "DELETE", url: "/api/:userId/:draftId/delete-draft", leastRole: "sender" },
  sendDraftSms: {
    method: "POST",
    url: "/api/:userId/:draftId/send-draft-sms",
    leastRole: "sender",
    isAnswer: isSentWithDnd,
  },
};

export const templateCalls: Calls<typeof templateSchemas> = {
  templates: { method: "GET", url: "/api/:userId/templates", leastRole: "viewer" },
  addTemplate: { method: "POST", url: "/api/:userId/templates", leastRole: "sender" },
  editTemplate: { method: "PATCH", url: "/api/:userId/:templateId/template", leastRole: "sender" },
  deleteTemplate: { method: "DELETE", url: "/api/:userId/:templateId/template", leastRole: "sender" },
};

export const scheduledCalls: Calls<typeof scheduledSchemas> = {
  scheduleSms: { method: "POST", url: "/api/:userId/schedule-sms", leastRole: "sender" },
  scheduleDraftSms: { method: "POST", url: "/api/:userId/:draftId/schedule-draft-sms", leastRole: "sender" },
  populateScheduledSms: { method: "GET", url: "/api/:userId/populate-scheduled-sms", leastRole: "viewer" },
  viewScheduledSms: { method: "GET", url: "/api/:userId/:messageId/view-scheduled-sms", leastRole: "viewer" },
  editScheduledSms: { method: "PATCH", url: "/api/:userId/:messageId/edit-scheduled-sms", leastRole: "sender" },
  deleteScheduledSms: { method: "DELETE", url: "/api/:userId/:messageId/delete-scheduled-sms", leastRole: "sender" },
};

export const resultCalls: Calls<typeof resultSchemas> = {
  messageResults: { method: "GET", url: "/api/:userId/:messageId/results", leastRole: "viewer" },
  results: { method: "GET", url: "/api/:userId/results", leastRole: "viewer" },
  notifications: { method: "GET", url: "/api/:userId/notifications", leastRole: "viewer" },
  setNotifications: { method: "PATCH", url: "/api/:userId/notifications", leastRole: "owner" },
};

export const codeResultCalls: Calls<typeof codeResultSchemas> = {
  codeResults: { method: "GET", url: "/api/:userId/code-results", leastRole: "viewer" },
};

export const inboxCalls: Calls<typeof inboxSchemas> = {
  inbox: { method: "GET", url: "/api/:userId/inbox", leastRole: "viewer" },
  conversations: { method: "GET", url: "/api/:userId/conversations", leastRole: "viewer" },
  inboxReplies: { method: "GET", url: "/api/:userId/inbox-replies", leastRole: "viewer" },
  reply: { method: "POST", url: "/api/:userId/:inboxId/reply", leastRole: "sender", isAnswer: isSentWithDnd },
};

export const optOutCalls: Calls<typeof optOutSchemas> = {
  optOuts: { method: "GET", url: "/api/:userId/opt-outs", leastRole: "viewer" },
  addOptOuts: { method: "POST", url: "/api/:userId/opt-outs", leastRole: "sender" },
  removeOptOuts: { method: "DELETE", url: "/api/:userId/opt-outs", leastRole: "sender" },
  importOptOuts: { method: "POST", url: "/api/:userId/import-opt-outs", leastRole: "sender" },
};

export const whitelistCalls: Calls<typeof whitelistSchemas> = {
  sourceWhitelist: { method: "POST", url: "/api/:userId/source-whitelist", leastRole: "owner" },
  whitelists: { method: "GET", url: "/api/:userId/whitelists", leastRole: "viewer" },
  restrictDashboard: { method: "PATCH", url: "/api/:userId/restrict-dashboard", leastRole: "owner" },
  viewWhitelistRequests: { method: "GET", url: "/api/view-whitelist-requests" },
  approveWhitelistRequest: { method: "PATCH", url: "/api/:requestId/approve-whitelist-request" },
  declineWhitelistRequest: { method: "PATCH", url: "/api/:requestId/decline-whitelist-request" },
  whitelistUserSenderId: { method: "PATCH", url: "/api/:adminId/whitelist-user-senderID" },
};
