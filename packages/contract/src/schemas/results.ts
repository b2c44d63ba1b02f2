/** What came of messages: of one, and of all that went out over some days. */
import { z } from "zod";
import { dataAnswer, idSchema, messageAnswer, timeSchema, userIdParams, type CallSchemas } from "./http.ts";
import { limits } from "../limits.ts";
import { RESULT_DAYS_MAX } from "../rules/choices.ts";

const outcomes = { delivered: z.number(), failed: z.number() };

export const resultsSchema = z.object({
  /** The numbers that the messages were for, those left out included. */
  recipients: z.number(),
  ...outcomes,
  /** Why recipients did not get it, the most frequent first. */
  reasons: z.array(z.object({ reason: z.string(), count: z.number() })),
  /** By likely network, the largest first. */
  networks: z.array(z.object({ network: z.string(), ...outcomes })),
  /** By when the outcome was known: each hour that has any, in order. */
  hours: z.array(z.object({ hour: timeSchema, ...outcomes })),
  /** How often short links were followed. */
  clicks: z.number(),
  /** Who opted out by the message's link or by answering it. */
  optOuts: z.number(),
  /** Units, exact: three decimals at most. */
  charged: z.number(),
});
export type ResultsAnswer = z.infer<typeof resultsSchema>;

export const periodResultsSchema = resultsSchema.extend({
  /** Each day of Lagos, in order, empty ones too; messages count on the day they went out. */
  days: z.array(
    z.object({
      day: z.iso.date(),
      messages: z.number(),
      recipients: z.number(),
      ...outcomes,
      clicks: z.number(),
      optOuts: z.number(),
      charged: z.number(),
    }),
  ),
});
export type PeriodResultsAnswer = z.infer<typeof periodResultsSchema>;

const DAY_MS = 24 * 3_600_000;
const format = z.literal("csv").optional();

/** First and last day, by the time of Lagos; without them the last 30 days. */
const daysShape = { from: z.iso.date().optional(), to: z.iso.date().optional() };
type Days = { from?: string | undefined; to?: string | undefined };

function areInOrder({ from, to }: Days): boolean {
  return from === undefined || to === undefined || from <= to;
}

function areFew({ from = "", to = "" }: Days): boolean {
  return from === "" || (Date.parse(to) - Date.parse(from)) / DAY_MS < RESULT_DAYS_MAX;
}

const ARE_BOTH = { path: ["to"], message: "and from are given together" };
const IN_ORDER = { path: ["to"], message: "is before from" };
const FEW = { path: ["from"], message: `is more than ${RESULT_DAYS_MAX} days before to` };
const areBoth = ({ from, to }: Days): boolean => (from === undefined) === (to === undefined);

export const resultsQuery = z
  .strictObject({ ...daysShape, format })
  .refine(areBoth, ARE_BOTH)
  .refine(areInOrder, IN_ORDER)
  .refine(areFew, FEW);
export const codeResultsQuery = z
  .strictObject(daysShape)
  .refine(areBoth, ARE_BOTH)
  .refine(areInOrder, IN_ORDER)
  .refine(areFew, FEW);

export const notificationsSchema = z.object({
  /** Whether a mail tells each Monday what came of the week's messages. */
  weeklyMail: z.boolean(),
  /** Units; a mail and the event `balance.low` tell when fewer are left. */
  balanceBelow: z.number().nullable(),
  /** Whether a mail tells of a sign-in from a new device. */
  newDeviceMail: z.boolean(),
});
export type NotificationsAnswer = z.infer<typeof notificationsSchema>;

const tags: ["Results"] = ["Results"];

export const resultSchemas = {
  messageResults: {
    summary:
      "What came of one message: by reason, network and hour, clicks, opt-outs and cost; with format=csv as a file",
    tags,
    params: z.object({ userId: idSchema, messageId: idSchema }),
    querystring: z.strictObject({ format }),
    response: { 200: dataAnswer(resultsSchema) },
  },
  results: {
    summary: "The same of all messages that went out over some days; with format=csv as a file",
    tags,
    params: userIdParams,
    querystring: resultsQuery,
    response: { 200: dataAnswer(periodResultsSchema) },
  },
  notifications: {
    summary: "Which mails the account gets by itself",
    tags,
    params: userIdParams,
    querystring: z.strictObject({}),
    response: { 200: dataAnswer(notificationsSchema) },
  },
  setNotifications: {
    summary: "Choose which mails the account gets by itself",
    tags,
    params: userIdParams,
    body: z.strictObject({
      weeklyMail: z.boolean().optional(),
      newDeviceMail: z.boolean().optional(),
      balanceBelow: z
        .number()
        .int("must be whole units")
        .min(1, "must be 1 or more")
        .max(limits.unitsMaxPerCredit, `must be ${limits.unitsMaxPerCredit.toLocaleString("en")} or less`)
        .nullable()
        .optional(),
    }),
    response: { 200: messageAnswer.extend({ data: notificationsSchema }) },
  },
} as const satisfies CallSchemas;
