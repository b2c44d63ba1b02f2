import type { PagePath } from "@ewebal/contract";

const frame = ["src/app/dashboard-pages.ts", "src/app/dashboard-shell.tsx"];
const ACCOUNTS = "src/features/accounts";
const BILLING = "src/features/billing";
const CONTACTS = "src/features/contacts";
const MESSAGES = "src/features/messages";

/**
 * The modules that draw each of the customer's pages, besides the entry. Their documents name these, so that the browser
 * fetches them at once and not one behind the other, and hold what the page shows before anything of its customer is known.
 */
export const dashboardDocuments: Partial<Record<PagePath, readonly string[]>> = {
  "/user-dashboard": [...frame, `${ACCOUNTS}/basement-page.tsx`],
  "/user-dashboard/whitelists": [...frame, `${MESSAGES}/whitelists-page.tsx`],
  "/user-dashboard/:id/send-sms": [...frame, `${MESSAGES}/send-sms-page.tsx`],
  "/user-dashboard/sms-history": [...frame, `${MESSAGES}/sms-history-page.tsx`],
  "/user-dashboard/sms-history/:messageId": [...frame, `${MESSAGES}/one-message-page.tsx`],
  "/user-dashboard/:id/resend-sms": [...frame, `${MESSAGES}/resend-sms-page.tsx`],
  "/user-dashboard/drafted-sms": [...frame, `${MESSAGES}/drafted-sms-page.tsx`],
  "/user-dashboard/:id/send-draft-sms": [...frame, `${MESSAGES}/send-draft-page.tsx`],
  "/user-dashboard/scheduled-sms": [...frame, `${MESSAGES}/scheduled-sms-page.tsx`],
  "/user-dashboard/:id/edit-scheduled-sms": [...frame, `${MESSAGES}/edit-scheduled-page.tsx`],
  "/user-dashboard/buy-sms": [...frame, `${BILLING}/buy-sms-page.tsx`],
  "/user-dashboard/purchase-options": [...frame, "src/app/sms-charges-route.tsx"],
  "/user-dashboard/statement": [...frame, `${BILLING}/statement-page.tsx`],
  "/user-dashboard/transactions": [...frame, `${BILLING}/transactions-page.tsx`],
  "/user-dashboard/all-contacts": [...frame, `${CONTACTS}/phonebook-page.tsx`],
  "/user-dashboard/set-catalogs/:catalogId/:randomId": [...frame, "src/app/catalog-route.tsx"],
  "/user-dashboard/upload-new-contacts": [...frame, `${CONTACTS}/upload-page.tsx`],
  "/user-dashboard/api-keys": [...frame, `${ACCOUNTS}/api-keys-page.tsx`],
  "/user-dashboard/profile-info": [...frame, `${ACCOUNTS}/profile-page.tsx`],
  "/user-dashboard/update-tel": [...frame, `${ACCOUNTS}/update-profile-page.tsx`],
};
