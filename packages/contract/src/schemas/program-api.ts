import { z } from "zod";
import {
  dataAnswer,
  idempotencyHeaders,
  idSchema,
  listAnswer,
  listQuery,
  messageAnswer,
  type CallSchemas,
} from "./http.ts";
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
  messageSchema,
  oneMessageSchema,
  recipientSchema,
  recipientStates,
  sendAnswer,
  sendShape,
} from "./messages.ts";
import { repeatSchema, validUntilSchema } from "./moments.ts";
import { inboundSchema, inboxQuery } from "./inbox.ts";
import { optOutsAdded, optOutsBody, optOutSchema, optOutsQuery, optOutsRemoved } from "./opt-outs.ts";
import { scheduleAnswer, sendAtSchema, timeZoneSchema } from "./scheduled.ts";

const tags: ["API for programs"] = ["API for programs"];
const oneMessageParams = z.object({ messageId: idSchema });

/** Unknown fields are refused: a program that asks for something that we do not have must hear it before anything is sent. */
export const programSendBody = z
  .strictObject({
    ...sendShape,
    /** Left out: the longest listed code that the first number begins with, or the catalog's. */
    code: sendShape.code.optional(),
    /** In place of the message. */
    templateId: idSchema.optional(),
    sendAt: sendAtSchema.optional(),
    timeZone: timeZoneSchema.optional(),
    validUntil: validUntilSchema,
    repeat: repeatSchema.optional(),
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

/** For calls that need to be told nothing. Without a body Fastify hands over null. */
const noFields = z.strictObject({}).nullish();

/**
 * The API for programs: `Authorization: Bearer <key>` or `X-Api-Key: <key>`. Fields and answers are those of the dashboard's calls.
 */
export const programSchemas = {
  sendMessage: {
    summary: "Send now, or with sendAt later (201). 503 with dnd: true is a success that skipped DND numbers",
    tags,
    headers: idempotencyHeaders,
    body: programSendBody,
    response: { 200: sendOrDryAnswer, 201: scheduleAnswer, 503: sendAnswer.extend({ dnd: z.literal(true) }) },
  },
  listMessages: {
    summary: "Sent messages with live counts, newest first",
    tags,
    querystring: listQuery,
    response: { 200: listAnswer(messageSchema) },
  },
  viewMessage: {
    summary: "One message with its counts",
    tags,
    params: oneMessageParams,
    response: { 200: dataAnswer(oneMessageSchema) },
  },
  listRecipients: {
    summary: "The recipients with their states, in the order they were given",
    tags,
    params: oneMessageParams,
    querystring: listQuery.extend({ state: z.enum(recipientStates).optional() }),
    response: { 200: listAnswer(recipientSchema) },
  },
  cancelMessage: {
    summary: "Cancel what is not sent yet; its units are returned",
    tags,
    params: oneMessageParams,
    body: noFields,
    response: { 200: messageAnswer },
  },
  listInbox: {
    summary: "Messages from phones to the account's numbers, newest first; with from those of one person",
    tags,
    querystring: inboxQuery,
    response: { 200: listAnswer(inboundSchema) },
  },
  listOptOuts: {
    summary: "Numbers that opted out, newest first; with format=csv all that the search leaves, as a file",
    tags,
    querystring: optOutsQuery,
    response: { 200: listAnswer(optOutSchema) },
  },
  addOptOuts: {
    summary: "Put numbers onto the list of opt-outs",
    tags,
    body: optOutsBody,
    response: { 201: optOutsAdded },
  },
  removeOptOuts: {
    summary: "Take numbers off the list of opt-outs",
    tags,
    body: optOutsBody,
    response: { 200: optOutsRemoved },
  },
  balance: {
    summary: "The units that can be spent",
    tags,
    response: { 200: dataAnswer(z.object({ units: z.number() })) },
  },
} as const satisfies CallSchemas;

/** One part of the GET form's path. */
const part = (name: string) => z.string().min(1).max(20_000).describe(name);

/** For programs that can do nothing but ask for an address. `POST /api/v1/messages` with a key is the better way. */
export const getFormSchemas = {
  sendByGetForm: {
    summary: "Send with everything in the address. The same address within 60 s answers the first result",
    tags,
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
