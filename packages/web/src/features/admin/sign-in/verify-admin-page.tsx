import { useParams } from "@tanstack/react-router";
import { AdminLoginPage } from "./admin-login-page.tsx";

/** The target of a verification mail's link: the login page, which verifies the administrator when it loads. */
export function VerifyAdminPage() {
  const { token = "" } = useParams({ strict: false });
  return <AdminLoginPage token={token} />;
}
