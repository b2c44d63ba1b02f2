/** What other features and the roles may call of messages. */
export { maySendAs } from "./send/check-send.ts";
export { setOwnDailyLimit } from "./limits/daily-limit.ts";
export { giveSenderNames, readSenderNames } from "./whitelists/give-sender-names.ts";
export { senderApproval } from "./whitelists/sender-approval.ts";
export { messageSummaryPart } from "./history/message-summary-part.ts";
export { replaceSenderNames } from "./whitelists/replace-sender-names.ts";
export { messageRoutes } from "./routes.ts";
export { countWaitingRequests, selectWaitingRequests } from "./whitelists/whitelist-store.ts";
export { viewAnyDraft, viewAnyMessage } from "./history/view-any.ts";
