import { paths } from "../../lib/paths.ts";

/** One sent message. */
export function messagePath(messageId: string): string {
  return `${paths.smsHistory}/${messageId}`;
}

export function resendPath(messageId: string): string {
  return `${paths.dashboard}/${messageId}/resend-sms`;
}

export function sendDraftPath(draftId: string): string {
  return `${paths.dashboard}/${draftId}/send-draft-sms`;
}

export function editScheduledPath(messageId: string): string {
  return `${paths.dashboard}/${messageId}/edit-scheduled-sms`;
}
