import type {
  InboundAnswer,
  MessageCounts,
  OptOutSource,
  RecipientState,
  UnitDetails,
  WebhookEventType,
} from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Tx } from "../db/transaction.ts";
import { eventBits } from "./event-types.ts";
import { insertEvents, notifyDeliverers, selectHasListener } from "./outbox-store.ts";

export { EVENT_CHANNEL, notifyDeliverers } from "./outbox-store.ts";

/** A test key's message reaches no carrier, and its events say so. */
export type EventMode = "live" | "test";

/** What stands under `data` of each kind. Numbers are digits with the country code. */
export type EventData = {
  "message.accepted": { messageId: string; reference?: string; unitDetails: UnitDetails };
  "message.finished": { messageId: string; reference?: string; counts: MessageCounts };
  "recipients.updated": {
    recipients: {
      messageId: string;
      phoneNo: string;
      state: RecipientState;
      network: string | null;
      reason: string | null;
      reference?: string;
      updatedAt: string;
    }[];
  };
  "inbox.received": InboundAnswer;
  "contact.opted_out": { phoneNo: string; source: OptOutSource };
  "balance.low": { units: number; below: number };
  "sender.decided": { senderName: string; decision: "approved" | "declined" };
  "payment.credited": { units: number; cause: "card" | "deposit" | "manual" | "transfer" };
};

export type NewEvent<Type extends WebhookEventType = WebhookEventType> = {
  userId: string;
  type: Type;
  data: EventData[Type];
  mode?: EventMode | undefined;
  /** For what may be told of twice: of two events with one id the first stands. */
  eventId?: string | undefined;
};

/** Whether any endpoint asks for such events: for who has to read more to write one. */
export async function hasListener(tx: Tx, asked: { userId: string; type: WebhookEventType }): Promise<boolean> {
  return await selectHasListener(tx, asked.userId, eventBits([asked.type]));
}

/**
 * Tells a customer's programs what this transaction does. One statement, which writes nothing where no endpoint asks for this kind of event; on the
 * way of every send ask `followsAny` first.
 *
 * An endpoint that is switched off gets no delivery, but the event is kept, to be replayed.
 */
export async function recordEvent<Type extends WebhookEventType>(
  tx: Tx,
  { data, ...event }: NewEvent<Type>,
): Promise<void> {
  await recordEvents(tx, { ...event, data: [data] });
}

/** Several events of one kind, in order. */
export async function recordEvents<Type extends WebhookEventType>(
  tx: Tx,
  { userId, type, data, mode = "live", eventId }: Omit<NewEvent<Type>, "data"> & { data: readonly EventData[Type][] },
): Promise<void> {
  if (data.length === 0) return;
  const timestamp = new Date().toISOString();
  const deliveries = await insertEvents(tx, {
    userId,
    type,
    bit: eventBits([type]),
    eventIds: data.map((_, place) => (place === 0 && eventId !== undefined ? eventId : uuidv7())),
    bodies: data.map((one) => JSON.stringify({ type, timestamp, mode, data: one })),
  });
  if (deliveries > 0) await notifyDeliverers(tx);
}
