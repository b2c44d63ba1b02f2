/**
 * What one page hands to the next: the message that is to be sent again, the draft that is to be edited. The entries stand in
 * the tab's own storage, so that a reload finds them; the end of the session removes them, whether or not a page that knows
 * them was opened.
 */
export type CarriedEntry = "sms-history" | "draft-history";

export type CarriedMessage = {
  /** Of the message or draft. */
  _id: string;
  senderName: string;
  message: string;
  phoneNo: string;
  code: string;
};

const fields = ["_id", "senderName", "message", "phoneNo", "code"] as const;

/** A message that is too large for the storage is not carried; the page then asks the server. */
export function carryMessage(entry: CarriedEntry, message: CarriedMessage): void {
  try {
    sessionStorage.setItem(entry, JSON.stringify(Object.fromEntries(fields.map((name) => [name, message[name]]))));
  } catch {
    forgetCarried(entry);
  }
}

/** @returns undefined when another message was carried, or none. */
export function findCarried(entry: CarriedEntry, id: string): CarriedMessage | undefined {
  try {
    const carried: unknown = JSON.parse(sessionStorage.getItem(entry) ?? "null");
    return isCarriedMessage(carried) && carried._id === id ? carried : undefined;
  } catch {
    return undefined; // Blocked storage, or an entry that somebody else wrote.
  }
}

export function forgetCarried(...entries: CarriedEntry[]): void {
  try {
    for (const entry of entries) sessionStorage.removeItem(entry);
  } catch {
    // Without storage there is nothing to forget.
  }
}

function isCarriedMessage(value: unknown): value is CarriedMessage {
  return (
    typeof value === "object" &&
    value !== null &&
    fields.every((name) => name in value && typeof (value as CarriedMessage)[name] === "string")
  );
}
