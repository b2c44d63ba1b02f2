/** What one page hands to the next: the message that is to be sent again, the draft that is to be edited. */
import { forgetInTab, keepInTab, readFromTab } from "../../../lib/session/tab-storage.ts";

export type CarriedEntry = "sms-history" | "draft-history";

export type CarriedMessage = {
  /** Of the message or draft. */
  _id: string;
  senderName: string;
  message: string;
  phoneNo: string;
  code: string;
};

/** Beside those that are carried: a message that has one is read by the form that it is carried to. */
type Further = { [name in (typeof further)[number]]?: unknown };

const further = ["isMerged", "optOutLink", "dnd", "validUntil"] as const;
const fields = ["_id", "senderName", "message", "phoneNo", "code"] as const;

/** A message that is too large for the storage, or more than its five fields, is not carried; the page then asks the server. */
export function carryMessage(
  entry: CarriedEntry,
  message: CarriedMessage & Further & { class?: string; recipients?: unknown },
): void {
  // A message has their number under this name, and a draft what is known of each.
  const isMore =
    message.class === "transactional" ||
    Array.isArray(message.recipients) ||
    further.some((name) => message[name] !== undefined);
  if (isMore) forgetInTab(entry);
  else keepInTab(entry, Object.fromEntries(fields.map((name) => [name, message[name]])));
}

/** @returns undefined when another message was carried, or none. */
export function findCarried(entry: CarriedEntry, id: string): CarriedMessage | undefined {
  const carried = readFromTab(entry);
  return isCarriedMessage(carried) && carried._id === id ? carried : undefined;
}

export function forgetCarried(entry: CarriedEntry): void {
  forgetInTab(entry);
}

function isCarriedMessage(value: unknown): value is CarriedMessage {
  return (
    typeof value === "object" &&
    value !== null &&
    fields.every((name) => name in value && typeof (value as CarriedMessage)[name] === "string")
  );
}
