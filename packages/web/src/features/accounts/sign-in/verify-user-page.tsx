import { useParams } from "@tanstack/react-router";
import { LoginPage } from "./login-page.tsx";

/** The target of a verification mail's link: the login page, which verifies the account when it loads. */
export function VerifyUserPage() {
  const { token = "" } = useParams({ strict: false });
  return <LoginPage token={token} />;
}
