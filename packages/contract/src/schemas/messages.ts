import { z } from "zod";
import {
  dataAnswer,
  dialCodeSchema,
  idempotencyHeaders,
  idSchema,
  listAnswer,
  listQuery,
  messageAnswer,
  timeSchema,
  userIdParams,
  type CallSchemas,
} from "./http.ts";
import {
  breakdownSchema,
  countsSchema,
  messageDaySchema,
  messageUnitsSchema,
  unitDetailsSchema,
} from "./message-figures.ts";
import { limits } from "../limits.ts";
import { personalLimits } from "../rules/personal/personal-limits.ts";
import { programKeyModes } from "../rules/program-keys.ts";
import { dndChoices, messageClasses } from "../rules/sending/message-class.ts";
import { fieldsSchema } from "./contacts.ts";
import { clicksSchema, messageText } from "./message-parts.ts";
import { repeatSchema, validUntilSchema } from "./moments.ts";

/**
 * Where one recipient's message stands. `unknown`: handed over, and the carrier's answer was lost. `optedOut`: wants no more messages
 * from this customer; neither sent nor charged. `expired`: not handed over before the message's `validUntil`; not charged.
 */
export const recipientStates = [
  "waiting",
  "sent",
  "delivered",
  "failed",
  "dnd",
  "unknown",
  "cancelled",
  "optedOut",
  "expired",
] as const;
export type RecipientState = (typeof recipientStates)[number];

/** What a list of recipients says of one of them. `notKept`: the month's deliveries were removed; the counts of the message stay. */
export const listedStates = [...recipientStates, "notKept"] as const;
export type ListedState = (typeof listedStates)[number];

/**
 * Where a whole message stands. `held`: after a restore, until an administrator decides. `review`: accepted, until an administrator
 * releases it. `deferred`: it waits until promotional messages may leave again.
 */
export const messageStates = [
  "scheduled",
  "sending",
  "paused",
  "held",
  "cancelled",
  "done",
  "review",
  "deferred",
] as const;
export type MessageState = (typeof messageStates)[number];

export const messageSchema = z.object({
  _id: idSchema,
  userID: idSchema,
  userName: z.string(),
  senderName: z.string(),
  message: z.string(),
  code: z.string(),
  /** The first 100 numbers, comma-separated; the detail pages through all. */
  phoneNo: z.string(),
  recipients: z.number(),
  pages: z.number(),
  /** Of one message whose texts differ: how many recipients pay how many pages; `pages` is the most. */
  pageCounts: z.record(z.string(), z.number()).optional(),
  /** Units charged for one recipient, exact: three decimals at most. */
  price: z.number(),
  state: z.enum(messageStates),
  class: z.enum(messageClasses),
  /** Of a test nothing was charged, and nothing left. */
  mode: z.enum(programKeyModes),
  /** Of a transactional one that leaves out do-not-disturb numbers. */
  dnd: z.literal("skip").optional(),
  /** When it goes on, where it waits for quiet hours to end. */
  deferredUntil: timeSchema.optional(),
  counts: countsSchema,
  units: messageUnitsSchema.optional(),
  /** Present where each text ends in a link by which its recipient opts out. */
  optOutLink: z.literal(true).optional(),
  /** Present where recipients have texts, values or references of their own, which `recipient-values` answers. */
  isMerged: z.literal(true).optional(),
  createdAt: timeSchema,
  sendAt: timeSchema.optional(),
  timeZone: z.string().optional(),
  /** Who is not handed over by then gets nothing. */
  validUntil: timeSchema.optional(),
  /** Of a scheduled one that is sent again and again: `sendAt` is the next time, and what goes out each time is a message of its own. */
  repeat: repeatSchema.optional(),
  /** The next three times, fewer where the repeat ends. */
  nextTimes: z.array(timeSchema).optional(),
  /** What the program that sent it calls it. */
  reference: z.string().optional(),
  /** How it came in: `dashboard`, `program`, `twilio`, `smpp`, `form` (the GET call), `repeat`; absent of older ones. */
  origin: z.string().optional(),
  /** The member who sent it, by name; absent of what the account's own user and its keys sent. */
  sentBy: z.string().optional(),
  /** Of one in review: an approver of the account decides on it, and not an administrator. */
  awaitsApproval: z.literal(true).optional(),
  /** When its customer deleted it: hidden from the customer, and shown to administrators alone. */
  hiddenAt: timeSchema.optional(),
});
export type MessageAnswer = z.infer<typeof messageSchema>;

