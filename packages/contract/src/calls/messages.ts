/** Messages, drafts, scheduled messages and whitelists of a customer. */
import type { messageSchemas, draftSchemas } from "../schemas/messages.ts";
import type { scheduledSchemas } from "../schemas/scheduled.ts";
import type { whitelistSchemas } from "../schemas/whitelists.ts";
import type { Calls } from "./call.ts";

/** A 503 that says `dnd` is a success which skipped DND numbers; any other means that the server is overloaded. */
function isSentWithDnd(status: number, answer: unknown): boolean {
  return status === 503 && typeof answer === "object" && answer !== null && "dnd" in answer && answer.dnd === true;
}

export const messageCalls: Calls<typeof messageSchemas> = {
  sendBulkSms: { method: "POST", url: "/api/:userId/send-bulk-sms", isAnswer: isSentWithDnd },
  populateSmsHistory: { method: "GET", url: "/api/:userId/populate-sms-history" },
  viewAllSmsMessages: { method: "GET", url: "/api/view-all-sms-messages" },
  viewSmsDays: { method: "GET", url: "/api/:userId/view-sms-days" },
  resendFailed: { method: "POST", url: "/api/:userId/:messageId/resend-failed", isAnswer: isSentWithDnd },
  viewOneSms: { method: "GET", url: "/api/:userId/:messageId/view-one-sms" },
  viewBreakdown: { method: "GET", url: "/api/:userId/:messageId/view-breakdown" },
  recipients: { method: "GET", url: "/api/:userId/:messageId/recipients" },
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

export const scheduledCalls: Calls<typeof scheduledSchemas> = {
  scheduleSms: { method: "POST", url: "/api/:userId/schedule-sms" },
  scheduleDraftSms: { method: "POST", url: "/api/:userId/:draftId/schedule-draft-sms" },
  populateScheduledSms: { method: "GET", url: "/api/:userId/populate-scheduled-sms" },
  viewScheduledSms: { method: "GET", url: "/api/:userId/:messageId/view-scheduled-sms" },
  editScheduledSms: { method: "PATCH", url: "/api/:userId/:messageId/edit-scheduled-sms" },
  deleteScheduledSms: { method: "DELETE", url: "/api/:userId/:messageId/delete-scheduled-sms" },
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
