import { MILLI_PER_UNIT, type RecipientState } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import { CSV_START, csvLine, csvPhoneNo, csvText } from "../../../http/csv-line.ts";
import { listMessages, listRecipients, type MessageListQuery, type Viewer } from "../../delivery/index.ts";
import { presentRecipient } from "../present-message.ts";

/** Rows read at a time: a page of a million recipients or messages holds no more than this in memory. */
const MESSAGES_PER_READ = 500;
const RECIPIENTS_PER_READ = 2_000;

const HISTORY_HEADING = [
  ["Sent", "Sender name", "Message", "Country code", "Recipients", "Pages", "Units per recipient", "State"],
  ["Waiting", "Sent on", "Delivered", "Failed", "DND", "Unknown", "Cancelled"],
  ["Charged", "Reserved", "Returned", "Id"],
].flat();

/** All messages that the filters leave, newest first, line by line. */
export async function* historyCsv(
  db: Queryable,
  whose: { userId: string; viewer: Viewer },
  filters: Omit<MessageListQuery, "limit" | "after">,
): AsyncGenerator<string> {
  yield CSV_START + csvLine(HISTORY_HEADING);
  let after: string | undefined;
  do {
    const { rows, next } = await listMessages(db, { ...whose, query: { ...filters, limit: MESSAGES_PER_READ, after } });
    for (const message of rows) {
      const { waiting, sent, delivered, failed, dnd, unknown, cancelled } = message.counts;
      const counts = [waiting, sent, delivered, failed, dnd, unknown, cancelled].map(String);
      const sentAt = (message.sendAt ?? message.createdAt).toISOString();
      const price = exactUnits(message.priceMilli);
      const { chargedMilli, reservedMilli, returnedMilli } = message.units;
      const { senderName, body, code, recipientCount, pageCount, state, messageId } = message;
      yield csvLine([
        sentAt,
        csvText(senderName),
        csvText(body),
        code,
        String(recipientCount),
        String(pageCount),
        price,
        state,
        ...counts,
        ...[chargedMilli, reservedMilli, returnedMilli].map(exactUnits),
        messageId,
      ]);
    }
    after = next ?? undefined;
  } while (after !== undefined);
}

/** With the third decimal, which a rate may have. */
function exactUnits(milli: number): string {
  return (milli / MILLI_PER_UNIT).toFixed(3);
}

/** All recipients of a message in the order they were given, or those in one state, line by line, with reasons in plain words. */
export async function* recipientsCsv(
  db: Queryable,
  list: { userId: string; messageId: string; code: string; state: RecipientState | undefined; viewer: Viewer },
): AsyncGenerator<string> {
  yield CSV_START + csvLine(["Number", "Network", "State", "Reason", "What to do", "Carrier's code", "Updated"]);
  let after: string | undefined;
  do {
    const { rows, next } = await listRecipients(db, { ...list, limit: RECIPIENTS_PER_READ, after });
    let lines = "";
    for (const recipient of rows) {
      const { network, state, reason, advice = "", carrierCode = "", updatedAt } = presentRecipient(recipient);
      const why = [reason, advice, carrierCode].map(csvText);
      lines += csvLine([csvPhoneNo(recipient.phoneNo, list.code), network, state, ...why, updatedAt]);
    }
    yield lines;
    after = next ?? undefined;
  } while (after !== undefined);
}
