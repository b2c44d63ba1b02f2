import type { Queryable } from "../../../db/pool.ts";
import { IS_THERE } from "../queue/message-store.ts";
import { deliveryStateName, messageStateName, type DeliveryState } from "../states.ts";
import type { MessageState } from "@ewebal/contract";
import { readReason } from "./reasons.ts";
import type { OutcomeReason } from "@ewebal/contract";

/** A message to one recipient, and what became of that. */
export type OneRecipientMessage = {
  messageId: string;
  senderName: string;
  body: string;
  pageCount: number;
  state: MessageState;
  /** Undefined while nobody was asked to take it, and where it was cancelled or skipped. */
  recipientState: DeliveryState | undefined;
  isSkipped: boolean;
  hasExpired: boolean;
  failure: Failure | undefined;
  createdAt: Date;
  sendAt: Date | null;
  updatedAt: Date;
};

/** `isReported`: a carrier took it and reported later; else it was refused at once. */
export type Failure = { kind: OutcomeReason; isReported: boolean };

type Row = Omit<OneRecipientMessage, "state" | "recipientState" | "failure"> & {
  storedState: number;
  waiting: number;
  deliveryState: number | null;
  errorCode: string | null;
};

/** @returns those of the messages that the customer has and has not deleted. */
export async function selectOneRecipientMessages(
  db: Queryable,
  { userId, messageIds }: { userId: string; messageIds: readonly string[] },
): Promise<Map<string, OneRecipientMessage>> {
  const { rows } = await db.query<Row>(
    `select message.message_id as "messageId", sender_name as "senderName", body, page_count as "pageCount", message.state as "storedState",
       count.waiting, own.state as "deliveryState", own.error_code as "errorCode", has_expired as "hasExpired",
       count.dnd + count.opted_out > 0 as "isSkipped", message.created_at as "createdAt", send_at as "sendAt",
       coalesce(own.updated_at, message.state_at) as "updatedAt"
     from message
     join message_count count on count.user_id = message.user_id and count.message_id = message.message_id
     left join delivery own on own.user_id = message.user_id and own.message_id = message.message_id and own.position = 0
     where message.user_id = $1 and message.message_id = any ($2::uuid[]) and ${IS_THERE}`,
    [userId, messageIds],
  );
  return new Map(
    rows.map(({ storedState, waiting, deliveryState, errorCode, ...row }) => {
      const recipientState = deliveryState === null ? undefined : deliveryStateName(deliveryState);
      const failure = recipientState && readFailure(errorCode, recipientState);
      return [row.messageId, { ...row, state: messageStateName(storedState, waiting), recipientState, failure }];
    }),
  );
}

/** @param errorCode as it stands in the row, or in the report feed. */
export function readFailure(errorCode: string | null, state: DeliveryState): Failure | undefined {
  const read = readReason(errorCode, state);
  return read && { kind: read.kind, isReported: errorCode?.startsWith("report:") === true };
}
