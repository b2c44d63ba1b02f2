import { z } from "zod";
import {
  dataAnswer,
  dialCodeSchema,
  idempotencyHeaders,
  idSchema,
  listAnswer,
  listQuery,
  messageAnswer,
  repairCountsSchema,
  timeSchema,
  userIdParams,
  type CallSchemas,
} from "./http.ts";
import { limits } from "../limits.ts";
import { countCharacters } from "../rules/text/page-count.ts";

/** Where one recipient's message stands. `unknown`: handed over, and the carrier's answer was lost. */
export const recipientStates = ["waiting", "sent", "delivered", "failed", "dnd", "unknown", "cancelled"] as const;
export type RecipientState = (typeof recipientStates)[number];

/** What a list of recipients says of one of them. `notKept`: the month's deliveries were removed; the counts of the message stay. */
export const listedStates = [...recipientStates, "notKept"] as const;
export type ListedState = (typeof listedStates)[number];

/** Where a whole message stands. `held`: after a restore, until an administrator decides. */
export const messageStates = ["scheduled", "sending", "paused", "held", "cancelled", "done"] as const;
export type MessageState = (typeof messageStates)[number];

export const countsSchema = z.object({
  waiting: z.number(),
  sent: z.number(),
  delivered: z.number(),
  failed: z.number(),
  dnd: z.number(),
  unknown: z.number(),
  cancelled: z.number(),
});
export type MessageCounts = z.infer<typeof countsSchema>;

/** What a send cost: units with two decimals; `recipients` is the distinct numbers that are charged. */
export const unitDetailsSchema = z.object({
  received: z.number(),
  recipients: z.number(),
  duplicates: z.number(),
  dnd: z.number(),
  pages: z.number(),
  /** Units for one page to one recipient, exact: three decimals at most. */
  rate: z.number(),
  charged: z.number(),
  available: z.number(),
  repaired: repairCountsSchema.optional(),
});
export type UnitDetails = z.infer<typeof unitDetailsSchema>;

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
  /** Units charged for one recipient, exact: three decimals at most. */
  price: z.number(),
  state: z.enum(messageStates),
  counts: countsSchema,
  createdAt: timeSchema,
  sendAt: timeSchema.optional(),
  timeZone: z.string().optional(),
  /** When its customer deleted it: hidden from the customer, and shown to administrators alone. */
  hiddenAt: timeSchema.optional(),
});
export type MessageAnswer = z.infer<typeof messageSchema>;

export const recipientSchema = z.object({
  phoneNo: z.string(),
  state: z.enum(listedStates),
  network: z.string(),
  /** Plain words; empty while nothing went wrong. */
  reason: z.string(),
  updatedAt: timeSchema,
});
export type RecipientAnswer = z.infer<typeof recipientSchema>;

/** NUL and its like: no carrier takes them, and the database stores none. Line breaks and tabs are fine. */
const UNSENDABLE_CHARACTERS = /(?![\t\n\r])\p{Cc}/u;

const messageText = z
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
  message: messageText,
  /** Digits and commas; pasted text is cleaned first. */
  phoneNo: z.string().min(1, "is required").max(limits.sendBodyBytesMax).optional(),
  /** All numbers of one of the customer's catalogs, in place of `phoneNo`. */
  catalogId: idSchema.optional(),
  /** The country's dialling code, digits only. */
  code: dialCodeSchema,
} as const;

type Sources = { phoneNo?: unknown; catalogId?: unknown };
/** Judged together with the other fields, so that all that is wrong is told at once. */
const isObject = ({ value }: { value: unknown }): boolean => typeof value === "object" && value !== null;

/** A message goes to numbers or to a catalog: two refinements, each with what is said when it does not hold. */
export const hasSource = (body: Sources): boolean => body.phoneNo !== undefined || body.catalogId !== undefined;
export const HAS_SOURCE = { path: ["phoneNo"], message: "is required", when: isObject };
export const hasOneSource = (body: Sources): boolean => body.phoneNo === undefined || body.catalogId === undefined;
export const HAS_ONE_SOURCE = { path: ["catalogId"], message: "cannot be sent together with phoneNo", when: isObject };

export const sendBody = z.object(sendShape).refine(hasSource, HAS_SOURCE).refine(hasOneSource, HAS_ONE_SOURCE);
export type SendRequestBody = z.infer<typeof sendBody>;
/** The four fields of a send to numbers. */
export type SendBody = { senderName: string; message: string; phoneNo: string; code: string };

/** A draft holds what was typed so far: no field is empty, but the name need not be approved, nor the numbers right. */
export const draftBody = z
  .object({
    senderName: z
      .string()
      .min(1, "is required")
      .max(limits.catalogSenderInputCharactersMax)
      .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), "has characters that cannot be sent"),
    message: messageText,
    phoneNo: z
      .string()
      .min(1, "is required")
      .max(limits.sendBodyBytesMax)
      .refine(
        (text) => text.isWellFormed() && !UNSENDABLE_CHARACTERS.test(text),
        "has characters that are in no number",
      )
      .optional(),
    /** In place of `phoneNo`: the draft gets the numbers that the catalog has now. */
    catalogId: idSchema.optional(),
    code: dialCodeSchema,
  })
  .refine(hasSource, HAS_SOURCE)
  .refine(hasOneSource, HAS_ONE_SOURCE);
