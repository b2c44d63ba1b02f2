import { decodeText } from "@ewebal/smpp";
import { v7 as uuidv7 } from "uuid";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import type { Db, Queryable } from "../../../db/pool.ts";
import { storableText } from "../../../db/sql-array.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import { inboundMessageReceived, inboxChanged, publishChange } from "../../../events/index.ts";
import type { InboundText } from "../carriers/carrier.ts";
import type { ReceivedText } from "../outcomes/settle-early-reports.ts";
import { insertInboxMessages, selectInboxMessage, selectNumberOwners } from "./inbox-store.ts";
import { hasListener, recordEvent } from "../../../outbox/index.ts";
import { presentInbox } from "./present-inbound.ts";
import { followControlWords, isControlWord } from "../opt-outs/opt-outs.ts";
import { readAddress, routeInbound, type Routed } from "./route-inbound.ts";
import {
  deleteJoinedParts,
  insertInboundMessages,
  insertInboundParts,
  lockInbound,
  markJoined,
  selectInboundMessages,
  selectJoinableParts,
  type InboundMessage,
  type NewInboundMessage,
  type StoredPart,
} from "./inbound-store.ts";

/** A message whose parts do not all come is shown without them after this; carriers give up on a part later. */
export const PARTS_WAIT_SECONDS = 600;
/** A part that comes again is known for this long. */
const JOINED_KEPT_SECONDS = 86_400;
const JOINED_MESSAGES_MAX = 200;
/** Stands where a part is missing. */
const GAP = "[…]";

/** Tells somebody above of messages that came to one customer's numbers, in the transaction that stores them. */
export type TellInbox = (
  tx: Tx,
  userId: string,
  messages: readonly Pick<NewInboundMessage, "fromAddress" | "toAddress" | "body" | "receivedAt">[],
) => Promise<void>;

/** What a carrier brought, with the carrier's number. */
export type InboundItem = { carrierId: number; text: InboundText };

/**
 * Stores messages from phones, and joins the parts of long ones. When it returns they are committed and may be acknowledged: at
 * least once each, because a carrier whose acknowledgement was lost brings a short message a second time.
 */
export async function storeInbound(db: Db, items: readonly InboundItem[], tellInbox?: TellInbox): Promise<void> {
  const isLong = ({ text: { place } }: InboundItem): boolean =>
    place !== undefined && place.partCount > 1 && place.partNumber >= 1 && place.partNumber <= place.partCount;
  const now = new Date();
  const whole = items
    .filter((item) => !isLong(item))
    .map(({ carrierId, text }) => ({
      inboundId: uuidv7(),
      carrierId,
      fromAddress: text.from,
      toAddress: text.to,
      body: readText([text.octets], text.dataCoding),
      receivedAt: now,
    }));
  const parts = items.filter(isLong).map(({ carrierId, text }) => ({
    partId: uuidv7(),
    carrierId,
    fromAddress: text.from,
    toAddress: text.to,
    reference: text.place?.reference ?? 0,
    partCount: text.place?.partCount ?? 1,
    partNumber: text.place?.partNumber ?? 1,
    dataCoding: text.dataCoding,
    octets: text.octets,
  }));
  await withTransaction(db, async (tx) => {
    if (parts.length > 0) {
      await lockInbound(tx);
      await insertInboundParts(tx, parts);
      whole.push(...(await joinParts(tx)));
    }
    await addMessages(tx, await routeMessages(tx, whole), tellInbox);
  });
}

/**
 * Puts texts into inboxes that read like reports, but are about no message of ours. Those to a number that belongs to nobody are left: they are
 * reports of what somebody else sent by the same carrier.
 */
export async function storeLookAlikes(
  tx: Tx,
  texts: readonly ReceivedText[],
  tellInbox: TellInbox | undefined,
): Promise<void> {
  const messages = texts.map(({ carrierId, from, to, body, receivedAt }) => ({
    inboundId: uuidv7(),
    carrierId,
    fromAddress: from,
    toAddress: to,
    body,
    receivedAt,
  }));
  const routed = await routeMessages(tx, messages);
  await addMessages(
    tx,
    routed.filter(({ owner }) => owner !== undefined),
    tellInbox,
  );
}

/** Shows long messages whose missing parts are not waited for any longer, and forgets parts that were joined long ago. */
export async function endWaitingParts(db: Db, tellInbox?: TellInbox): Promise<void> {
  await withTransaction(db, async (tx) => {
    await lockInbound(tx);
    await addMessages(tx, await routeMessages(tx, await joinParts(tx)), tellInbox);
  });
  await deleteJoinedParts(db, JOINED_KEPT_SECONDS);
}

