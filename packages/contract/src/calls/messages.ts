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
  sendBulkSms: { method: "POST", url: "/api/:userId/send-bulk-sms", isAnswer: isSentWithDnd },
  sendTest: { method: "POST", url: "/api/:userId/send-test", isAnswer: isSentWithDnd },
  populateSmsHistory: { method: "GET", url: "/api/:userId/populate-sms-history" },
  viewAllSmsMessages: { method: "GET", url: "/api/view-all-sms-messages" },
  viewSmsDays: { method: "GET", url: "/api/:userId/view-sms-days" },
  resendFailed: { method: "POST", url: "/api/:userId/:messageId/resend-failed", isAnswer: isSentWithDnd },
  viewOneSms: { method: "GET", url: "/api/:userId/:messageId/view-one-sms" },
  viewBreakdown: { method: "GET", url: "/api/:userId/:messageId/view-breakdown" },
  recipients: { method: "GET", url: "/api/:userId/:messageId/recipients" },
  recipientValues: { method: "GET", url: "/api/:userId/:messageId/recipient-values" },
  pause: { method: "POST", url: "/api/:userId/:messageId/pause" },
  resume: { method: "POST", url: "/api/:userId/:messageId/resume" },
  cancel: { method: "POST", url: "/api/:userId/:messageId/cancel" },
  deleteSmsMessage: { method: "DELETE", url: "/api/:userId/:messageId/delete-sms-message" },
};

export const draftCalls: Calls<typeof draftSchemas> = {
  draftMessage: { method: "POST", url: "/api/:userId/draft-message" },
  populateDrafts: { method: "GET", url: "/api/:userId/populate-drafts" },
  viewAllDrafts: { method: "GET", url: "/api/view-all-drafts" },
  viewOneDraft: { method: "GET", url: "/api/:userId/:draftId/view-one-draft" },
  editDraft: { method: "PATCH", url: "/api/:userId/:draftId/edit-draft" },
  deleteDraft: { method: "DELETE", url: "/api/:userId/:draftId/delete-draft" },
  sendDraftSms: { method: "POST", url: "/api/:userId/:draftId/send-draft-sms", isAnswer: isSentWithDnd },
};

export const templateCalls: Calls<typeof templateSchemas> = {
  templates: { method: "GET", url: "/api/:userId/templates" },
  addTemplate: { method: "POST", url: "/api/:userId/templates" },
  editTemplate: { method: "PATCH", url: "/api/:userId/:templateId/template" },
  deleteTemplate: { method: "DELETE", url: "/api/:userId/:templateId/template" },
};

export const scheduledCalls: Calls<typeof scheduledSchemas> = {
  scheduleSms: { method: "POST", url: "/api/:userId/schedule-sms" },
  scheduleDraftSms: { method: "POST", url: "/api/:userId/:draftId/schedule-draft-sms" },
  populateScheduledSms: { method: "GET", url: "/api/:userId/populate-scheduled-sms" },
  viewScheduledSms: { method: "GET", url: "/api/:userId/:messageId/view-scheduled-sms" },
  editScheduledSms: { method: "PATCH", url: "/api/:userId/:messageId/edit-scheduled-sms" },
  deleteScheduledSms: { method: "DELETE", url: "/api/:userId/:messageId/delete-scheduled-sms" },
};

export const resultCalls: Calls<typeof resultSchemas> = {
  messageResults: { method: "GET", url: "/api/:userId/:messageId/results" },
  results: { method: "GET", url: "/api/:userId/results" },
  notifications: { method: "GET", url: "/api/:userId/notifications" },
  setNotifications: { method: "PATCH", url: "/api/:userId/notifications" },
};

export const codeResultCalls: Calls<typeof codeResultSchemas> = {
  codeResults: { method: "GET", url: "/api/:userId/code-results" },
};

export const inboxCalls: Calls<typeof inboxSchemas> = {
  inbox: { method: "GET", url: "/api/:userId/inbox" },
  conversations: { method: "GET", url: "/api/:userId/conversations" },
  inboxReplies: { method: "GET", url: "/api/:userId/inbox-replies" },
  reply: { method: "POST", url: "/api/:userId/:inboxId/reply", isAnswer: isSentWithDnd },
};

export const optOutCalls: Calls<typeof optOutSchemas> = {
  optOuts: { method: "GET", url: "/api/:userId/opt-outs" },
  addOptOuts: { method: "POST", url: "/api/:userId/opt-outs" },
  removeOptOuts: { method: "DELETE", url: "/api/:userId/opt-outs" },
  importOptOuts: { method: "POST", url: "/api/:userId/import-opt-outs" },
};

export const whitelistCalls: Calls<typeof whitelistSchemas> = {
  sourceWhitelist: { method: "POST", url: "/api/:userId/source-whitelist" },
  whitelists: { method: "GET", url: "/api/:userId/whitelists" },
  restrictDashboard: { method: "PATCH", url: "/api/:userId/restrict-dashboard" },
  viewWhitelistRequests: { method: "GET", url: "/api/view-whitelist-requests" },
  approveWhitelistRequest: { method: "PATCH", url: "/api/:requestId/approve-whitelist-request" },
  declineWhitelistRequest: { method: "PATCH", url: "/api/:requestId/decline-whitelist-request" },
  whitelistUserSenderId: { method: "PATCH", url: "/api/:adminId/whitelist-user-senderID" },
};
