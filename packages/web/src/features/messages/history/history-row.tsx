import { ActionIcon, Badge } from "@mantine/core";
import type { MessageAnswer, MessageState } from "@ewebal/contract";
import { IconTrash } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { RefObject } from "react";
import { formatCount, formatCounted, formatRate, formatTimeOfDay, sentAt } from "../../../lib/texts/format.ts";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { chargeNote, chargeOf, isSentToNobody } from "../message-counts.ts";
import { MessageProgress } from "../message-progress.tsx";
import classes from "./sms-history.module.css";
import { useDeleteMessage, useListedMessage } from "./use-sms-history.ts";
import { focusMain } from "../../../ui/layout/page.tsx";
import { ResendLink, messagePath } from "../resend/carry-link.tsx";

type RowProps = {
  userId: string;
  messageId: string;
};

/** A message as a row of the wide table. */
export function HistoryRow({ userId, messageId }: RowProps) {
  const { message, ref } = useListedMessage(userId, messageId);
  if (message === undefined) return null;
  return (
    <tr ref={ref as RefObject<HTMLTableRowElement | null>}>
      <td className="strong">{message.senderName}</td>
      <td className={classes.text}>
        <MessageLink message={message} />
      </td>
      <td className={`${classes.number} numeric`}>{formatCount(message.recipients)}</td>
      <td className={`${classes.number} numeric`}>
        <Charge message={message} />
      </td>
      <td className={classes.status}>
        <Status message={message} />
      </td>
      <td className="muted small nowrap">
        <RelativeTime iso={sentAt(message)} />
        {message.sentBy !== undefined && <p className="muted small anywhere">{message.sentBy}</p>}
      </td>
      <td className={classes.action}>
        <Actions userId={userId} message={message} />
      </td>
    </tr>
  );
}

type CardsProps = {
  userId: string;
  messageIds: readonly string[];
  /** Without actions, for a page about something else. */
  isBrief?: boolean;
};

/** The same on a narrow screen, for the whole list. */
export function HistoryCards({ userId, messageIds, isBrief = false }: CardsProps) {
  return (
    <ul className={classes.cards} aria-label="Sent messages">
      {messageIds.map((messageId) => (
        <HistoryCard key={messageId} userId={userId} messageId={messageId} isBrief={isBrief} />
      ))}
    </ul>
  );
}

function HistoryCard({ userId, messageId, isBrief }: RowProps & { isBrief: boolean }) {
  const { message, ref } = useListedMessage(userId, messageId);
  if (message === undefined) return null;
  return (
    <li ref={ref as RefObject<HTMLLIElement | null>} className={classes.card}>
      <Inline gap={12} align="center" justify="between">
        <p className="strong">{message.senderName}</p>
        <p className="muted small nowrap">
          <RelativeTime iso={sentAt(message)} />
        </p>
      </Inline>
      {message.sentBy !== undefined && <p className="muted small anywhere">{message.sentBy}</p>}
      <MessageLink message={message} />
      <Status message={message} />
      <Inline gap={12} align="center" justify="between">
        <div className="small numeric">
          <p className="muted">{formatCounted(message.recipients, "recipient")}</p>
          <Charge message={message} unit=" units" />
        </div>
        {!isBrief && <Actions userId={userId} message={message} />}
      </Inline>
    </li>
  );
}

function MessageLink({ message }: { message: MessageAnswer }) {
  return (
    <Link to={messagePath(message._id)} className={classes.link}>
      {message.message}
    </Link>
  );
}

function Charge({ message: { units }, unit = "" }: { message: MessageAnswer; unit?: string }) {
  if (units === undefined) return null;
  const note = chargeNote(units);
  return (
    <>
      <p>
        {formatRate(chargeOf(units))}
        {unit}
      </p>
      {note !== "" && <p className="muted tiny">{note}</p>}
    </>
  );
}

/** What is worth saying beside the specified "Successful". */
const notedStates: Partial<Record<MessageState, string>> = {
  sending: "Sending",
  deferred: "Waits for the morning",
  review: "In review",
  paused: "Paused",
  held: "Held",
  cancelled: "Cancelled",
};

function Status({ message }: { message: MessageAnswer }) {
  const { counts, state, deferredUntil } = message;
  const noted = deferredUntil === undefined ? notedStates[state] : `Waits until ${formatTimeOfDay(deferredUntil)}`;
  const isNotSent = isSentToNobody(message);
  return (
    <Stack gap={8}>
      <Inline gap={6} wraps>
        <Badge color={isNotSent ? "gray" : "green"} variant="light">
          {isNotSent ? "Not sent" : "Successful"}
        </Badge>
        {noted !== undefined && (
          <Badge color={state === "sending" ? "blue" : "yellow"} variant="light">
            {noted}
          </Badge>
        )}
      </Inline>
      <MessageProgress counts={counts} />
    </Stack>
  );
}

function Actions({ userId, message }: { userId: string; message: MessageAnswer }) {
  return (
    <Inline gap={4} align="center" justify="end" className="no-print">
      <ResendLink message={message}>Resend</ResendLink>
      <DeleteButton userId={userId} message={message} />
    </Inline>
  );
}

function DeleteButton({ userId, message }: { userId: string; message: MessageAnswer }) {
  const deleteMessage = useDeleteMessage(userId);
  const onClick = async (): Promise<void> => {
    if (await deleteMessage(message)) focusMain();
  };
  return (
    <ActionIcon
      data-least="sender"
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={`Delete the message from ${message.senderName}`}
      title="Delete"
      onClick={() => void onClick()}
    >
      <IconTrash size={18} stroke={1.7} aria-hidden />
    </ActionIcon>
  );
}
