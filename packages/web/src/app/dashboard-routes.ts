import { createRoute, lazyRouteComponent, redirect, type AnyRoute } from "@tanstack/react-router";
import { paths } from "../lib/paths.ts";
import { getSession } from "../lib/session.ts";

/** The customer's pages, all behind the guard: without a signed-in customer the way leads to /login. */
export function dashboardRoutes(rootRoute: AnyRoute) {
  const layout = createRoute({
    getParentRoute: () => rootRoute,
    path: paths.dashboard,
    beforeLoad: () => {
      if (getSession().userId === null) throw redirect({ to: paths.login });
    },
    component: lazyRouteComponent(() => import("./dashboard-shell.tsx"), "DashboardShell"),
  });
  /** @param path whole, as in `paths`; parameters as `$name`. */
  const page = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
    createRoute({ getParentRoute: () => layout, path: path.slice(paths.dashboard.length) || "/", component });

  return layout.addChildren([
    page(paths.dashboard, lazyRouteComponent(() => import("../features/accounts/basement-page.tsx"), "BasementPage")),
    page(paths.whitelists, lazyRouteComponent(() => import("../features/messages/whitelists-page.tsx"), "WhitelistsPage")),
    // One page under two addresses: the menu's own, and the specification's form with an id.
    page(`${paths.dashboard}/$id/send-sms`, lazyRouteComponent(() => import("../features/messages/send-sms-page.tsx"), "SendSmsPage")),
    page(paths.smsHistory, lazyRouteComponent(() => import("../features/messages/sms-history-page.tsx"), "SmsHistoryPage")),
    page(`${paths.smsHistory}/$messageId`, lazyRouteComponent(() => import("../features/messages/one-message-page.tsx"), "OneMessagePage")),
    page(`${paths.dashboard}/$id/resend-sms`, lazyRouteComponent(() => import("../features/messages/resend-sms-page.tsx"), "ResendSmsPage")),
    page(paths.draftedSms, lazyRouteComponent(() => import("../features/messages/drafted-sms-page.tsx"), "DraftedSmsPage")),
    page(`${paths.dashboard}/$id/send-draft-sms`, lazyRouteComponent(() => import("../features/messages/send-draft-page.tsx"), "SendDraftPage")),
    page(paths.scheduledSms, lazyRouteComponent(() => import("../features/messages/scheduled-sms-page.tsx"), "ScheduledSmsPage")),
    page(
      `${paths.dashboard}/$id/edit-scheduled-sms`,
      lazyRouteComponent(() => import("../features/messages/edit-scheduled-page.tsx"), "EditScheduledPage"),
    ),
    page(paths.buySms, lazyRouteComponent(() => import("../features/billing/buy-sms-page.tsx"), "BuySmsPage")),
    page(paths.smsCharges, lazyRouteComponent(() => import("./sms-charges-route.tsx"), "SmsChargesRoute")),
    page(paths.statement, lazyRouteComponent(() => import("../features/billing/statement-page.tsx"), "StatementPage")),
    page(paths.transactions, lazyRouteComponent(() => import("../features/billing/transactions-page.tsx"), "TransactionsPage")),
    page(paths.allContacts, lazyRouteComponent(() => import("../features/contacts/phonebook-page.tsx"), "PhonebookPage")),
    page(`${paths.dashboard}/set-catalogs/$catalogId/$randomId`, lazyRouteComponent(() => import("./catalog-route.tsx"), "CatalogRoute")),
    page(paths.uploadContacts, lazyRouteComponent(() => import("../features/contacts/upload-page.tsx"), "UploadPage")),
    page(paths.apiKeys, lazyRouteComponent(() => import("../features/accounts/api-keys-page.tsx"), "ApiKeysPage")),
    page(paths.profileInfo, lazyRouteComponent(() => import("../features/accounts/profile-page.tsx"), "ProfilePage")),
    page(paths.updateProfile, lazyRouteComponent(() => import("../features/accounts/update-profile-page.tsx"), "UpdateProfilePage")),
  ]);
}
