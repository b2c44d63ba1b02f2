/** What the roles may call of the administrators' side; no feature imports it. */
export { addVerifiedAdmin } from "./sign-in/register-admin.ts";
export { administrators } from "./sign-in/admin-passwords.ts";
export { administratorFinder } from "./sign-in/sign-in-admin.ts";
export { roleApproval } from "./team/change-role.ts";
export { creditApproval } from "./credit/credit-user.ts";
export { adminSummaryPart } from "./profile/update-admin-profile.ts";
export { auditCheckQueue } from "./audit/check-audit.ts";
export { auditPrivateReads } from "./audit/private-reads.ts";
export { overviewQueue } from "./overview/refresh-overview.ts";
export { createAuditWriter } from "./audit/record-audit.ts";
export { adminRoutes } from "./routes.ts";
