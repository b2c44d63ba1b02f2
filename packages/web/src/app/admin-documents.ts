import type { PagePath } from "@ewebal/contract";

const frame = ["src/app/admin-pages.ts", "src/app/admin-shell.tsx"];

/** The same for the administrators' pages as `dashboard-documents.ts` for a customer's. */
export const adminDocuments: Partial<Record<PagePath, readonly string[]>> = {
  "/admin-dashboard": [...frame, "src/features/admin/overview-page.tsx"],
  "/admin-dashboard/waiting": [...frame, "src/features/admin/waiting/waiting-page.tsx"],
  "/admin-dashboard/action-whitelist": [...frame, "src/features/admin/action-whitelist-page.tsx"],
  "/admin-dashboard/manage-all-users": [...frame, "src/features/admin/manage-users-page.tsx"],
  "/admin-dashboard/manage-all-users/more-details-about-user/:userId": [
    ...frame,
    "src/features/admin/user-details-page.tsx",
  ],
  "/admin-dashboard/manage-all-users/user-messages/:userId": [...frame, "src/features/admin/sms-lists.tsx"],
  "/admin-dashboard/manage-all-users/user-messages/:userId/more-about-sms/:messageId": [
    ...frame,
    "src/features/admin/sms-details.tsx",
  ],
  "/admin-dashboard/manage-all-users/user-transactions/:userId": [
    ...frame,
    "src/features/admin/user-transactions-page.tsx",
  ],
  "/admin-dashboard/manage-all-users/user-transactions/:userId/more-detailed-transaction/:transferId": [
    ...frame,
    "src/features/admin/transaction-page.tsx",
  ],
  "/admin-dashboard/manage-all-sms": [...frame, "src/features/admin/sms-lists.tsx"],
  "/admin-dashboard/manage-all-sms/more-about-sms/:messageId": [...frame, "src/features/admin/sms-details.tsx"],
  "/admin-dashboard/manage-all-drafts": [...frame, "src/features/admin/sms-lists.tsx"],
  "/admin-dashboard/manage-all-drafts/more-about-drafts/:draftId": [...frame, "src/features/admin/sms-details.tsx"],
  "/admin-dashboard/make-general-announcements": [...frame, "src/features/admin/announcements-page.tsx"],
  "/admin-dashboard/manage-all-transactions": [...frame, "src/features/admin/transactions-page.tsx"],
  "/admin-dashboard/manage-all-transactions/more-about-transaction/:transferId": [
    ...frame,
    "src/features/admin/transaction-page.tsx",
  ],
  "/admin-dashboard/credit-a-user": [...frame, "src/features/admin/credit-user-page.tsx"],
  "/admin-dashboard/admin-profile-summary": [...frame, "src/features/admin/admin-profile-page.tsx"],
  "/admin-dashboard/admin-assign-api": [...frame, "src/features/admin/assign-api-page.tsx"],
  "/admin-dashboard/rates": [...frame, "src/features/admin/rates-page.tsx"],
  "/admin-dashboard/card-payments": [...frame, "src/features/admin/card-payments-page.tsx"],
  "/admin-dashboard/carriers": [...frame, "src/features/admin/carriers-page.tsx"],
  "/admin-dashboard/held-messages": [...frame, "src/features/admin/held-messages-page.tsx"],
  "/admin-dashboard/inbound-messages": [...frame, "src/features/admin/inbound-messages-page.tsx"],
  "/admin-dashboard/dnd-numbers": [...frame, "src/features/admin/dnd-numbers-page.tsx"],
  "/admin-dashboard/administrators": [...frame, "src/features/admin/administrators/administrators-page.tsx"],
  "/admin-dashboard/audit-log": [...frame, "src/features/admin/audit-log-page.tsx"],
};