/** One message as its own page shows it. */
export const oneMessageSchema = messageSchema.extend({
  /** All 0 where no text has a short link. */
  clicks: clicksSchema,
});
export type OneMessageAnswer = z.infer<typeof oneMessageSchema>;

export const recipientSchema = z.object({
  /** Empty when the numbers of the message's month are no longer kept. */
  phoneNo: z.string(),
  state: z.enum(listedStates),
  network: z.string(),
  /** Plain words; empty while nothing went wrong. */
  reason: z.string(),
  /** What this recipient gets. */
  text: z.string(),
  /** What this recipient pays. */
  pages: z.number(),
  /** What the sender calls this recipient. */
  reference: z.string().optional(),
  /** How often this recipient followed the short links of its text; absent where the text has none. */
  clicks: z.number().optional(),
  /** What to do about it; absent where there is nothing. */
  advice: z.string().optional(),
  /** What the carrier answered or reported, in its own terms. */
  carrierCode: z.string().optional(),
  updatedAt: timeSchema,
});
export type RecipientAnswer = z.infer<typeof recipientSchema>;

/** What a program calls a message or a recipient of one; it comes back in lists, reports and webhooks. */
export const referenceSchema = z
  .string()
  .max(personalLimits.referenceCharactersMax, `has more than ${personalLimits.referenceCharactersMax} characters`)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), "takes no control characters");

/** Up to so many recipients with what is known of each, a text of their own, and what the sender calls them. */
export const recipientsOf = (countMax: number) =>
  z
    .array(
      z.strictObject({
        to: z.string().min(1, "is required").max(40, "is too long"),
        fields: fieldsSchema.optional(),
        /** In place of the message; may hold fields itself. */
        text: messageText.optional(),
        reference: referenceSchema.optional(),
      }),
    )
    .min(1, "is required")
    .max(countMax, `has more than ${countMax.toLocaleString("en")} recipients`);

export type SendRecipient = z.infer<ReturnType<typeof recipientsOf>>[number];

/** Whether recipients without a value refuse the send or are left out of it. */
const onMissingSchema = z.enum(["refuse", "skip"]).optional();

/**
 * The fields of every send. Only shapes are checked here: which numbers, names and countries are
 * allowed is decided in the order that the specification gives, by the server's send operation.
 */
export const sendShape = {
  senderName: z
    .string()
    .min(1, "is required")
    .max(limits.catalogSenderInputCharactersMax)
    .regex(/^\P{Cc}*$/u, "takes no control characters"),
  /** May hold fields: `{{key}}`, `{{key|fallback}}`. Left out where every recipient has a text of its own. */
  message: messageText.optional(),
  /** Digits and commas; pasted text is cleaned first. */
  phoneNo: z.string().min(1, "is required").max(limits.sendBodyBytesMax).optional(),
  /** All numbers of one of the customer's catalogs, in place of `phoneNo`. */
  catalogId: idSchema.optional(),
  /** In place of both: numbers with what is known of each. */
  recipients: recipientsOf(personalLimits.contactsPerCallMax).optional(),
  onMissing: onMissingSchema,
  /** Each text ends in a line break, `STOP: ` and a link by which its recipient opts out. */
  optOutLink: z.boolean().optional(),
  class: z.enum(messageClasses).optional(),
  /** Of a transactional message: whether numbers on the do-not-disturb list get it, where a carrier reaches them. */
  dnd: z.enum(dndChoices).optional(),
  /** The country's dialling code, digits only. */
  code: dialCodeSchema,
} as const;

type Sources = { phoneNo?: unknown; catalogId?: unknown; recipients?: unknown };
type Texts = { message?: unknown; recipients?: readonly { text?: unknown }[] | undefined; templateId?: unknown };
/** Judged together with the other fields, so that all that is wrong is told at once. */
const isObject = ({ value }: { value: unknown }): boolean => typeof value === "object" && value !== null;

/** A message goes to numbers or to a catalog: two refinements, each with what is said when it does not hold. */
export const hasSource = ({ phoneNo, catalogId, recipients }: Sources): boolean =>
  phoneNo !== undefined || catalogId !== undefined || recipients !== undefined;
export const HAS_SOURCE = { path: ["phoneNo"], message: "is required", when: isObject };
export const hasOneSource = (body: Sources): boolean => body.phoneNo === undefined || body.catalogId === undefined;
export const HAS_ONE_SOURCE = { path: ["catalogId"], message: "cannot be sent together with phoneNo", when: isObject };
export const hasOneList = ({ phoneNo, catalogId, recipients }: Sources): boolean =>
  recipients === undefined || (phoneNo === undefined && catalogId === undefined);
