/** What other features and the roles may call of messages. */
export type { AuditEntry, RecordAudit } from "./audit.ts";
export { type Caller } from "./check-sender.ts";
export { setDailyCap } from "./daily-cap.ts";
export { readDraftSummary } from "./drafts.ts";
export { giveSenderNames } from "./give-sender-names.ts";
export { listSenderNames } from "./list-whitelists.ts";
export { presentMessage } from "./present-message.ts";
export { messageRoutes } from "./routes.ts";
