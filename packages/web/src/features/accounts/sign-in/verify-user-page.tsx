import { useParams } from "@tanstack/react-router";
import { LoginPage } from "./login-page.tsx";

/** Where a verification mail's link leads: the login screen, which verifies the account on load. */
export function VerifyUserPage() {
  const { token = "" } = useParams({ strict: false });
  return <LoginPage token={token} />;
}
