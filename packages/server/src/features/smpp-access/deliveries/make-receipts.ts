/** What clients are told: receipts from the report feed and of parts whose message never came together, and messages from phones. */
import { messageStateNumber, type MessageState } from "@ewebal/smpp";
import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { findKeyIds } from "../../accounts/index.ts";
import { dropFromFeed, hasFeed, readFeed, type FeedRow, type TellInbox } from "../../delivery/index.ts";
import { accessLimits } from "../access-limits.ts";
import { expireSet, selectOverdueSets } from "../submits/submit-store.ts";
import { insertPhoneMessages, insertReceipts } from "./delivery-store.ts";

const OVERDUE_SETS_MAX = 200;

/**
 * How a recipient's state is said in SMPP. `unknown` is no end: a report may still settle it, and a client that hears UNKNOWN gives the message up.
 */
const stateOf: Partial<Record<FeedRow["state"], MessageState>> = {
  delivered: "delivered",
  failed: "undeliverable",
  dnd: "rejected",
  optedOut: "rejected",
  cancelled: "deleted",
  expired: "expired",
};

export function finalStateOf(state: FeedRow["state"], errorCode: string | null): MessageState | undefined {
  // What the carrier itself reported or answered is told as it is.
  if (state === "failed" && errorCode?.startsWith("report:expired") === true) return "expired";
  if (state === "failed" && errorCode?.startsWith("report:rejected") === true) return "rejected";
  if (state === "failed" && errorCode?.startsWith("status:") === true) return "rejected";
  return stateOf[state];
}

/** @returns whether there may be more. */
export async function makeReceipts(db: Db): Promise<boolean> {
  if (!(await hasFeed(db, "smpp"))) return false;
  return await withTransaction(
    db,
    async (tx) => {
      const rows = await readFeed(tx, "smpp", accessLimits.feedRowsPerRead);
      for (const [userId, own] of Map.groupBy(rows, (row) => row.userId)) {
        const told = own.flatMap(({ messageId, state, recipients, happenedAt }) =>
          recipients.flatMap(({ errorCode }) => {
            const final = finalStateOf(state, errorCode);
            return final === undefined ? [] : [{ messageId, state: messageStateNumber(final), errorCode, happenedAt }];
          }),
        );
        if (told.length > 0) await insertReceipts(tx, userId, told, messageStateNumber("delivered"));
      }
      await dropFromFeed(tx, "smpp", rows);
      return rows.length === accessLimits.feedRowsPerRead;
    },
    { repeatable: true },
  );
}

/** Ends long messages whose parts did not all come in time: nothing was charged, and their parts are reported EXPIRED. */
export async function expireParts(db: Db): Promise<number> {
  let count = 0;
  for (const set of await selectOverdueSets(db, OVERDUE_SETS_MAX)) {
    const isOurs = await withTransaction(db, (tx) => expireSet(tx, set, messageStateNumber("expired")), {
      repeatable: true,
    });
    if (isOurs) count += 1;
  }
  return count;
}

/** Messages from phones go to each of the customer's keys for SMPP. */
export const tellSmppClients: TellInbox = async (tx, userId, messages) => {
  const keyIds = await findKeyIds(tx, { userId, kind: "smpp", scope: "inbox" });
  if (keyIds.length > 0) await insertPhoneMessages(tx, userId, keyIds, messages);
};
