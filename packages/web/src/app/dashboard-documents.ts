import type { PagePath } from "@ewebal/contract";

const frame = ["src/app/dashboard-pages.ts", "src/app/dashboard-shell.tsx"];
const accounts = "src/features/accounts";
const billing = "src/features/billing";
const contacts = "src/features/contacts";
const messages = "src/features/messages";

/**
 * The modules that draw each of the customer's pages, besides the entry. Their documents name these, so that the browser
 * fetches them at once and not one behind the other, and hold what the page shows before anything of its customer is known.
 */
export const dashboardDocuments: Partial<Record<PagePath, readonly string[]>> = {
  "/user-dashboard": [...frame, `${accounts}/basement-page.tsx`],
  "/user-dashboard/whitelists": [...frame, `${messages}/whitelists-page.tsx`],
  "/user-dashboard/:id/send-sms": [...frame, `${messages}/send-sms-page.tsx`],
  "/user-dashboard/sms-history": [...frame, `${messages}/sms-history-page.tsx`],
  "/user-dashboard/sms-history/:messageId": [...frame, `${messages}/one-message-page.tsx`],
  "/user-dashboard/:id/resend-sms": [...frame, `${messages}/resend-sms-page.tsx`],
  "/user-dashboard/drafted-sms": [...frame, `${messages}/drafted-sms-page.tsx`],
  "/user-dashboard/:id/send-draft-sms": [...frame, `${messages}/send-draft-page.tsx`],
  "/user-dashboard/scheduled-sms": [...frame, `${messages}/scheduled-sms-page.tsx`],
  "/user-dashboard/:id/edit-scheduled-sms": [...frame, `${messages}/edit-scheduled-page.tsx`],
  "/user-dashboard/buy-sms": [...frame, `${billing}/buy-sms-page.tsx`],
  "/user-dashboard/purchase-options": [...frame, "src/app/sms-charges-route.tsx"],
  "/user-dashboard/statement": [...frame, `${billing}/statement-page.tsx`],
  "/user-dashboard/transactions": [...frame, `${billing}/transactions-page.tsx`],
  "/user-dashboard/all-contacts": [...frame, `${contacts}/phonebook-page.tsx`],
  "/user-dashboard/set-catalogs/:catalogId/:randomId": [...frame, "src/app/catalog-route.tsx"],
  "/user-dashboard/upload-new-contacts": [...frame, `${contacts}/upload-page.tsx`],
  "/user-dashboard/api-keys": [...frame, `${accounts}/api-keys-page.tsx`],
  "/user-dashboard/profile-info": [...frame, `${accounts}/profile-page.tsx`],
  "/user-dashboard/update-tel": [...frame, `${accounts}/update-profile-page.tsx`],
};
