import { createRoute, redirect, type AnyRoute, type RouteComponent } from "@tanstack/react-router";
import { isOnServer } from "../lib/browser/hydration.ts";
import { paths } from "../lib/paths.ts";
import { getSession } from "../lib/session/session.ts";
import { createLazyPage } from "./lazy-page.ts";

const lazyPage = createLazyPage(async () => (await import("./admin-pages.ts")).adminPages);

/**
 * The administrators' pages.
 *
 * @param rootRoute parent of /admin-dashboard.
 * @param authLayout parent of the screens in the auth card (register, OTP, login).
 */
export function adminRoutes(rootRoute: AnyRoute, authLayout: AnyRoute): AnyRoute[] {
  const screen = (path: string, component: RouteComponent) =>
    createRoute({ getParentRoute: () => authLayout, path, component });
  return [
    screen(paths.adminRegister, lazyPage("AdminRegisterPage")),
    screen(paths.otpMessage, lazyPage("OtpMessagePage")),
    screen(paths.otpPage, lazyPage("OtpPage")),
    screen("/$token/verify-otp", lazyPage("VerifyOtpPage")),
    screen("/$token/verify-admin", lazyPage("VerifyAdminPage")),
    screen(paths.adminLogin, lazyPage("AdminLoginPage")),
    dashboard(rootRoute),
  ];
}

/** Behind the guard: without a signed-in administrator the way leads to the administrators' login. */
function dashboard(rootRoute: AnyRoute) {
  const layout = createRoute({
    getParentRoute: () => rootRoute,
    path: paths.adminDashboard,
    beforeLoad: () => {
      if (!isOnServer && getSession().adminId === null) throw redirect({ to: paths.adminLogin });
    },
    component: lazyPage("AdminShell"),
  });
  /** @param path whole, as in `paths`. */
  const page = (path: string, component: RouteComponent) =>
    createRoute({ getParentRoute: () => layout, path: path.slice(paths.adminDashboard.length) || "/", component });

  return layout.addChildren([
    page(paths.adminDashboard, lazyPage("OverviewPage")),
    page(paths.waiting, lazyPage("WaitingPage")),
    page(paths.actionWhitelist, lazyPage("ActionWhitelistPage")),
    page(paths.manageUsers, lazyPage("ManageUsersPage")),
    page(`${paths.manageUsers}/more-details-about-user/$userId`, lazyPage("UserDetailsPage")),
    page(`${paths.manageUsers}/user-messages/$userId`, lazyPage("UserMessagesPage")),
    page(`${paths.manageUsers}/user-messages/$userId/more-about-sms/$messageId`, lazyPage("UserMessageDetailsPage")),
    page(paths.manageSms, lazyPage("ManageSmsPage")),
    page(`${paths.manageSms}/more-about-sms/$messageId`, lazyPage("SmsDetailsPage")),
    page(paths.manageDrafts, lazyPage("ManageDraftsPage")),
    page(`${paths.manageDrafts}/more-about-drafts/$draftId`, lazyPage("DraftDetailsPage")),
    page(paths.announcements, lazyPage("AnnouncementsPage")),
    page(paths.manageAllTransactions, lazyPage("TransactionsPage")),
    page(`${paths.manageAllTransactions}/more-about-transaction/$transferId`, lazyPage("TransactionPage")),
    page(`${paths.adminDashboard}/manage-all-users/user-transactions/$userId`, lazyPage("UserTransactionsPage")),
    page(
      `${paths.adminDashboard}/manage-all-users/user-transactions/$userId/more-detailed-transaction/$transferId`,
      lazyPage("TransactionPage"),
    ),
    page(paths.creditAUser, lazyPage("CreditUserPage")),
    page(paths.adminProfile, lazyPage("AdminProfilePage")),
    page(paths.assignApi, lazyPage("AssignApiPage")),
    page(paths.adminRates, lazyPage("RatesPage")),
    page(paths.cardPayments, lazyPage("CardPaymentsPage")),
    page(paths.adminCarriers, lazyPage("CarriersPage")),
    page(paths.heldMessages, lazyPage("HeldMessagesPage")),
    page(paths.inboundMessages, lazyPage("InboundMessagesPage")),
    page(paths.dndNumbers, lazyPage("DndNumbersPage")),
    page(paths.administrators, lazyPage("AdministratorsPage")),
    page(paths.auditLog, lazyPage("AuditLogPage")),
  ]);
}
