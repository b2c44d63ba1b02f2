import type { MessageAnswer } from "@ewebal/contract";
import type { ReactNode } from "react";
import { carryMessage, forgetCarried } from "./carried-messages.ts";
import { CarryLink } from "./carry-link.tsx";
import { resendPath } from "../message-paths.ts";
import { holdsAllNumbers } from "../message-queries.ts";

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
