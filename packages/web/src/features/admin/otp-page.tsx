import { paths } from "../../lib/paths.ts";
import { TextLink } from "../../ui/links.tsx";
import { ScreenHeading } from "../../ui/screen-heading.tsx";
import { ScreenAside } from "../../ui/screen-parts.tsx";

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
