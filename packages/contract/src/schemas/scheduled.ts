import { z } from "zod";
import {
  dataAnswer,
  idempotencyHeaders,
  idSchema,
  listAnswer,
  messageAnswer,
  timeSchema,
  userIdParams,
  type CallSchemas,
} from "./http.ts";
import { messageText } from "./message-parts.ts";
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
  searchListQuery,
  sendAnswer,
  sendShape,
} from "./messages.ts";

import { momentSchema, repeatSchema, validUntilSchema } from "./moments.ts";

/** The zone of a scheduled message that names none. */
export const DEFAULT_TIME_ZONE = "Africa/Lagos";
/** How far ahead a message may be scheduled: a leap year. */
export const SCHEDULE_AHEAD_DAYS_MAX = 366;

export const sendAtSchema = momentSchema;

/** An IANA name; kept to show the time as the customer chose it. The moment itself is `sendAt`. */
export const timeZoneSchema = z
  .string()
  .regex(/^[A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)*$/, "is not a time zone")
  .max(64)
  .refine(isTimeZone, "is not a time zone");

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

export const scheduleBody = z
  .object({
    ...sendShape,
    sendAt: sendAtSchema,
    timeZone: timeZoneSchema.default(DEFAULT_TIME_ZONE),
    validUntil: validUntilSchema,
    repeat: repeatSchema.optional(),
    dryRun: dryRunSchema,
  })
  .refine(hasSource, HAS_SOURCE)
  .refine(hasOneSource, HAS_ONE_SOURCE)
  .refine(hasOneList, HAS_ONE_LIST)
  .refine(hasText, HAS_TEXT);
/** As a page sends it. */
export type ScheduleBody = z.input<typeof scheduleBody>;

/** A draft as its form has it now, and when it goes out. */
export const scheduleDraftBody = z
  .strictObject({
    senderName: sendShape.senderName,
    message: messageText,
    phoneNo: sendShape.phoneNo,
    recipients: sendShape.recipients,
    onMissing: sendShape.onMissing,
    code: sendShape.code,
    optOutLink: sendShape.optOutLink,
    class: sendShape.class,
    dnd: sendShape.dnd,
    sendAt: sendAtSchema,
    timeZone: timeZoneSchema.default(DEFAULT_TIME_ZONE),
    validUntil: validUntilSchema,
    repeat: repeatSchema.optional(),
  })
  .refine(hasSource, HAS_SOURCE)
  .refine(hasOneList, HAS_ONE_LIST);

/** What is left out stays as it is; null takes away when it ends, and that it repeats. */
export const editScheduledBody = z
  .object({
    ...sendShape,
    sendAt: sendAtSchema,
    timeZone: timeZoneSchema,
    validUntil: validUntilSchema.nullable(),
    repeat: repeatSchema.nullable(),
  })
  .partial()
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    path: ["body"],
    message: "names nothing to change",
  })
  .refine(hasOneSource, HAS_ONE_SOURCE)
  .refine(hasOneList, HAS_ONE_LIST);
export type EditScheduledBody = z.infer<typeof editScheduledBody>;

const tags: ["Scheduled"] = ["Scheduled"];
const oneScheduledParams = z.object({ userId: idSchema, messageId: idSchema });
/** `dnd` is true when listed numbers will be skipped. */
export const scheduleAnswer = sendAnswer.extend({
  dnd: z.literal(true).optional(),
  /** Of a message that repeats: the next three times. */
  nextTimes: z.array(timeSchema).optional(),
});

export const scheduledSchemas = {
  scheduleSms: {
    summary: "Send later, up to a year ahead; the units are reserved now",
    tags,
    params: userIdParams,
    headers: idempotencyHeaders,
    body: scheduleBody,
    /** 200 is the answer to `dryRun`. */
    response: { 200: sendOrDryAnswer, 201: scheduleAnswer, 202: scheduleAnswer },
  },
  scheduleDraftSms: {
    summary: "Send a draft later, with these fields; the draft is gone afterwards, and the units are reserved now",
    tags,
    params: z.object({ userId: idSchema, draftId: idSchema }),
    headers: idempotencyHeaders,
    body: scheduleDraftBody,
    response: { 201: scheduleAnswer, 202: scheduleAnswer },
  },
  populateScheduledSms: {
    summary: "Messages that wait for their time, newest first",
    tags,
    params: userIdParams,
    querystring: searchListQuery,
    response: { 200: listAnswer(messageSchema) },
  },
  viewScheduledSms: {
    summary: "One scheduled message with all its numbers, to be edited",
    tags,
    params: oneScheduledParams,
    response: { 200: dataAnswer(messageSchema) },
  },
  editScheduledSms: {
    summary: "Change any of the fields, the time included, at today's price; refused once it has started",
    tags,
    params: oneScheduledParams,
    body: editScheduledBody,
    response: { 200: scheduleAnswer },
  },
  deleteScheduledSms: {
    summary: "Delete it; its units come back. Refused once it has started",
    tags,
    params: oneScheduledParams,
    response: { 200: messageAnswer },
  },
} as const satisfies CallSchemas;
