import type { PagePath } from "@ewebal/contract";

const frame = ["src/app/admin-pages.ts", "src/app/admin-shell.tsx"];

/** The same for the administrators' pages as `dashboard-documents.ts` for a customer's. */
export const adminDocuments: Partial<Record<PagePath, readonly string[]>> = {
  "/admin-dashboard": [...frame, "src/features/admin/overview/overview-page.tsx"],
  "/admin-dashboard/waiting": [...frame, "src/features/admin/waiting/waiting-page.tsx"],
  "/admin-dashboard/action-whitelist": [...frame, "src/features/admin/whitelists/action-whitelist-page.tsx"],
  "/admin-dashboard/manage-all-users": [...frame, "src/features/admin/users/manage-users-page.tsx"],
  "/admin-dashboard/manage-all-users/more-details-about-user/:userId": [
    ...frame,
    "src/features/admin/users/user-details-page.tsx",
  ],
  "/admin-dashboard/manage-all-users/user-messages/:userId": [...frame, "src/features/admin/messages/sms-lists.tsx"],
  "/admin-dashboard/manage-all-users/user-messages/:userId/more-about-sms/:messageId": [
    ...frame,
    "src/features/admin/messages/sms-details.tsx",
  ],
  "/admin-dashboard/manage-all-users/user-transactions/:userId": [
    ...frame,
    "src/features/admin/deposits/user-deposits-page.tsx",
  ],
  "/admin-dashboard/manage-all-users/user-transactions/:userId/more-detailed-transaction/:transferId": [
    ...frame,
    "src/features/admin/deposits/deposit-page.tsx",
  ],
  "/admin-dashboard/manage-all-sms": [...frame, "src/features/admin/messages/sms-lists.tsx"],
  "/admin-dashboard/manage-all-sms/more-about-sms/:messageId": [
    ...frame,
    "src/features/admin/messages/sms-details.tsx",
  ],
  "/admin-dashboard/manage-all-drafts": [...frame, "src/features/admin/messages/sms-lists.tsx"],
  "/admin-dashboard/manage-all-drafts/more-about-drafts/:draftId": [
    ...frame,
    "src/features/admin/messages/sms-details.tsx",
  ],
  "/admin-dashboard/make-general-announcements": [...frame, "src/features/admin/announcements/announcements-page.tsx"],
  "/admin-dashboard/manage-all-transactions": [...frame, "src/features/admin/deposits/deposits-page.tsx"],
  "/admin-dashboard/manage-all-transactions/more-about-transaction/:transferId": [
    ...frame,
    "src/features/admin/deposits/deposit-page.tsx",
  ],
  "/admin-dashboard/credit-a-user": [...frame, "src/features/admin/credit/credit-user-page.tsx"],
  "/admin-dashboard/admin-profile-summary": [...frame, "src/features/admin/team/admin-profile-page.tsx"],
  "/admin-dashboard/admin-assign-api": [...frame, "src/features/admin/users/assign-api-page.tsx"],
  "/admin-dashboard/rates": [...frame, "src/features/admin/rates/rates-page.tsx"],
  "/admin-dashboard/card-payments": [...frame, "src/features/admin/card-payments/card-payments-page.tsx"],
  "/admin-dashboard/carriers": [...frame, "src/features/admin/carriers/carriers-page.tsx"],
  "/admin-dashboard/held-messages": [...frame, "src/features/admin/messages/held-messages-page.tsx"],
  "/admin-dashboard/inbound-messages": [...frame, "src/features/admin/messages/inbound-messages-page.tsx"],
  "/admin-dashboard/dnd-numbers": [...frame, "src/features/admin/messages/dnd-numbers-page.tsx"],
  "/admin-dashboard/administrators": [...frame, "src/features/admin/team/administrators-page.tsx"],
  "/admin-dashboard/audit-log": [...frame, "src/features/admin/audit/audit-log-page.tsx"],
};
