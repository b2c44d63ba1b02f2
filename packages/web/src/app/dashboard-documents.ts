import type { PagePath } from "@ewebal/contract";

const frame = ["src/app/dashboard-pages.ts", "src/app/dashboard-shell.tsx"];

/**
 * The modules that draw each of the customer's pages, besides the entry. Their documents name these, so that the browser
 * fetches them at once and not one behind the other, and hold what the page shows before anything of its customer is known.
 */
export const dashboardDocuments: Partial<Record<PagePath, readonly string[]>> = {
  "/user-dashboard": [...frame, "src/features/accounts/dashboard/basement-page.tsx"],
  "/user-dashboard/whitelists": [...frame, "src/features/messages/whitelists/whitelists-page.tsx"],
  "/user-dashboard/:id/send-sms": [...frame, "src/features/messages/compose/send-sms-page.tsx"],
  "/user-dashboard/sms-history": [...frame, "src/features/messages/history/sms-history-page.tsx"],
  "/user-dashboard/sms-history/:messageId": [...frame, "src/features/messages/one-message/one-message-page.tsx"],
  "/user-dashboard/:id/resend-sms": [...frame, "src/features/messages/resend/resend-sms-page.tsx"],
  "/user-dashboard/drafted-sms": [...frame, "src/features/messages/drafts/drafted-sms-page.tsx"],
  "/user-dashboard/:id/send-draft-sms": [...frame, "src/features/messages/drafts/send-draft-page.tsx"],
  "/user-dashboard/scheduled-sms": [...frame, "src/features/messages/scheduled/scheduled-sms-page.tsx"],
  "/user-dashboard/:id/edit-scheduled-sms": [...frame, "src/features/messages/scheduled/edit-scheduled-page.tsx"],
  "/user-dashboard/buy-sms": [...frame, "src/features/billing/buy-sms-page.tsx"],
  "/user-dashboard/purchase-options": [...frame, "src/app/sms-charges-route.tsx"],
  "/user-dashboard/statement": [...frame, "src/features/billing/statement/statement-page.tsx"],
  "/user-dashboard/transactions": [...frame, "src/features/billing/transactions-page.tsx"],
  "/user-dashboard/all-contacts": [...frame, "src/features/contacts/phonebook/phonebook-page.tsx"],
  "/user-dashboard/set-catalogs/:catalogId/:randomId": [...frame, "src/app/catalog-route.tsx"],
  "/user-dashboard/upload-new-contacts": [...frame, "src/features/contacts/upload/upload-page.tsx"],
  "/user-dashboard/api-keys": [...frame, "src/features/accounts/profile/api-keys-page.tsx"],
  "/user-dashboard/profile-info": [...frame, "src/features/accounts/profile/profile-page.tsx"],
  "/user-dashboard/update-tel": [...frame, "src/features/accounts/profile/update-profile-page.tsx"],
};
