import { createRoute, redirect, type AnyRoute, type RouteComponent } from "@tanstack/react-router";
import { isOnServer } from "../lib/browser/hydration.ts";
import { paths } from "../lib/paths.ts";
import { getSession } from "../lib/session/session.ts";
import { createLazyPage } from "./lazy-page.ts";

const lazyPage = createLazyPage(async () => (await import("./dashboard-pages.ts")).dashboardPages);

/** The customer's pages, all behind the guard: without a signed-in customer the way leads to /login. */
export function dashboardRoutes(rootRoute: AnyRoute) {
  const layout = createRoute({
    getParentRoute: () => rootRoute,
    path: paths.dashboard,
    beforeLoad: () => {
      if (!isOnServer && getSession().userId === null) throw redirect({ to: paths.login });
    },
    component: lazyPage("DashboardShell"),
  });
  /** @param path whole, as in `paths`; parameters as `$name`. */
  const page = (path: string, component: RouteComponent) =>
    createRoute({ getParentRoute: () => layout, path: path.slice(paths.dashboard.length) || "/", component });

  return layout.addChildren([
    page(paths.dashboard, lazyPage("BasementPage")),
    page(paths.whitelists, lazyPage("WhitelistsPage")),
    // One page under two addresses: the menu's own, and the specification's form with an id.
    page(`${paths.dashboard}/$id/send-sms`, lazyPage("SendSmsPage")),
    page(paths.smsHistory, lazyPage("SmsHistoryPage")),
    page(`${paths.smsHistory}/$messageId`, lazyPage("OneMessagePage")),
    page(`${paths.dashboard}/$id/resend-sms`, lazyPage("ResendSmsPage")),
    page(paths.draftedSms, lazyPage("DraftedSmsPage")),
    page(`${paths.dashboard}/$id/send-draft-sms`, lazyPage("SendDraftPage")),
    page(paths.scheduledSms, lazyPage("ScheduledSmsPage")),
    page(`${paths.dashboard}/$id/edit-scheduled-sms`, lazyPage("EditScheduledPage")),
    page(paths.buySms, lazyPage("BuySmsPage")),
    page(paths.smsCharges, lazyPage("SmsChargesRoute")),
    page(paths.statement, lazyPage("StatementPage")),
    page(paths.transactions, lazyPage("TransactionsPage")),
    page(paths.allContacts, lazyPage("PhonebookPage")),
    page(`${paths.dashboard}/set-catalogs/$catalogId/$randomId`, lazyPage("CatalogRoute")),
    page(paths.uploadContacts, lazyPage("UploadPage")),
    page(paths.apiKeys, lazyPage("ApiKeysPage")),
    page(paths.profileInfo, lazyPage("ProfilePage")),
    page(paths.updateProfile, lazyPage("UpdateProfilePage")),
  ]);
}
