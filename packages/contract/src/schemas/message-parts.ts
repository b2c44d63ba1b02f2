/** Parts of messages that stand by themselves: their text, and what is known of its links. */
import { z } from "zod";
import { limits } from "../limits.ts";
import { countCharacters } from "../rules/text/page-count.ts";

/** NUL and its like: no carrier takes them, and the database stores none. Line breaks and tabs are fine. */
export const UNSENDABLE_CHARACTERS = /(?![\t\n\r])\p{Cc}/u;

export const messageText = z
  .string()
  .min(1, "is required")
  // A character is two units at most; without this bound the finer checks would walk through megabytes.
  .max(2 * limits.messageCharactersMax, `has more than ${limits.messageCharactersMax} characters`)
  .refine(
    (text) => countCharacters(text) <= limits.messageCharactersMax,
    `has more than ${limits.messageCharactersMax} characters`,
  )
  .refine((text) => text.isWellFormed() && !UNSENDABLE_CHARACTERS.test(text), "has characters that cannot be sent")
  .refine((text) => text.trim() !== "", "is required");

/** How often the short links of a message were followed, and by how many recipients; `previews` are programs that looked where a link leads. */
export const clicksSchema = z.object({ total: z.number(), recipients: z.number(), previews: z.number() });
export type ClicksAnswer = z.infer<typeof clicksSchema>;
