/** Messages from phones: numbers and keywords with their owners, and a customer's inbox. */
import { z } from "zod";
import {
  adminIdParams,
  dataAnswer,
  idempotencyHeaders,
  idSchema,
  listAnswer,
  listQuery,
  messageAnswer,
  timeSchema,
  userIdParams,
  type CallSchemas,
} from "./http.ts";
import { messageText } from "./message-parts.ts";
import { recipientStates, sendAnswer } from "./messages.ts";

/** Apart from `limits`, which every page brings along. */
export const inboundLimits = {
  numberCharactersMax: 30, // digits with the blanks that people write, or a name
  keywordCharactersMax: 20,
} as const;

/** A message from a phone. */
export const inboundSchema = z.object({
  _id: idSchema,
  /** Digits with the country code and no plus; a short code or a name stays as it is. */
  from: z.string(),
  to: z.string(),
  /** Whole: the parts of a long message are joined; `[…]` stands where one never came. */
  text: z.string(),
  /** The first word, where the number that was written to is shared by keyword. */
  keyword: z.string().optional(),
  /** What it answers, where that is known. */
  messageId: idSchema.optional(),
  createdAt: timeSchema,
});
export type InboundAnswer = z.infer<typeof inboundSchema>;

/** A number, or one keyword of it, and whose it is. */
export const inboundNumberSchema = z.object({
  _id: idSchema,
  number: z.string(),
  /** In capitals. Absent where the whole number is the customer's. */
  keyword: z.string().optional(),
  userID: idSchema,
  userName: z.string(),
  createdAt: timeSchema,
});
export type InboundNumberAnswer = z.infer<typeof inboundNumberSchema>;

const inboundTags: ["Inbound messages"] = ["Inbound messages"];

export const inboundSchemas = {
  viewUnassignedInbound: {
    summary: "Messages from phones to numbers that are nobody's, newest first (administrators)",
    tags: inboundTags,
    querystring: listQuery,
    response: { 200: listAnswer(inboundSchema) },
  },
  viewNumbers: {
    summary: "The numbers and keywords that belong to customers, newest first (administrators)",
    tags: inboundTags,
    querystring: z.strictObject({ ...listQuery.shape }),
    response: { 200: listAnswer(inboundNumberSchema) },
  },
  assignNumber: {
    summary: "Give a number, or one keyword of it, to a customer; 409 where it is somebody's (administrators)",
    tags: inboundTags,
    params: adminIdParams,
    body: z.strictObject({
      /** Digits with the country code, or a short code; a leading 0 is Nigeria's. */
      number: z.string().min(1, "is required").max(inboundLimits.numberCharactersMax),
      /** The first word of the messages that are this customer's, in any case. */
      keyword: z
        .string()
        .trim()
        .max(inboundLimits.keywordCharactersMax)
        .regex(/^[\p{L}\p{N}]*$/u, "takes one word of letters and digits")
        .optional(),
      userID: idSchema,
    }),
    response: { 201: dataAnswer(z.object({ _id: idSchema })) },
  },
  unassignNumber: {
    summary: "Take a number or a keyword from its customer (administrators)",
    tags: inboundTags,
    params: z.object({ adminId: idSchema, numberId: idSchema }),
    response: { 200: messageAnswer },
  },
} as const satisfies CallSchemas;

/** A person who wrote, with the last of their messages. */
export const conversationSchema = z.object({
  from: z.string(),
  to: z.string(),
  text: z.string(),
  /** How many messages this person has sent. */
  messages: z.number(),
  createdAt: timeSchema,
});
export type ConversationAnswer = z.infer<typeof conversationSchema>;

/** What went to one person from the number that they wrote to. */
export const inboxReplySchema = z.object({
  /** The message's id, as the history has it. */
  _id: idSchema,
  /** What it answers. */
  inboxId: idSchema,
  from: z.string(),
  to: z.string(),
  text: z.string(),
  state: z.enum(recipientStates),
  createdAt: timeSchema,
});
export type InboxReplyAnswer = z.infer<typeof inboxReplySchema>;

const tags: ["Inbox"] = ["Inbox"];
/** A number as the inbox shows it, with or without its plus; or a name. */
const personSchema = z.string().trim().min(1, "is required").max(inboundLimits.numberCharactersMax);

export const inboxQuery = z.strictObject({ ...listQuery.shape, from: personSchema.optional() });

export const inboxSchemas = {
  inbox: {
    summary: "Messages from phones to the customer's numbers, newest first; with from those of one person",
    tags,
    params: userIdParams,
    querystring: inboxQuery,
    response: { 200: listAnswer(inboundSchema) },
  },
  conversations: {
    summary: "Everybody who wrote to the customer's numbers with their last message, newest first",
    tags,
    params: userIdParams,
    querystring: z.strictObject({ ...listQuery.shape }),
    response: { 200: listAnswer(conversationSchema) },
  },
  inboxReplies: {
    summary: "What went to one person from the customer's numbers, newest first",
    tags,
    params: userIdParams,
    querystring: z.strictObject({ ...listQuery.shape, to: personSchema }),
    response: { 200: listAnswer(inboxReplySchema) },
  },
  reply: {
    summary: "Answer a message from a phone, from the number that it was sent to. 503 with dnd: true as any send",
    tags,
    params: z.object({ userId: idSchema, inboxId: idSchema }),
    headers: idempotencyHeaders,
    body: z.strictObject({ message: messageText }),
    response: { 200: sendAnswer, 202: sendAnswer, 503: sendAnswer.extend({ dnd: z.literal(true) }) },
  },
} as const satisfies CallSchemas;
