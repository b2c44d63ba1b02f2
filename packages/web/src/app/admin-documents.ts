import type { PagePath } from "@ewebal/contract";

const frame = ["src/app/admin-pages.ts", "src/app/admin-shell.tsx"];
const features = "src/features/admin";

/** The same for the administrators' pages as `dashboard-documents.ts` for a customer's. */
export const adminDocuments: Partial<Record<PagePath, readonly string[]>> = {
  "/admin-dashboard": [...frame, `${features}/overview-page.tsx`],
  "/admin-dashboard/waiting": [...frame, `${features}/waiting/waiting-page.tsx`],
  "/admin-dashboard/action-whitelist": [...frame, `${features}/action-whitelist-page.tsx`],
  "/admin-dashboard/manage-all-users": [...frame, `${features}/manage-users-page.tsx`],
  "/admin-dashboard/manage-all-users/more-details-about-user/:userId": [...frame, `${features}/user-details-page.tsx`],
  "/admin-dashboard/manage-all-users/user-messages/:userId": [...frame, `${features}/sms-lists.tsx`],
  "/admin-dashboard/manage-all-users/user-messages/:userId/more-about-sms/:messageId": [
    ...frame,
    `${features}/sms-details.tsx`,
  ],
  "/admin-dashboard/manage-all-users/user-transactions/:userId": [...frame, `${features}/user-transactions-page.tsx`],
  "/admin-dashboard/manage-all-users/user-transactions/:userId/more-detailed-transaction/:transferId": [
    ...frame,
    `${features}/transaction-page.tsx`,
  ],
  "/admin-dashboard/manage-all-sms": [...frame, `${features}/sms-lists.tsx`],
  "/admin-dashboard/manage-all-sms/more-about-sms/:messageId": [...frame, `${features}/sms-details.tsx`],
  "/admin-dashboard/manage-all-drafts": [...frame, `${features}/sms-lists.tsx`],
  "/admin-dashboard/manage-all-drafts/more-about-drafts/:draftId": [...frame, `${features}/sms-details.tsx`],
  "/admin-dashboard/make-general-announcements": [...frame, `${features}/announcements-page.tsx`],
  "/admin-dashboard/manage-all-transactions": [...frame, `${features}/transactions-page.tsx`],
  "/admin-dashboard/manage-all-transactions/more-about-transaction/:transferId": [
    ...frame,
    `${features}/transaction-page.tsx`,
  ],
  "/admin-dashboard/credit-a-user": [...frame, `${features}/credit-user-page.tsx`],
  "/admin-dashboard/admin-profile-summary": [...frame, `${features}/admin-profile-page.tsx`],
  "/admin-dashboard/admin-assign-api": [...frame, `${features}/assign-api-page.tsx`],
  "/admin-dashboard/rates": [...frame, `${features}/rates-page.tsx`],
  "/admin-dashboard/card-payments": [...frame, `${features}/card-payments-page.tsx`],
  "/admin-dashboard/carriers": [...frame, `${features}/carriers-page.tsx`],
  "/admin-dashboard/held-messages": [...frame, `${features}/held-messages-page.tsx`],
  "/admin-dashboard/inbound-messages": [...frame, `${features}/inbound-messages-page.tsx`],
  "/admin-dashboard/dnd-numbers": [...frame, `${features}/dnd-numbers-page.tsx`],
  "/admin-dashboard/administrators": [...frame, `${features}/administrators/administrators-page.tsx`],
  "/admin-dashboard/audit-log": [...frame, `${features}/audit-log-page.tsx`],
};
