import { paths } from "../../../lib/paths.ts";
import { TextLink } from "../../../ui/kit/links.tsx";
import { ScreenHeading } from "../../../shared/account/screen-heading.tsx";
import { ScreenAside } from "../../../shared/account/screen-parts.tsx";

/** Only the link in the mail opens the boxes: a person who cannot read the mailbox has nowhere to try codes. */
export function OtpPage() {
  return (
    <>
      <ScreenHeading title="Enter the code">
        To enter your code, open the link in the mail that we sent you.
      </ScreenHeading>
      <ScreenAside>
        No mail? <TextLink to={paths.adminRegister}>Register</TextLink> or{" "}
        <TextLink to={paths.adminLogin}>Login</TextLink>
      </ScreenAside>
    </>
  );
}
