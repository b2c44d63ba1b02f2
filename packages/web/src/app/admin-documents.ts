import type { PagePath } from "@ewebal/contract";

const frame = ["src/app/admin-pages.ts", "src/app/admin-shell.tsx"];
const FEATURES = "src/features/admin";

/** The same for the administrators' pages as `dashboard-documents.ts` for a customer's. */
export const adminDocuments: Partial<Record<PagePath, readonly string[]>> = {
  "/admin-dashboard": [...frame, `${FEATURES}/overview-page.tsx`],
  "/admin-dashboard/waiting": [...frame, `${FEATURES}/waiting/waiting-page.tsx`],
  "/admin-dashboard/action-whitelist": [...frame, `${FEATURES}/action-whitelist-page.tsx`],
  "/admin-dashboard/manage-all-users": [...frame, `${FEATURES}/manage-users-page.tsx`],
  "/admin-dashboard/manage-all-users/more-details-about-user/:userId": [...frame, `${FEATURES}/user-details-page.tsx`],
  "/admin-dashboard/manage-all-users/user-messages/:userId": [...frame, `${FEATURES}/sms-lists.tsx`],
  "/admin-dashboard/manage-all-users/user-messages/:userId/more-about-sms/:messageId": [
    ...frame,
    `${FEATURES}/sms-details.tsx`,
  ],
  "/admin-dashboard/manage-all-users/user-transactions/:userId": [...frame, `${FEATURES}/user-transactions-page.tsx`],
  "/admin-dashboard/manage-all-users/user-transactions/:userId/more-detailed-transaction/:transferId": [
    ...frame,
    `${FEATURES}/transaction-page.tsx`,
  ],
  "/admin-dashboard/manage-all-sms": [...frame, `${FEATURES}/sms-lists.tsx`],
  "/admin-dashboard/manage-all-sms/more-about-sms/:messageId": [...frame, `${FEATURES}/sms-details.tsx`],
  "/admin-dashboard/manage-all-drafts": [...frame, `${FEATURES}/sms-lists.tsx`],
  "/admin-dashboard/manage-all-drafts/more-about-drafts/:draftId": [...frame, `${FEATURES}/sms-details.tsx`],
  "/admin-dashboard/make-general-announcements": [...frame, `${FEATURES}/announcements-page.tsx`],
  "/admin-dashboard/manage-all-transactions": [...frame, `${FEATURES}/transactions-page.tsx`],
  "/admin-dashboard/manage-all-transactions/more-about-transaction/:transferId": [
    ...frame,
    `${FEATURES}/transaction-page.tsx`,
  ],
  "/admin-dashboard/credit-a-user": [...frame, `${FEATURES}/credit-user-page.tsx`],
  "/admin-dashboard/admin-profile-summary": [...frame, `${FEATURES}/admin-profile-page.tsx`],
  "/admin-dashboard/admin-assign-api": [...frame, `${FEATURES}/assign-api-page.tsx`],
  "/admin-dashboard/rates": [...frame, `${FEATURES}/rates-page.tsx`],
  "/admin-dashboard/card-payments": [...frame, `${FEATURES}/card-payments-page.tsx`],
  "/admin-dashboard/carriers": [...frame, `${FEATURES}/carriers-page.tsx`],
  "/admin-dashboard/held-messages": [...frame, `${FEATURES}/held-messages-page.tsx`],
  "/admin-dashboard/inbound-messages": [...frame, `${FEATURES}/inbound-messages-page.tsx`],
  "/admin-dashboard/dnd-numbers": [...frame, `${FEATURES}/dnd-numbers-page.tsx`],
  "/admin-dashboard/administrators": [...frame, `${FEATURES}/administrators/administrators-page.tsx`],
  "/admin-dashboard/audit-log": [...frame, `${FEATURES}/audit-log-page.tsx`],
};
