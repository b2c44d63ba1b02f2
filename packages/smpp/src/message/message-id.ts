/**
 * How a carrier writes its message ids. `hexToDec`: hexadecimal in submit_sm_resp, decimal in receipts (jsmpp and
 * many others); `decToHex`: the other way round.
 */
export type MessageIdForm = "asIs" | "hexToDec" | "decToHex";

/**
 * The key by which an id of a submit_sm_resp meets its receipt. Lower case, without leading zeros; an id that is not a
 * number in the carrier's form stays as it is. Keep the raw id beside it.
 */
export function answerKey(messageId: string, form: MessageIdForm): string {
  if (form === "hexToDec" && /^[0-9a-f]{1,64}$/i.test(messageId)) return BigInt(`0x${messageId}`).toString();
  if (form === "decToHex" && /^[0-9]{1,64}$/.test(messageId)) return BigInt(messageId).toString(16);
  return plainKey(messageId);
}

/** The key of an id in a receipt; see `answerKey`. */
export function receiptKey(messageId: string): string {
  return plainKey(messageId);
}

/**
 * Which setting makes an answer and a receipt that are known to belong together (by recipient and time) meet, to
 * find out a carrier's form from its first receipts.
 *
 * @returns undefined when none does.
 */
export function guessMessageIdForm(answerId: string, receiptId: string): MessageIdForm | undefined {
  const forms: readonly MessageIdForm[] = ["asIs", "hexToDec", "decToHex"];
  return forms.find((form) => answerKey(answerId, form) === receiptKey(receiptId));
}

function plainKey(messageId: string): string {
  const lower = messageId.trim().toLowerCase();
  const first = lower.charCodeAt(0);
  if (first !== 0x30) return lower;
  return lower.replace(/^0+(?=.)/, "");
}