export type DraftRequestBody = z.infer<typeof draftBody>;
/** What a draft holds: the four fields of a send. */
export type DraftBody = SendBody;

export const draftSchema = z.object({
  _id: idSchema,
  userID: idSchema,
  userName: z.string(),
  senderName: z.string(),
  message: z.string(),
  code: z.string(),
  /** Whole, as it was typed or pasted. */
  phoneNo: z.string(),
  createdAt: timeSchema,
  /** When it was last saved. */
  updatedAt: timeSchema,
});
export type DraftAnswer = z.infer<typeof draftSchema>;

const tags: ["Messages"] = ["Messages"];
const oneMessageParams = z.object({ userId: idSchema, messageId: idSchema });

export const sendAnswer = z.object({
  message: z.string(),
  data: z.object({ _id: idSchema }),
  unitDetails: unitDetailsSchema,
});
export type SendAnswer = z.infer<typeof sendAnswer> & { dnd?: boolean };

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
});
export type HistoryQuery = z.infer<typeof historyQuery>;

/** What of a message may be sent again. */
export const resendableStates = ["failed", "unknown"] as const satisfies readonly RecipientState[];

export const messageSchemas = {
  sendBulkSms: {
    summary: "Send now. 503 with dnd: true is a success that skipped DND numbers",
    tags,
    params: userIdParams,
    headers: idempotencyHeaders,
    body: sendBody,
    response: { 200: sendAnswer, 503: sendAnswer.extend({ dnd: z.literal(true) }) },
  },
  populateSmsHistory: {
    summary: "Sent messages with live counts, newest first; with format=csv all that the filters leave, as a file",
    tags,
    params: userIdParams,
    querystring: historyQuery.extend({ format: z.literal("csv").optional() }),
    response: { 200: listAnswer(messageSchema) },
  },
  viewAllSmsMessages: {
    summary: "Sent messages of all customers, newest first (administrators)",
    tags,
    querystring: historyQuery,
    response: { 200: listAnswer(messageSchema) },
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
      })
      .nullish(),
    response: { 200: sendAnswer, 503: sendAnswer.extend({ dnd: z.literal(true) }) },
  },
  viewOneSms: {
    summary: "One message with its counts",
    tags,
    params: oneMessageParams,
    response: { 200: dataAnswer(messageSchema) },
  },
  recipients: {
    summary: "The recipients of one message, in the order they were given; with format=csv all of them, as a file",
    tags,
    params: oneMessageParams,
    querystring: listQuery.extend({ state: z.enum(recipientStates).optional(), format: z.literal("csv").optional() }),
    response: { 200: listAnswer(recipientSchema) },
  },
  pause: {
    summary: "Hold back what is not sent yet",
    tags,
    params: oneMessageParams,
    response: { 200: messageAnswer },
  },
  resume: { summary: "Go on after a pause", tags, params: oneMessageParams, response: { 200: messageAnswer } },
  cancel: {
    summary: "Give up what is not sent yet; its units come back",
    tags,
    params: oneMessageParams,
    response: { 200: messageAnswer },
  },
  deleteSmsMessage: {
    summary: "Take a message out of the history; the record and its charge stay",
    tags,
    params: oneMessageParams,
    response: { 200: messageAnswer },
  },
} as const satisfies CallSchemas;

const oneDraftParams = z.object({ userId: idSchema, draftId: idSchema });
const draftTags: ["Drafts"] = ["Drafts"];

export const draftSchemas = {
  draftMessage: {
    summary: "Keep a message for later",
    tags: draftTags,
    params: userIdParams,
    body: draftBody,
    response: { 201: dataAnswer(z.object({ _id: idSchema })) },
  },
  populateDrafts: {
    summary: "Drafts, newest first. A page ends early when its numbers add up to much; follow next",
    tags: draftTags,
    params: userIdParams,
    querystring: searchListQuery,
    response: { 200: listAnswer(draftSchema) },
  },
  viewAllDrafts: {
    summary: "Drafts of all customers, newest first (administrators)",
    tags: draftTags,
    querystring: searchListQuery,
    response: { 200: listAnswer(draftSchema) },
  },
  viewOneDraft: {
    summary: "One draft with all its numbers",
    tags: draftTags,
    params: oneDraftParams,
    response: { 200: dataAnswer(draftSchema) },
  },
  editDraft: {
    summary: "Replace a draft's four fields",
    tags: draftTags,
    params: oneDraftParams,
    body: draftBody,
    response: { 200: messageAnswer },
  },
  deleteDraft: {
    summary: "Throw a draft away",
    tags: draftTags,
    params: oneDraftParams,
    response: { 200: messageAnswer },
  },
  sendDraftSms: {
    summary: "Send a draft as it is (empty body) or with these four fields; the draft is gone afterwards",
    tags: draftTags,
    params: oneDraftParams,
    headers: idempotencyHeaders,
    body: sendBody.optional(),
    response: { 200: sendAnswer, 503: sendAnswer.extend({ dnd: z.literal(true) }) },
  },
} as const satisfies CallSchemas;
