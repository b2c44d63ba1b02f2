import { useParams } from "@tanstack/react-router";
import { AdminLoginPage } from "./admin-login-page.tsx";

/** Where a verification mail's link leads: the login screen, which verifies the administrator on load. */
export function VerifyAdminPage() {
  const { token = "" } = useParams({ strict: false });
  return <AdminLoginPage token={token} />;
}
