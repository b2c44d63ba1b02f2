/** What other features and the roles may call of messages. */
export { maySendAs } from "./send/check-send.ts";
export { createSendDeps } from "./send/send.ts";
export { sendGroup, type GroupedOutcome, type GroupedSend } from "./send/send-group.ts";
export { readSendToOne } from "./read-body/read-send-to-one.ts";
export type { SendRequest } from "./read-body/read-send.ts";
export { startTwilioCallbacks } from "./twilio/start-callbacks.ts";
export { createSendRepeated } from "./scheduled/send-repeated.ts";
export { setOwnDailyLimit } from "./limits/daily-limit.ts";
export { giveSenderNames, readSenderNames, replaceSenderNames } from "./whitelists/give-sender-names.ts";
export { senderApproval } from "./whitelists/decide-whitelist-request.ts";
export { programOf, requireKey } from "./program-api/require-key.ts";
export { readWrittenNumbers } from "./dnd/change-dnd-list.ts";
export { messageRoutes } from "./routes.ts";
export { lowBalanceQueue } from "./results/low-balance.ts";
export { weeklyMailQueue } from "./results/weekly-mail.ts";
export { countWaitingRequests, selectWaitingRequests } from "./whitelists/whitelist-store.ts";
export { messageSummaryPart, viewAnyDraft, viewAnyMessage } from "./history/view-for-administrators.ts";
export { presentDraft, presentMessageNow } from "./present-message.ts";
