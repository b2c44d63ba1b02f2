import { countCharacters, limits } from "@ewebal/contract/rules";
import { formatCount } from "../../../lib/texts/format.ts";
import type { Composition } from "./composer.ts";
import { findScheduleFaults } from "../scheduled/schedule.ts";

/** Sender name, message and recipients: what both buttons need. (specification, section 5) */
export function findMissingForDraft({ senderName, message, typedNumbers, lists }: Composition): string[] {
  return [
    senderName.trim() === "" && "sender name",
    message.trim() === "" && "message",
    countCharacters(message) > limits.messageCharactersMax &&
      `a message of at most ${formatCount(limits.messageCharactersMax)} characters`,
    typedNumbers.trim() === "" && lists.length === 0 && "recipients",
  ].filter((name) => name !== false);
}

/** A catalog brings its numbers along, so only the other two are needed, and somebody in it. */
export function findMissingForCatalogDraft(composition: Composition, contactCount: number): string[] {
  const missing = findMissingForDraft(composition).filter((name) => name !== "recipients");
  return contactCount === 0 ? [...missing, "a contact in the catalog"] : missing;
}

/** The dialog's field holds more than a sender name may have; what is too long is refused, never cut. */
export function findMissingForCatalog(composition: Composition, contactCount: number): string[] {
  const missing = findMissingForCatalogDraft(composition, contactCount);
  return isSenderNameTooLong(composition.senderName)
    ? [`a sender name of at most ${limits.senderNameCharactersMax} characters`, ...missing]
    : missing;
}

export function isSenderNameTooLong(senderName: string): boolean {
  return senderName.length > limits.senderNameCharactersMax;
}

/** A send also needs numbers that can be sent to, none that nobody has looked at, and a time that is to come. */
export function findMissingForSend(composition: Composition): string[] {
  const missing = findMissingForDraft(composition);
  const fault = missing.includes("recipients") ? undefined : findRecipientsFault(composition);
  const { schedule } = composition;
  return [
    ...missing,
    ...(fault === undefined ? [] : [fault]),
    ...(schedule === undefined ? [] : findScheduleFaults(schedule)),
  ];
}

function findRecipientsFault({ reading, summary, leftOutCount }: Composition): string | undefined {
  if (reading === "failed") return "The recipients could not be counted.";
  if (summary === undefined || reading !== "done") return "The recipients are being counted.";
  const { validCount, receivedCount, wrongCount } = summary;
  if (receivedCount > limits.recipientsMax) return `at most ${formatCount(limits.recipientsMax)} recipients`;
  if (validCount === 0) return "a recipient with a valid number";
  if (wrongCount > leftOutCount)
    return wrongCount === 1
      ? "1 number can't be used. Fix it or leave it out."
      : `${formatCount(wrongCount)} numbers can't be used. Fix them or leave them out.`;
  return undefined;
}
