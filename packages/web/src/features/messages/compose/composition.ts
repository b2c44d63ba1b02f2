/** The state of what is being composed; `Composer` owns it. */
import type { ContactColumnName } from "@ewebal/contract/rules";
import type { MergeSummary } from "../recipients/merge-recipients.ts";
import type { RecipientsSummary } from "../recipients/recipient-lists.ts";
import type { Schedule } from "../scheduled/schedule.ts";

export type NumberList = {
  listId: number;
  text: string;
  /** Where the list comes from, behind "12 numbers ": `pasted`, `carried over`, `from Customers`. */
  origin: string;
  /** What is known of each number; the text is then a table, see `writeTable`. */
  columns?: readonly ContactColumnName[];
  /** The catalog that it is all of. */
  catalogId?: string;
  /** The recipients of the message that is changed here: the server has them, and what it knows of them. */
  isKept?: boolean;
};

/** How a message is sent; what is absent is as with every send that does not say. */
export type Choices = {
  class?: "transactional" | undefined;
  /** Of a transactional message: do-not-disturb numbers are left out. */
  dnd?: "skip" | undefined;
  /** Each text ends in a link by which its recipient opts out. */
  optOutLink?: true | undefined;
  /** Who is not reached by then gets nothing. */
  validUntil?: Schedule | undefined;
};

/** How far the worker is with the numbers. */
type Reading = "none" | "running" | "done" | "failed";

export type Composition = {
  code: string;
  senderName: string;
  message: string;
  typedNumbers: string;
  lists: readonly NumberList[];
  /** Of the newest reading that has ended; undefined while there are no numbers. */
  summary: RecipientsSummary | undefined;
  reading: Reading;
  /** How many wrong numbers the customer has agreed to leave out. */
  leftOutCount: number;
  /** Of the texts that were made last, where recipients' texts differ; see `isMergeCurrent`. */
  merged: (MergeSummary & { of: RecipientsSummary }) | undefined;
  /** Whether recipients who lack a value are left out. */
  onMissing: "skip" | undefined;
  /** Fields that the server knows values of, and this page does not: of a scheduled message. */
  knownKeys: readonly string[];
  /** True while a send waits for its answer, also when the customer looks at another page. */
  isSending: boolean;
  /** When it is to be sent; undefined: now. */
  schedule: Schedule | undefined;
  choices: Choices;
  /** Where short links begin; their length is paid for. */
  publicUrl: string;
};
