/**
 * How somebody becomes and is known as an administrator. Apart from their other pages, whose list brings the icons of the menu and
 * the frame of the dashboard along: 57 kB (brotli), where 135 are all that these may weigh.
 */
import type { adminSignInPaths } from "@ewebal/contract/pages";
import type { PageRecords } from "./page-record.ts";

/** In the card of the sign-in screens. */
export const adminSignInPages: PageRecords<typeof adminSignInPaths> = {
  adminRegister: {
    load: async () => (await import("../features/admin/sign-in/admin-register-page.tsx")).AdminRegisterPage,
  },
  otpMessage: {
    load: async () => (await import("../features/admin/sign-in/otp-message-page.tsx")).OtpMessagePage,
  },
  otpPage: {
    load: async () => (await import("../features/admin/sign-in/otp-page.tsx")).OtpPage,
  },
  verifyOtp: {
    load: async () => (await import("../features/admin/sign-in/verify-otp-page.tsx")).VerifyOtpPage,
  },
  verifyAdmin: {
    load: async () => (await import("../features/admin/sign-in/verify-admin-page.tsx")).VerifyAdminPage,
  },
  adminLogin: {
    load: async () => (await import("../features/admin/sign-in/admin-login-page.tsx")).AdminLoginPage,
  },
};
