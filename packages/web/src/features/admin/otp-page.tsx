import { paths } from "../../lib/paths.ts";
import { TextLink } from "../../ui/links.tsx";
import { ScreenHeading } from "../../ui/screen-heading.tsx";
import { ScreenAside } from "../../ui/screen-parts.tsx";
import { readRegistrationToken } from "./registration-token.ts";
import { OtpForm } from "./verify-otp-page.tsx";

/** The boxes for who registered in this tab; anybody else has the link to them in the mail. */
export function OtpPage() {
  const token = readRegistrationToken();
  if (token !== undefined) return <OtpForm token={token} />;
  return (
    <>
      <ScreenHeading title="Enter the code">Open this page with the link in the mail that holds your code.</ScreenHeading>
      <ScreenAside>
        No mail? <TextLink to={paths.adminRegister}>Register</TextLink> or <TextLink to={paths.adminLogin}>Login</TextLink>
      </ScreenAside>
    </>
  );
}
