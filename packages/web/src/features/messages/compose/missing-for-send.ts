import { countCharacters, limits } from "@ewebal/contract/rules";
import { formatCount } from "../../../lib/texts/format.ts";
import type { Composition } from "./composition.ts";
import { findPersonalDraftFaults, findPersonalFaults, textAsSent } from "../personal/personal-send.ts";
import { findMoment, findScheduleFaults } from "../scheduled/schedule.ts";

/** Sender name, message and recipients: what both buttons need. (specification, section 5) */
export function findMissingForDraft(composition: Composition): string[] {
  return [...findMissingFields(composition), ...findPersonalDraftFaults(composition)];
}

function findMissingFields(composition: Composition): string[] {
  const { senderName, message, typedNumbers, lists } = composition;
  return [
    senderName.trim() === "" && "sender name",
    message.trim() === "" && "message",
    Math.max(countCharacters(message), countCharacters(textAsSent(composition))) > limits.messageCharactersMax &&
      `a message of at most ${formatCount(limits.messageCharactersMax)} characters`,
    typedNumbers.trim() === "" && lists.length === 0 && "recipients",
  ].filter((name) => name !== false);
}

/** A catalog brings its numbers along, so only the other two are needed, and somebody in it. */
export function findMissingForCatalogDraft(composition: Composition, contactCount: number): string[] {
  const missing = findMissingFields(composition).filter((name) => name !== "recipients");
  return contactCount === 0 ? [...missing, "a contact in the catalog"] : missing;
}

/** The dialog's field holds more than a sender name may have; what is too long is refused, never cut. */
export function findMissingForCatalog(composition: Composition, contactCount: number): string[] {
  const missing = [
    ...findMissingForCatalogDraft(composition, contactCount),
    ...findPersonalFaults(composition),
    ...findEndFaults(composition),
  ];
  return isSenderNameTooLong(composition.senderName)
    ? [`a sender name of at most ${limits.senderNameCharactersMax} characters`, ...missing]
    : missing;
}

export function isSenderNameTooLong(senderName: string): boolean {
  return senderName.length > limits.senderNameCharactersMax;
}

/** A send also needs numbers that can be sent to, none that nobody has looked at, and a time that is to come. */
export function findMissingForSend(composition: Composition): string[] {
  const missing = findMissingFields(composition);
  const fault = missing.includes("recipients") ? undefined : findRecipientsFault(composition);
  const personal = fault === undefined ? findPersonalFaults(composition) : [];
  const { schedule } = composition;
  return [
    ...missing,
    ...(fault === undefined ? personal : [fault]),
    ...(schedule === undefined ? [] : findScheduleFaults(schedule)),
    ...findEndFaults(composition),
  ];
}

/** When it ends comes after it is sent. */
function findEndFaults({ schedule, choices: { validUntil } }: Composition): string[] {
  const endMs = validUntil && findMoment(validUntil);
  if (validUntil === undefined) return [];
  if (endMs === undefined) return ["the time until which it is valid"];
  const startMs = Math.max(Date.now(), (schedule && findMoment(schedule)) ?? 0);
  return endMs > startMs ? [] : ["a later time until which it is valid"];
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
