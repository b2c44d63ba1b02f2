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

/** Where the units of a message are; each exact, three decimals at most. The three add up to what was set aside for it. */
export const messageUnitsSchema = z.object({
  /** Paid for good: charged, and not refunded since. */
  charged: z.number(),
  /** Set aside until the outcome of each recipient is known. */
  reserved: z.number(),
  /** Back among the units that can be spent. */
  returned: z.number(),
});
export type MessageUnits = z.infer<typeof messageUnitsSchema>;

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
  units: messageUnitsSchema.optional(),
  createdAt: timeSchema,
  sendAt: timeSchema.optional(),
  timeZone: z.string().optional(),
  /** When its customer deleted it: hidden from the customer, and shown to administrators alone. */
  hiddenAt: timeSchema.optional(),
});
export type MessageAnswer = z.infer<typeof messageSchema>;

/** A customer's day: the recipients of the messages that went out on it, by where they stand now. */
export const messageDaySchema = z.object({
  /** A day in Lagos, `YYYY-MM-DD`. */
  day: z.iso.date(),
  messages: z.number(),
  counts: countsSchema,
});
export type MessageDayAnswer = z.infer<typeof messageDaySchema>;

export const recipientSchema = z.object({
  /** Empty when the numbers of the message's month are no longer kept. */
  phoneNo: z.string(),
  state: z.enum(listedStates),
  network: z.string(),
  /** Plain words; empty while nothing went wrong. */
  reason: z.string(),
  /** What to do about it; absent where there is nothing. */
  advice: z.string().optional(),
  /** What the carrier answered or reported, in its own terms. */
  carrierCode: z.string().optional(),
  updatedAt: timeSchema,
});
export type RecipientAnswer = z.infer<typeof recipientSchema>;

const timedOutcomes = { delivered: z.number(), failed: z.number(), dnd: z.number() };

/** How a message was delivered: over time, by network, and why recipients did not get it. Counted now and then while somebody looks. */
export const breakdownSchema = z.object({
  /** Absent while nothing was handed over. */
  countedAt: timeSchema.optional(),
  /** The message's counts at that time. When they differ from the message's own, ask again, after so many seconds. */
  counts: countsSchema,
  againInSeconds: z.number().optional(),
  /** False when deliveries were removed, because they are no longer kept, before they were counted. */
  isKept: z.boolean(),
  /** The width of a point. */
  stepSeconds: z.number(),
  points: z.array(z.object({ at: timeSchema, ...timedOutcomes })),
  /** Outcomes that came long after all points. */
  later: z.object(timedOutcomes),
  /** Recipients that were handed over to a carrier, by likely network, the largest first. */
  networks: z.array(z.object({ network: z.string(), ...timedOutcomes, sent: z.number(), unknown: z.number() })),
  /** Why recipients did not get it, the most frequent first; `carrierCodes` are some of what the carriers wrote. */
  failures: z.array(
    z.object({
      reason: z.string(),
      advice: z.string().optional(),
      count: z.number(),
      carrierCodes: z.array(z.string()),
    }),
  ),
});
export type BreakdownAnswer = z.infer<typeof breakdownSchema>;

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

/** The same of all customers' messages, or of one. */
export const allMessagesQuery = z.strictObject({ ...historyQuery.shape, userId: idSchema.optional() });

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

const oneDraftParams = z.object({ userId: idSchema, draftId: idSchema });
const draftTags: ["Drafts"] = ["Drafts"];

export const draftSchemas = {
  draftMessage: {
    summary: "Save a draft",
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
    summary: "Delete a draft",
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
