/**
 * What a sender name may be. Nothing here refuses a look-alike of a bank's name: the bank that asks for its own name is as much a
 * customer as the one who pretends to be it. See `sender-names/` for what two administrators look at.
 */
import { limits } from "@ewebal/contract";

const ALLOWED = /^[A-Za-z0-9 .&_-]*$/;
const LETTER = /[A-Za-z]/;

/**
 * @param charactersMin a request form asks for more characters than a carrier does.
 * @returns what is wrong with the name, as the end of a sentence that begins with it; undefined when nothing is.
 */
export function findSenderNameFault(
  name: string,
  charactersMin: number = limits.senderNameCharactersMin,
): string | undefined {
  if (!ALLOWED.test(name)) return "may have letters, digits, spaces and . & _ - only";
  if (name.length > limits.senderNameCharactersMax) return `has more than ${limits.senderNameCharactersMax} characters`;
  if (name.length < charactersMin) return `needs at least ${charactersMin} characters`;
  if (!LETTER.test(name)) return "needs at least one letter";
  return undefined;
}

/** @returns the names between the commas, without the spaces around them, each once; empty ones are left out. */
export function splitSenderNames(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))];
}
