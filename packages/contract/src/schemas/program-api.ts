import { z } from "zod";
import {
  dataAnswer,
  idempotencyHeaders,
  idSchema,
  listAnswer,
  listQuery,
  messageAnswer,
  noFields,
  noQuery,
  type CallSchemas,
} from "./http.ts";
import { limits } from "../limits.ts";
import {
  dryRunSchema,
  sendOrDryAnswer,
  HAS_ONE_LIST,
  HAS_ONE_SOURCE,
  HAS_SOURCE,
  HAS_TEXT,
  hasOneList,
  hasOneSource,
  hasSource,
  hasText,
  historyQuery,
  historyStates,
  messageSchema,
  oneMessageSchema,
  recipientSchema,
  recipientStates,
  referenceSchema,
  sendAnswer,
  sendShape,
} from "./messages.ts";
import { messageText } from "./message-parts.ts";
import { repeatSchema, validUntilSchema } from "./moments.ts";
import { scheduleAnswer, sendAtSchema, timeZoneSchema } from "./scheduled.ts";

const tags: ["API v1: Messages"] = ["API v1: Messages"];
const oneMessageParams = z.strictObject({ messageId: idSchema });

/** As `POST /api/v1/messages` takes numbers: text with commas, or one number in each entry. */
const phoneNoSchema = z
  .union([sendShape.phoneNo.unwrap(), z.array(z.string().min(1).max(40)).min(1).max(limits.recipientsMax)], {
    error: "must be text, or a list of numbers of at most 40 characters",
  })
  .transform((numbers) => (typeof numbers === "string" ? numbers : numbers.join(",")));

/** Unknown fields are refused: a program that asks for something that we do not have must hear it before anything is sent. */
export const programSendBody = z
  .strictObject({
    ...sendShape,
    /** Digits and commas, or a list of numbers. */
    phoneNo: phoneNoSchema.optional(),
    /** Left out: the longest listed code that the first number begins with, or the catalog's. */
    code: sendShape.code.optional(),
    /** In place of the message. */
    templateId: idSchema.optional(),
    sendAt: sendAtSchema.optional(),
    timeZone: timeZoneSchema.optional(),
    validUntil: validUntilSchema,
    repeat: repeatSchema.optional(),
    /** What the program calls the message; it comes back in lists and webhooks. */
    reference: referenceSchema.optional(),
    dryRun: dryRunSchema,
  })
  .refine(hasSource, HAS_SOURCE)
  .refine(hasOneSource, HAS_ONE_SOURCE)
  .refine(hasOneList, HAS_ONE_LIST)
  .refine(hasText, HAS_TEXT)
  .refine(({ message, templateId }) => message === undefined || templateId === undefined, {
    path: ["templateId"],
    message: "cannot be sent together with message",
  })
  .refine(({ sendAt, timeZone }) => sendAt !== undefined || timeZone === undefined, {
    path: ["timeZone"],
    message: "needs sendAt",
  })
  .refine(({ sendAt, repeat }) => sendAt !== undefined || repeat === undefined, {
    path: ["repeat"],
    message: "needs sendAt",
  });

/**
 * What a program may change of a message that waits for its time. What is left out stays.
 */
export const programEditBody = z
  .strictObject({
    message: messageText,
    senderName: sendShape.senderName,
    sendAt: sendAtSchema,
    timeZone: timeZoneSchema,
  })
  .partial()
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    path: ["body"],
    message: "names nothing to change",
  });

/**
 * The API for programs: `Authorization: Bearer <key>` or `X-Api-Key: <key>`. Fields and answers are those of the dashboard's calls, and
 * unknown ones are refused.
 */
export const programSchemas = {
  sendMessage: {
    summary: "Send now, or with sendAt later (201). 503 with dnd: true is a success that skipped DND numbers",
    tags,
    querystring: noQuery,
    headers: idempotencyHeaders,
    body: programSendBody,
    response: { 200: sendOrDryAnswer, 201: scheduleAnswer, 503: sendAnswer.extend({ dnd: z.literal(true) }) },
  },
  listMessages: {
    summary: "Messages with live counts, scheduled ones among them, newest first",
    tags,
    querystring: z.strictObject({
      ...listQuery.shape,
      state: z.enum([...historyStates, "scheduled"]).optional(),
      sender: historyQuery.shape.sender,
      from: historyQuery.shape.from,
      to: historyQuery.shape.to,
    }),
    response: { 200: listAnswer(messageSchema) },
  },
  viewMessage: {
    summary: "One message with its counts",
    tags,
    params: oneMessageParams,
    querystring: noQuery,
    response: { 200: dataAnswer(oneMessageSchema) },
  },
  editMessage: {
    summary: "Change a message that waits for its time, at today's price; refused once it has begun",
    tags,
    params: oneMessageParams,
    querystring: noQuery,
    body: programEditBody,
    response: { 200: scheduleAnswer },
  },
  listRecipients: {
    summary: "The recipients with their states, in the order they were given",
    tags,
    params: oneMessageParams,
    querystring: z.strictObject({ ...listQuery.shape, state: z.enum(recipientStates).optional() }),
    response: { 200: listAnswer(recipientSchema) },
  },
  pauseMessage: {
    summary: "Hold what is not handed over yet",
    tags,
    params: oneMessageParams,
    querystring: noQuery,
    body: noFields,
    response: { 200: messageAnswer },
  },
  resumeMessage: {
    summary: "Go on with a paused message",
    tags,
    params: oneMessageParams,
    querystring: noQuery,
    body: noFields,
    response: { 200: messageAnswer },
  },
  cancelMessage: {
    summary: "Cancel what is not sent yet; its units are returned",
    tags,
    params: oneMessageParams,
    querystring: noQuery,
    body: noFields,
    response: { 200: messageAnswer },
  },
} as const satisfies CallSchemas;

/** One part of the GET form's path. */
const part = (name: string) => z.string().min(1).max(20_000).describe(name);

/** For programs that can do nothing but ask for an address. `POST /api/v1/messages` with a key is the better way. */
export const getFormSchemas = {
  sendByGetForm: {
    summary: "Send with everything in the address. The same address within 60 s answers the first result",
    tags: ["API v1: Messages"],
    params: z.object({
      email: part("The account's e-mail"),
      password: part("An API key, or the account's password"),
      message: part("The text, URL-encoded"),
      senderName: part("An approved sender name"),
      phoneNo: part("Numbers, commas between them"),
      code: part("The country's dialling code"),
    }),
    querystring: z.object({ class: sendShape.class, dnd: sendShape.dnd }),
    response: { 200: sendAnswer, 503: sendAnswer.extend({ dnd: z.literal(true) }) },
  },
} as const satisfies CallSchemas;
