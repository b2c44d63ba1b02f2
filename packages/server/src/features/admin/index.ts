/** What the roles may call of the administrators' side; no feature imports it. */
export { addVerifiedAdmin } from "./add-verified-admin.ts";
export { administrators } from "./admin-passwords.ts";
export { roleApproval } from "./administrators/change-role.ts";
export { creditApproval } from "./credit-user.ts";
export { adminSummaryPart } from "./admin-summary-part.ts";
export { auditCheckQueue } from "./audit/check-audit.ts";
export { auditPrivateReads } from "./audit/private-reads.ts";
export { overviewQueue } from "./refresh-overview.ts";
export { type AuditEntry, recordAudit } from "./record-audit.ts";
export { adminRoutes } from "./routes.ts";
