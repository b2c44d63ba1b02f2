import { MILLI_PER_UNIT, type RecipientState } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import { CSV_START, csvLine, csvPhoneNo, csvText } from "../../../http/csv-line.ts";
import { listMessages, listRecipients, type MessageListQuery, type Viewer } from "../../delivery/index.ts";
import type { Deps } from "../../../base/deps.ts";
import { presentMessages, presentRecipient } from "../present-message.ts";

/** Rows read at a time: a page of a million recipients or messages holds no more than this in memory. */
const MESSAGES_PER_READ = 500;
const RECIPIENTS_PER_READ = 2_000;

const HISTORY_HEADING = [
  ["Sent", "Sender name", "Message", "Country code", "Recipients", "Pages", "Units per recipient", "State"],
  ["Waiting", "Sent on", "Delivered", "Failed", "DND", "Unknown", "Cancelled"],
  ["Charged", "Reserved", "Returned", "Id"],
  ["Opted out", "Expired", "Class", "Waits until", "Sent by"],
].flat();

/** All messages that the filters leave, newest first, line by line, in the states that the list shows them in. */
export async function* historyCsv(
  deps: Pick<Deps, "config" | "clock" | "db">,
  whose: { userId: string; viewer: Viewer },
  filters: Omit<MessageListQuery, "limit" | "after">,
): AsyncGenerator<string> {
  yield CSV_START + csvLine(HISTORY_HEADING);
  let after: string | undefined;
  do {
    const query = { ...filters, limit: MESSAGES_PER_READ, after };
    const { rows, next } = await listMessages(deps.db, { ...whose, query });
    const shown = await presentMessages(deps, rows);
    for (const [place, message] of rows.entries()) {
      const { state = message.state, deferredUntil = "", sentBy = "" } = shown[place] ?? {};
      const { waiting, sent, delivered, failed, dnd, unknown, cancelled, optedOut = 0, expired = 0 } = message.counts;
      const counts = [waiting, sent, delivered, failed, dnd, unknown, cancelled].map(String);
      const sentAt = (message.sendAt ?? message.createdAt).toISOString();
      const price = exactUnits(message.priceMilli);
      const { chargedMilli, reservedMilli, returnedMilli } = message.units;
      const { senderName, body, code, recipientCount, pageCount, messageId } = message;
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
        String(optedOut),
        String(expired),
        message.class,
        deferredUntil,
        csvText(sentBy),
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
  list: {
    userId: string;
    messageId: string;
    code: string;
    isMerged: boolean;
    state: RecipientState | undefined;
    viewer: Viewer;
  },
): AsyncGenerator<string> {
  // Where all got the same text, a million lines do not repeat it.
  const ownHeading = list.isMerged ? ["Text", "Pages", "Reference"] : [];
  yield (
    CSV_START +
      csvLine(["Number", "Network", "State", "Reason", "What to do", "Carrier's code", "Updated", ...ownHeading])
  );
  let after: string | undefined;
  do {
    const { rows, next } = await listRecipients(db, { ...list, limit: RECIPIENTS_PER_READ, after });
    let lines = "";
    for (const recipient of rows) {
      const { network, state, reason, advice = "", carrierCode = "", updatedAt, ...own } = presentRecipient(recipient);
      const why = [reason, advice, carrierCode].map(csvText);
      const texts = list.isMerged ? [csvText(own.text), String(own.pages), csvText(own.reference ?? "")] : [];
      lines += csvLine([csvPhoneNo(recipient.phoneNo, list.code), network, state, ...why, updatedAt, ...texts]);
    }
    yield lines;
    after = next ?? undefined;
  } while (after !== undefined);
}
