import { Button } from "@mantine/core";
import { IconMailCheck } from "@tabler/icons-react";
import { useRouterState } from "@tanstack/react-router";
import { useBrand } from "../../../lib/brand.ts";
import { paths } from "../../../lib/paths.ts";
import { ButtonLink, TextLink } from "../../../ui/kit/links.tsx";
import { ScreenHeading } from "../../../shared/account/screen-heading.tsx";
import { ScreenActions, ScreenAside, ScreenSign } from "../../../shared/account/screen-parts.tsx";

/**
 * The mail that the page /otp-message announces. It is kept in the history state, so it survives a reload and does not
 * appear in the address.
 */
type AdminMail = { kind: "otp" | "verification" };

declare module "@tanstack/react-router" {
  // Merging with the library's type needs an interface.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface HistoryState {
    adminMail?: AdminMail;
  }
}

const words: Record<AdminMail["kind"], { title: string; text: string }> = {
  otp: {
    title: "Registration Successful",
    text: "A confirmation e-mail was sent to you. It contains a code of 4 digits that works for 10 minutes, and a link to the page where you enter it.",
  },
  verification: {
    title: "Your code is confirmed",
    text: "A verification e-mail was sent to you. Open its link, then log in. The link works once, within 24 hours.",
  },
};

/** Shown after registration and after a correct code: a mail is on its way. */
export function OtpMessagePage() {
  const mail = useRouterState({ select: ({ location }) => location.state.adminMail });
  const isTrial =
    useBrand()?.isMailKept === true && ["localhost", "127.0.0.1", "[::1]"].includes(window.location.hostname);
  const { title, text } = words[mail?.kind ?? "otp"];
  return (
    <>
      <ScreenSign>
        <IconMailCheck size={28} stroke={1.6} aria-hidden />
      </ScreenSign>
      <ScreenHeading title={title}>{text}</ScreenHeading>
      <ScreenActions>
        {/* On a trial installation mails stay on the machine; the server shows them under this address. */}
        {isTrial && (
          <Button component="a" size="md" href={paths.mailbox} target="_blank" rel="noreferrer">
            Open the mailbox
          </Button>
        )}
        {mail?.kind !== "otp" && (
          <ButtonLink to={paths.adminLogin} size="md" variant={isTrial ? "default" : "filled"}>
            Login
          </ButtonLink>
        )}
      </ScreenActions>
      <ScreenAside>
        No mail? Check your spam folder, or <TextLink to={paths.adminRegister}>register again</TextLink> once the{" "}
        {mail?.kind === "verification" ? "link" : "code"} has expired.
      </ScreenAside>
    </>
  );
}
