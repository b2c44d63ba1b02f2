/** What makes a composition one whose texts differ, and what is still to be decided before it can be sent. */
import type { DraftAnswer, SendRecipient } from "@ewebal/contract";
import { keysOfPattern, optOutEnding, personalLimits, readPattern, shortLink } from "@ewebal/contract/rules";
import { formatCount, formatCounted } from "../../../lib/texts/format.ts";
import { writeTable } from "../../../shared/numbers/recipient-table.ts";
import { DEFAULT_TIME_ZONE, scheduleAt } from "../scheduled/schedule.ts";
import type { Choices, Composition, NumberList } from "../compose/composition.ts";

/** The keys that a text asks for. */
export function keysOf(message: string): readonly string[] {
  // Most texts have none, and nothing is to be taken apart while one types.
  return message.includes("{{") ? keysOfPattern(readPattern(message)) : [];
}

type Known = Pick<Composition, "message" | "summary">;

/** Whether each recipient's text is made of what is known of it; all else is sent as plain numbers. */
export function isPersonal({ message, summary }: Known): boolean {
  if (summary === undefined) return false;
  return summary.hasOwnTexts || (summary.columns.length > 0 && keysOf(message).length > 0);
}

/** Whether the texts that were made last are those of the present message and recipients. */
export function isMergeCurrent(composition: Composition): boolean {
  const { merged, message, summary, publicUrl } = composition;
  return (
    merged !== undefined &&
    merged.message === message &&
    merged.of === summary &&
    merged.ending === endingOf(composition) &&
    merged.publicUrl === publicUrl
  );
}

/** The most pages that one recipient's text has; 0 until the texts are made. Undefined where all get the same. */
export function mostPagesOf(composition: Composition): number | undefined {
  if (!isPersonal(composition)) return undefined;
  return isMergeCurrent(composition) ? (composition.merged?.pageCounts.at(-1)?.pages ?? 0) : 0;
}

/** What each text ends in. */
export function endingOf({ choices, publicUrl }: Pick<Composition, "choices" | "publicUrl">): string {
  return choices.optOutLink === true ? optOutEnding(publicUrl) : "";
}

/** The text with links as long as its recipients get them; fields without a fallback stay as they are written. */
export function textAsSent(composition: Pick<Composition, "message" | "choices" | "publicUrl">): string {
  const { message, publicUrl } = composition;
  if (message === "") return "";
  const linked = message.replaceAll(LINK, () => shortLink(publicUrl));
  return linked + endingOf(composition);
}

/** As the contract's merging reads it. */
const LINK = /\{\{\s*link:[^{}]*\}\}/g;

/** How a message or draft is sent, as the form holds it. @param timeZone in which its end is shown. */
export function choicesOf(
  answer: Pick<DraftAnswer, "class" | "dnd" | "optOutLink" | "validUntil">,
  timeZone: string = DEFAULT_TIME_ZONE,
): Choices {
  const { class: messageClass, dnd, optOutLink, validUntil } = answer;
  const endMs = validUntil === undefined ? 0 : Date.parse(validUntil);
  return {
    ...(messageClass === "transactional" && { class: messageClass, ...(dnd === "skip" && { dnd }) }),
    ...(optOutLink && { optOutLink }),
    // An end that has passed was that of another time.
    ...(endMs > Date.now() && { validUntil: scheduleAt(endMs, timeZone) }),
  };
}

/** The list that is all there is. */
export function onlyList({ lists, typedNumbers }: Pick<Composition, "lists" | "typedNumbers">): NumberList | undefined {
  return lists.length === 1 && typedNumbers === "" ? lists[0] : undefined;
}

/** Keys in the text of which nothing is known for these recipients. */
export function findUnknownKeys({ message, summary, knownKeys }: Known & Pick<Composition, "knownKeys">): string[] {
  return keysOf(message).filter(
    (key) => !knownKeys.includes(key) && summary?.columns.some((column) => column.key === key) !== true,
  );
}

/** What is still needed before texts that differ can be sent, as `missingInWords` takes it. */
export function findPersonalFaults(composition: Composition): string[] {
  const unknown = findUnknownKeys(composition);
  if (unknown.length > 0) return [`recipients with ${unknown.map((key) => `{{${key}}}`).join(", ")}`];
  if (!isPersonal(composition)) return [];
  const { merged, onMissing } = composition;
  if (merged === undefined || !isMergeCurrent(composition)) return ["The texts are being made."];
  const { missing, tooLong, empty, recipientCount } = merged;
  if (tooLong.count > 0) return [`a shorter text for ${nameFirst(tooLong)}`];
  if (empty.count > 0) return [`a text for ${nameFirst(empty)}`];
  if (missing.count > 0 && onMissing !== "skip")
    return [
      `${formatCounted(missing.count, "recipient")} without a value. Leave them out, or say what stands there instead.`,
    ];
  if (recipientCount === 0) return ["a recipient with a value for each field"];
  return isTooMany(composition) ? [TOO_MANY] : [];
}

/** What is still needed before a draft keeps what is known of each recipient. */
export function findPersonalDraftFaults(composition: Composition): string[] {
  const hasFields = composition.lists.some(({ columns }) => columns !== undefined);
  return hasFields && isTooMany(composition) ? [TOO_MANY] : [];
}

const TOO_MANY = `With fields, more than ${formatCount(personalLimits.contactsPerCallMax)} recipients are sent to from a catalog. Save them as one.`;

/** One catalog may be as large as it is, and what the server has need not travel; everything else travels with the call. */
export function isTooMany(composition: Composition): boolean {
  const { catalogId, isKept } = onlyList(composition) ?? {};
  const travels = catalogId === undefined && isKept !== true;
  return travels && (composition.summary?.validCount ?? 0) > personalLimits.contactsPerCallMax;
}

function nameFirst({ count, first = "" }: { count: number; first: string | undefined }): string {
  return count === 1 ? `+${first}` : `+${first} and ${formatCount(count - 1)} more`;
}

/** A draft's recipients as a list; their columns are named by their keys. */
export function tableOfRecipients(
  recipients: readonly SendRecipient[],
): Pick<NumberList, "text"> & Required<Pick<NumberList, "columns">> {
  const keys = [...new Set(recipients.flatMap(({ fields }) => Object.keys(fields ?? {})))];
  return {
    columns: keys.map((key) => ({ key, label: labelOfKey(key) })),
    text: writeTable(recipients.length, (place) => {
      const { to, fields, text, reference } = recipients[place] ?? { to: "" };
      return [to, ...keys.map((key) => fields?.[key] ?? null), text ?? null, reference ?? null];
    }),
  };
}

/**
 * The answer of `recipient-values` as a list: its first line names the keys, and each further line is a row of a table already.
 *
 * @returns numbers alone, without columns, where nothing is known of them.
 */
export function tableOfValues(values: string): Pick<NumberList, "text" | "columns"> {
  const end = values.includes("\n") ? values.indexOf("\n") : values.length;
  const keys = JSON.parse(values.slice(0, end)) as string[];
  const text = values.slice(end + 1);
  // A row with a number alone has no comma.
  if (keys.length === 0 && !text.includes(",")) return { text: text.replaceAll(/[^\d\n]/g, "") };
  return { text, columns: keys.map((key) => ({ key, label: labelOfKey(key) })) };
}

/** "full_name" is "Full name". */
function labelOfKey(key: string): string {
  const words = key.replaceAll("_", " ");
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