async function joinParts(tx: Tx): Promise<NewInboundMessage[]> {
  const parts = await selectJoinableParts(tx, { waitSeconds: PARTS_WAIT_SECONDS, messagesMax: JOINED_MESSAGES_MAX });
  const groups = Map.groupBy(parts, (part) =>
    JSON.stringify([part.carrierId, part.fromAddress, part.toAddress, part.reference, part.partCount]),
  );
  if (parts.length > 0)
    await markJoined(
      tx,
      parts.map(({ partId }) => partId),
    );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const receivedAt = new Date(Math.min(...group.map((part) => part.receivedAt.getTime())));
    return [
      {
        inboundId: uuidv7(),
        carrierId: first.carrierId,
        fromAddress: first.fromAddress,
        toAddress: first.toAddress,
        body: readParts(group),
        receivedAt,
      },
    ];
  });
}

/** Neighbours in one alphabet are read together: a phone may have cut a character in two. */
function readParts(parts: readonly StoredPart[]): string {
  let text = "";
  let run: StoredPart[] = [];
  const endRun = (): void => {
    text += readText(
      run.map(({ octets }) => octets),
      run[0]?.dataCoding ?? 0,
    );
    run = [];
  };
  let expected = 1;
  for (const part of parts) {
    if (part.partNumber !== expected || part.dataCoding !== run[0]?.dataCoding) endRun();
    if (part.partNumber !== expected) text += GAP;
    run.push(part);
    expected = part.partNumber + 1;
  }
  endRun();
  return expected === (parts[0]?.partCount ?? 0) + 1 ? text : text + GAP;
}

function readText(octets: readonly Buffer[], dataCoding: number): string {
  return storableText(decodeText(Buffer.concat(octets), dataCoding));
}

type RoutedMessage = NewInboundMessage & Routed;

/** Finds whose number or keyword each message came to. */
async function routeMessages(tx: Tx, messages: readonly NewInboundMessage[]): Promise<RoutedMessage[]> {
  if (messages.length === 0) return [];
  const numbers = [...new Set(messages.map(({ toAddress }) => readAddress(toAddress)))];
  const owners = Map.groupBy(await selectNumberOwners(tx, numbers), ({ number }) => number);
  return messages.map((message) => ({
    ...message,
    ...routeInbound(message.body, owners.get(readAddress(message.toAddress)) ?? [], isControlWord),
  }));
}

/** Puts each message into its owner's inbox; those of nobody are for administrators. */
async function addMessages(tx: Tx, routed: readonly RoutedMessage[], tellInbox: TellInbox | undefined): Promise<void> {
  const unassigned = routed.filter(({ owner }) => owner === undefined);
  if (unassigned.length > 0) {
    await insertInboundMessages(tx, unassigned);
    await publishChange(tx, inboundMessageReceived());
  }
  const owned = Map.groupBy(routed, ({ owner }) => owner?.userId ?? "");
  // In order of the customers: two workers that store messages to the same ones wait for each other and never deadlock.
  for (const userId of [...owned.keys()].toSorted()) {
    if (userId === "") continue;
    const own = owned.get(userId) ?? [];
    await insertInboxMessages(tx, userId, own);
    await tellOfInbox(tx, userId, own);
    await tellInbox?.(tx, userId, own);
    const [first] = own;
    if (first?.owner !== undefined) await followControlWords(tx, first.owner, own);
    await publishChange(tx, inboxChanged(userId));
  }
}

/** At the end of the customer's part, one event for each message. */
async function tellOfInbox(tx: Tx, userId: string, own: readonly { inboundId: string }[]): Promise<void> {
  if (!(await hasListener(tx, { userId, type: "inbox.received" }))) return;
  for (const { inboundId } of own) {
    const message = await selectInboxMessage(tx, { userId, inboundId });
    if (message !== undefined) await recordEvent(tx, { userId, type: "inbox.received", data: presentInbox(message) });
  }
}

/**
 * What phones sent, newest first.
 *
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listInboundMessages(
  db: Queryable,
  query: { limit: number; after?: string | undefined },
): Promise<{ rows: InboundMessage[]; next: string | null }> {
  assertIdCursor(query.after);
  return await readPage(
    query.limit,
    (limit) => selectInboundMessages(db, { limit, beforeId: query.after }),
    ({ inboundId }) => inboundId,
  );
}
