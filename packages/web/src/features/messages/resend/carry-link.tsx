import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { MessageAnswer } from "@ewebal/contract";
import { carryMessage, forgetCarried } from "./carried-messages.ts";
import { holdsAllNumbers } from "../message-queries.ts";
import { paths, pathTo } from "../../../lib/paths.ts";

type CarryLinkProps = {
  to: string;
  /** Says which row it belongs to. */
  label: string;
  /** Hands over what the next page begins with. */
  onFollow: () => void;
  size?: "xs" | "sm";
  children: ReactNode;
};

/** A row's link to a form; opened in another tab, the form asks the server instead. */
export function CarryLink({ to, label, onFollow, size = "xs", children }: CarryLinkProps) {
  return (
    <Button
      size={size}
      variant="default"
      aria-label={label}
      renderRoot={(props) => <Link to={to} {...props} onClick={onFollow} />}
    >
      {children}
    </Button>
  );
}

/** The way to the form that sends a message again. One with more numbers than a list carries is read there. */
export function ResendLink({
  message,
  size = "xs",
  children,
}: {
  message: MessageAnswer;
  size?: "xs" | "sm";
  children: ReactNode;
}) {
  const carry = (): void =>
    holdsAllNumbers(message) ? carryMessage("sms-history", message) : forgetCarried("sms-history");
  return (
    <CarryLink
      to={resendPath(message._id)}
      label={`Resend the message from ${message.senderName}`}
      size={size}
      onFollow={carry}
    >
      {children}
    </CarryLink>
  );
}

/** One sent message. */
export function messagePath(messageId: string): string {
  return pathTo(paths.oneMessage, { messageId });
}

function resendPath(messageId: string): string {
  return pathTo(paths.resendSms, { id: messageId });
}

export function sendDraftPath(draftId: string): string {
  return pathTo(paths.sendDraft, { id: draftId });
}

export function editScheduledPath(messageId: string): string {
  return pathTo(paths.editScheduled, { id: messageId });
}