export const HAS_ONE_LIST = {
  path: ["recipients"],
  message: "cannot be sent together with phoneNo or catalogId",
  when: isObject,
};
export const hasText = ({ message, recipients, templateId }: Texts): boolean =>
  message !== undefined || templateId !== undefined || recipients?.every(({ text }) => text !== undefined) === true;
export const HAS_TEXT = {
  path: ["message"],
  message: "is required",
  when: ({ value }: { value: unknown }): boolean => isObject({ value }) && isJudgeable((value as Texts).recipients),
};
/** A list of recipients that is none is told of by itself. */
function isJudgeable(recipients: unknown): boolean {
  return (
    recipients === undefined ||
    (Array.isArray(recipients) && recipients.every((one) => isObject({ value: one as unknown })))
  );
}

export const sendBody = z
  .object({ ...sendShape, validUntil: validUntilSchema })
  .refine(hasSource, HAS_SOURCE)
  .refine(hasOneSource, HAS_ONE_SOURCE)
  .refine(hasOneList, HAS_ONE_LIST)
  .refine(hasText, HAS_TEXT);
/** What is kept may have been a whole catalog. */
export const keptSendBody = z
  .object({ ...sendShape, recipients: recipientsOf(limits.recipientsMax).optional() })
  .refine(hasSource, HAS_SOURCE)
  .refine(hasOneSource, HAS_ONE_SOURCE)
  .refine(hasText, HAS_TEXT);
/** `dryRun`: says what the same send would answer now, and changes nothing. */
export const dryRunSchema = z.boolean().optional();
export const triedSendBody = z
  .object({ ...sendShape, validUntil: validUntilSchema, dryRun: dryRunSchema })
  .refine(hasSource, HAS_SOURCE)
  .refine(hasOneSource, HAS_ONE_SOURCE)
  .refine(hasOneList, HAS_ONE_LIST)
  .refine(hasText, HAS_TEXT);
export type SendRequestBody = z.infer<typeof sendBody>;
/** The four fields of a send to numbers. */
export type SendBody = { senderName: string; message: string; phoneNo: string; code: string };

const tags: ["Messages"] = ["Messages"];
const oneMessageParams = z.object({ userId: idSchema, messageId: idSchema });

export const sendAnswer = z.object({
  message: z.string(),
  /** `state` only where an administrator looks at it first. */
  data: z.object({ _id: idSchema, state: z.literal("review").optional() }),
  unitDetails: unitDetailsSchema,
  /** What administrators warn of; absent where there is nothing. */
  warnings: z.array(z.object({ pattern: z.string(), note: z.string() })).optional(),
  /** Listed numbers are skipped, where the status does not say so. */
  dnd: z.literal(true).optional(),
});
/** The answer to a send, or to `dryRun`, which has no message. */
export const sendOrDryAnswer = sendAnswer.extend({
  data: sendAnswer.shape.data.optional(),
  /** Of a message that would repeat. */
  nextTimes: z.array(timeSchema).optional(),
});
export type SendAnswer = z.infer<typeof sendAnswer>;
export type SendOrDryAnswer = z.infer<typeof sendOrDryAnswer>;

/** What was typed into a search field: a part of the text or the sender name, or digits of a number. Empty means all. */
const searchQuery = z
  .string()
  .trim()
  .max(limits.searchCharactersMax)
  .transform((text) => (text === "" ? undefined : text))
  .optional();

/** Lists of messages and drafts that can be searched. A page may hold fewer than `limit`; `next` says whether there are more. */
export const searchListQuery = listQuery.extend({ search: searchQuery });

/** States of messages that were sent; the scheduled ones have their own list. */
export const historyStates = [
  "sending",
  "deferred",
  "review",
  "paused",
  "held",
  "cancelled",
  "done",
] as const satisfies readonly MessageState[];

export const historyQuery = searchListQuery.extend({
  state: z.enum(historyStates).optional(),
  /** A sender name, letter by letter. */
  sender: z.string().max(limits.catalogSenderInputCharactersMax).optional(),
  /** First and last day, by the time of Lagos, on which a message was sent (a scheduled one: on which it started). */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  /** `test`: what test keys sent, instead of what was sent. */
  mode: z.enum(programKeyModes).optional(),
});
export type HistoryQuery = z.infer<typeof historyQuery>;

