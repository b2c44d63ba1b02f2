import type {
  draftRoutes,
  messageRoutes,
  RouteContract,
  scheduledRoutes,
  simulatorRoutes,
  whitelistRoutes,
} from "@ewebal/contract";
import type { RouteAddress } from "../../lib/api/api.ts";

function address<R extends RouteContract>(method: R["method"], url: R["url"]): RouteAddress<R> {
  return { method, url };
}

/** A 503 that says `dnd` is a success which skipped DND numbers; any other is the server's lack of breath. */
function isSentWithDnd(status: number, answer: unknown): boolean {
  return status === 503 && typeof answer === "object" && answer !== null && "dnd" in answer && answer.dnd === true;
}

/**
 * Method and address of the calls for messages. The contract's routes would bring their schemas along, and zod (23 kB)
 * with them, to pages that must be light; here only their types come. The compiler compares each address with the contract.
 */
export const messageAddresses = {
  sendBulkSms: {
    ...address<typeof messageRoutes.sendBulkSms>("POST", "/api/:userId/send-bulk-sms"),
    isAnswer: isSentWithDnd,
  },
  resendFailed: {
    ...address<typeof messageRoutes.resendFailed>("POST", "/api/:userId/:messageId/resend-failed"),
    isAnswer: isSentWithDnd,
  },
  scheduleSms: address<typeof scheduledRoutes.scheduleSms>("POST", "/api/:userId/schedule-sms"),
  populateScheduledSms: address<typeof scheduledRoutes.populateScheduledSms>(
    "GET",
    "/api/:userId/populate-scheduled-sms",
  ),
  viewScheduledSms: address<typeof scheduledRoutes.viewScheduledSms>(
    "GET",
    "/api/:userId/:messageId/view-scheduled-sms",
  ),
  editScheduledSms: address<typeof scheduledRoutes.editScheduledSms>(
    "PATCH",
    "/api/:userId/:messageId/edit-scheduled-sms",
  ),
  deleteScheduledSms: address<typeof scheduledRoutes.deleteScheduledSms>(
    "DELETE",
    "/api/:userId/:messageId/delete-scheduled-sms",
  ),
  draftMessage: address<typeof draftRoutes.draftMessage>("POST", "/api/:userId/draft-message"),
  populateDrafts: address<typeof draftRoutes.populateDrafts>("GET", "/api/:userId/populate-drafts"),
  viewOneDraft: address<typeof draftRoutes.viewOneDraft>("GET", "/api/:userId/:draftId/view-one-draft"),
  editDraft: address<typeof draftRoutes.editDraft>("PATCH", "/api/:userId/:draftId/edit-draft"),
  deleteDraft: address<typeof draftRoutes.deleteDraft>("DELETE", "/api/:userId/:draftId/delete-draft"),
  sendDraftSms: {
    ...address<typeof draftRoutes.sendDraftSms>("POST", "/api/:userId/:draftId/send-draft-sms"),
    isAnswer: isSentWithDnd,
  },
  populateSmsHistory: address<typeof messageRoutes.populateSmsHistory>("GET", "/api/:userId/populate-sms-history"),
  deleteSmsMessage: address<typeof messageRoutes.deleteSmsMessage>(
    "DELETE",
    "/api/:userId/:messageId/delete-sms-message",
  ),
  viewOneSms: address<typeof messageRoutes.viewOneSms>("GET", "/api/:userId/:messageId/view-one-sms"),
  recipients: address<typeof messageRoutes.recipients>("GET", "/api/:userId/:messageId/recipients"),
  pause: address<typeof messageRoutes.pause>("POST", "/api/:userId/:messageId/pause"),
  resume: address<typeof messageRoutes.resume>("POST", "/api/:userId/:messageId/resume"),
  cancel: address<typeof messageRoutes.cancel>("POST", "/api/:userId/:messageId/cancel"),
  sourceWhitelist: address<typeof whitelistRoutes.sourceWhitelist>("POST", "/api/:userId/source-whitelist"),
  restrictDashboard: address<typeof whitelistRoutes.restrictDashboard>("PATCH", "/api/:userId/restrict-dashboard"),
  virtualPhones: address<typeof simulatorRoutes.virtualPhones>("GET", "/api/virtual-phones"),
  virtualPhone: address<typeof simulatorRoutes.virtualPhone>("GET", "/api/virtual-phones/:phoneNo"),
};
