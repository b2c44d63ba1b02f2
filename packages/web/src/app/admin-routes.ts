import { createRoute, lazyRouteComponent, redirect, type AnyRoute, type RouteComponent } from "@tanstack/react-router";
import { paths } from "../lib/paths.ts";
import { getSession } from "../lib/session.ts";

/**
 * The administrators' pages.
 *
 * @param rootRoute parent of /admin-dashboard.
 * @param authLayout parent of the screens in the auth card (register, OTP, login).
 */
export function adminRoutes(rootRoute: AnyRoute, authLayout: AnyRoute): AnyRoute[] {
  const screen = (path: string, component: RouteComponent) => createRoute({ getParentRoute: () => authLayout, path, component });
  return [
    screen(paths.adminRegister, lazyRouteComponent(() => import("../features/admin/admin-register-page.tsx"), "AdminRegisterPage")),
    screen(paths.otpMessage, lazyRouteComponent(() => import("../features/admin/otp-message-page.tsx"), "OtpMessagePage")),
    screen(paths.otpPage, lazyRouteComponent(() => import("../features/admin/otp-page.tsx"), "OtpPage")),
    screen("/$token/verify-otp", lazyRouteComponent(() => import("../features/admin/verify-otp-page.tsx"), "VerifyOtpPage")),
    screen("/$token/verify-admin", lazyRouteComponent(() => import("../features/admin/verify-admin-page.tsx"), "VerifyAdminPage")),
    screen(paths.adminLogin, lazyRouteComponent(() => import("../features/admin/admin-login-page.tsx"), "AdminLoginPage")),
    dashboard(rootRoute),
  ];
}

/** Behind the guard: without a signed-in administrator the way leads to the administrators' login. */
function dashboard(rootRoute: AnyRoute) {
  const layout = createRoute({
    getParentRoute: () => rootRoute,
    path: paths.adminDashboard,
    beforeLoad: () => {
      if (getSession().adminId === null) throw redirect({ to: paths.adminLogin });
    },
    component: lazyRouteComponent(() => import("./admin-shell.tsx"), "AdminShell"),
  });
  /** @param path whole, as in `paths`. */
  const page = (path: string, component: RouteComponent) =>
    createRoute({ getParentRoute: () => layout, path: path.slice(paths.adminDashboard.length) || "/", component });

  return layout.addChildren([
    page(paths.adminDashboard, lazyRouteComponent(() => import("../features/admin/overview-page.tsx"), "OverviewPage")),
    page(paths.actionWhitelist, lazyRouteComponent(() => import("../features/admin/action-whitelist-page.tsx"), "ActionWhitelistPage")),
    page(paths.manageUsers, lazyRouteComponent(() => import("../features/admin/manage-users-page.tsx"), "ManageUsersPage")),
    page(`${paths.manageUsers}/more-details-about-user/$userId`, lazyRouteComponent(() => import("../features/admin/user-details-page.tsx"), "UserDetailsPage")),
    page(`${paths.manageUsers}/user-messages/$userId`, lazyRouteComponent(() => import("../features/admin/sms-lists.tsx"), "UserMessagesPage")),
    page(
      `${paths.manageUsers}/user-messages/$userId/more-about-sms/$messageId`,
      lazyRouteComponent(() => import("../features/admin/sms-details.tsx"), "UserMessageDetailsPage"),
    ),
    page(paths.manageSms, lazyRouteComponent(() => import("../features/admin/sms-lists.tsx"), "ManageSmsPage")),
    page(`${paths.manageSms}/more-about-sms/$messageId`, lazyRouteComponent(() => import("../features/admin/sms-details.tsx"), "SmsDetailsPage")),
    page(paths.manageDrafts, lazyRouteComponent(() => import("../features/admin/sms-lists.tsx"), "ManageDraftsPage")),
    page(`${paths.manageDrafts}/more-about-drafts/$draftId`, lazyRouteComponent(() => import("../features/admin/sms-details.tsx"), "DraftDetailsPage")),
    page(paths.announcements, lazyRouteComponent(() => import("../features/admin/announcements-page.tsx"), "AnnouncementsPage")),
    page(paths.manageAllTransactions, lazyRouteComponent(() => import("../features/admin/transactions-page.tsx"), "TransactionsPage")),
    page(
      `${paths.manageAllTransactions}/more-about-transaction/$transferId`,
      lazyRouteComponent(() => import("../features/admin/transaction-page.tsx"), "TransactionPage"),
    ),
    page(
      `${paths.adminDashboard}/manage-all-users/user-transactions/$userId`,
      lazyRouteComponent(() => import("../features/admin/user-transactions-page.tsx"), "UserTransactionsPage"),
    ),
    page(
      `${paths.adminDashboard}/manage-all-users/user-transactions/$userId/more-detailed-transaction/$transferId`,
      lazyRouteComponent(() => import("../features/admin/transaction-page.tsx"), "TransactionPage"),
    ),
    page(paths.creditAUser, lazyRouteComponent(() => import("../features/admin/credit-user-page.tsx"), "CreditUserPage")),
    page(paths.adminProfile, lazyRouteComponent(() => import("../features/admin/admin-profile-page.tsx"), "AdminProfilePage")),
    page(paths.assignApi, lazyRouteComponent(() => import("../features/admin/assign-api-page.tsx"), "AssignApiPage")),
    page(paths.adminRates, lazyRouteComponent(() => import("../features/admin/rates-page.tsx"), "RatesPage")),
    page(paths.cardPayments, lazyRouteComponent(() => import("../features/admin/card-payments-page.tsx"), "CardPaymentsPage")),
    page(paths.auditLog, lazyRouteComponent(() => import("../features/admin/audit-log-page.tsx"), "AuditLogPage")),
  ]);
}
