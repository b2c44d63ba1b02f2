/** What other features and the roles may call of messages. */
export type { AuditEntry, RecordAudit } from "./audit.ts";
export { maySendAs } from "./check-sender.ts";
export { setDailyCap } from "./daily-cap.ts";
export { giveSenderNames, readSenderNames } from "./give-sender-names.ts";
export { senderApproval } from "./sender-names/sender-approval.ts";
export { messageSummaryPart } from "./message-summary-part.ts";
export { replaceSenderNames } from "./replace-sender-names.ts";
export { messageRoutes } from "./routes.ts";
export { countWaitingRequests, selectWaitingRequests } from "./whitelist-store.ts";
export { viewAnyDraft, viewAnyMessage } from "./view-any.ts";
