import { paths } from "../../../lib/paths.ts";
import { TextLink } from "../../../ui/kit/links.tsx";
import { ScreenHeading } from "../../../shared/account/screen-heading.tsx";
import { ScreenAside } from "../../../shared/account/screen-parts.tsx";

/** The boxes stand behind the link of the mail: who cannot read the mailbox has nothing to try codes on. */
export function OtpPage() {
  return (
    <>
      <ScreenHeading title="Enter the code">
        Open this page with the link in the mail that holds your code.
      </ScreenHeading>
      <ScreenAside>
        No mail? <TextLink to={paths.adminRegister}>Register</TextLink> or{" "}
        <TextLink to={paths.adminLogin}>Login</TextLink>
      </ScreenAside>
    </>
  );
}
