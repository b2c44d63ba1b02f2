import { Button } from "@mantine/core";
import { IconMailCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useBrand } from "../../../lib/brand.ts";
import { paths } from "../../../lib/paths.ts";
import { ButtonLink, TextLink } from "../../../ui/kit/links.tsx";
import { ScreenHeading } from "../../../shared/account/screen-heading.tsx";
import { ScreenActions, ScreenAside, ScreenSign } from "../../../shared/account/screen-parts.tsx";

const WEBMAIL_ADDRESS = "https://mail.google.com/";

/** Shown after registration: a mail is on its way. */
export function MessagePage() {
  return (
    <MailSent
      title="Registration Successful"
      text="A confirmation e-mail was sent to you. Open it and follow the link to verify your account; the link works for 24 hours."
    >
      No mail? Check your spam folder, or <TextLink to={paths.login}>log in</TextLink> to have it sent again.
    </MailSent>
  );
}

/** Shown after a reset was requested: a mail is on its way. */
export function ResetMessagePage() {
  return (
    <MailSent
      title="Check your mail"
      text="A confirmation e-mail was sent to you. Follow its link to choose a new password; the link works for 30 minutes, once."
    >
      No mail? Check your spam folder, or <TextLink to={paths.resetPassword}>ask for another mail</TextLink>.
    </MailSent>
  );
}

type MailSentProps = {
  title: string;
  text: string;
  children: ReactNode;
};

function MailSent({ title, text, children }: MailSentProps) {
  const isTrial =
    useBrand()?.isMailKept === true && ["localhost", "127.0.0.1", "[::1]"].includes(window.location.hostname);
  return (
    <>
      <ScreenSign>
        <IconMailCheck size={28} stroke={1.6} aria-hidden />
      </ScreenSign>
      <ScreenHeading title={title}>{text}</ScreenHeading>
      <ScreenActions>
        {/* On a trial installation mails stay on the machine; the server shows them under this address. */}
        <Button
          component="a"
          size="md"
          href={isTrial ? paths.mailbox : WEBMAIL_ADDRESS}
          target="_blank"
          rel="noreferrer"
        >
          {isTrial ? "Open the mailbox" : "Open Gmail"}
        </Button>
        <ButtonLink to={paths.login} size="md" variant="default">
          Login
        </ButtonLink>
      </ScreenActions>
      <ScreenAside>{children}</ScreenAside>
    </>
  );
}