/** The same of all customers' messages, or of one. */
export const allMessagesQuery = z.strictObject({
  ...historyQuery.omit({ mode: true }).shape,
  userId: idSchema.optional(),
});

/** What of a message may be sent again. */
export const resendableStates = ["failed", "unknown"] as const satisfies readonly RecipientState[];

export const messageSchemas = {
  sendBulkSms: {
    summary: "Send now. 503 with dnd: true is a success that skipped DND numbers",
    tags,
    params: userIdParams,
    headers: idempotencyHeaders,
    body: triedSendBody,
    response: { 200: sendOrDryAnswer, 202: sendAnswer, 503: sendAnswer.extend({ dnd: z.literal(true) }) },
  },
  sendTest: {
    summary: "Send to the account's own number, with these fields; charged like any other, 10 an hour",
    tags,
    params: userIdParams,
    headers: idempotencyHeaders,
    body: z.strictObject({
      senderName: sendShape.senderName,
      message: messageText,
      fields: fieldsSchema.optional(),
      optOutLink: sendShape.optOutLink,
      class: sendShape.class,
      dnd: sendShape.dnd,
    }),
    response: { 200: sendAnswer, 202: sendAnswer, 503: sendAnswer.extend({ dnd: z.literal(true) }) },
  },
  populateSmsHistory: {
    summary: "Sent messages with live counts, newest first; with format=csv all that the filters leave, as a file",
    tags,
    params: userIdParams,
    querystring: historyQuery.extend({ format: z.literal("csv").optional() }),
    response: { 200: listAnswer(messageSchema) },
  },
  viewAllSmsMessages: {
    summary: "Sent messages of all customers or of one, newest first (administrators)",
    tags,
    querystring: allMessagesQuery,
    response: { 200: listAnswer(messageSchema) },
  },
  viewSmsDays: {
    summary: "The last 30 days, in order, each with its messages and their recipients by state; deleted messages count",
    tags,
    params: userIdParams,
    querystring: z.strictObject({}),
    response: { 200: dataAnswer(z.array(messageDaySchema)) },
  },
  resendFailed: {
    summary:
      "Send the same text and sender again, as a new message, to the recipients that failed (or whose fate is unknown)",
    tags,
    params: oneMessageParams,
    headers: idempotencyHeaders,
    // Without a body Fastify hands over null.
    body: z
      .object({
        states: z
          .array(z.enum(resendableStates))
          .min(1, "names no state")
          .max(resendableStates.length)
          .default(["failed"]),
        /** As the message itself when absent. */
        class: sendShape.class,
        dnd: sendShape.dnd,
      })
      .nullish(),
    response: { 200: sendAnswer, 202: sendAnswer, 503: sendAnswer.extend({ dnd: z.literal(true) }) },
  },
  viewOneSms: {
    summary: "One message with its counts",
    tags,
    params: oneMessageParams,
    response: { 200: dataAnswer(oneMessageSchema) },
  },
  viewBreakdown: {
    summary: "How one message was delivered: over time, by network, and why recipients did not get it",
    tags,
    params: oneMessageParams,
    response: { 200: dataAnswer(breakdownSchema) },
  },
  recipients: {
    summary: "The recipients of one message, in the order they were given; with format=csv all of them, as a file",
    tags,
    params: oneMessageParams,
    querystring: listQuery.extend({ state: z.enum(recipientStates).optional(), format: z.literal("csv").optional() }),
    response: { 200: listAnswer(recipientSchema) },
  },
  recipientValues: {
    summary:
      "What the texts of one message's recipients are made of, as lines of JSON: the keys, then for each recipient its number, the keys' values, its own text and its reference",
    tags,
    params: oneMessageParams,
    response: { 200: z.unknown().describe("application/x-ndjson") },
  },
  pause: {
    summary: "Pause a running send",
    tags,
    params: oneMessageParams,
    response: { 200: messageAnswer },
  },
  resume: { summary: "Resume a paused send", tags, params: oneMessageParams, response: { 200: messageAnswer } },
  cancel: {
    summary: "Cancel what is not sent yet; its units are returned",
    tags,
    params: oneMessageParams,
    response: { 200: messageAnswer },
  },
  deleteSmsMessage: {
    summary: "Remove a message from the history; the record and its charge stay",
    tags,
    params: oneMessageParams,
    response: { 200: messageAnswer },
  },
} as const satisfies CallSchemas;
