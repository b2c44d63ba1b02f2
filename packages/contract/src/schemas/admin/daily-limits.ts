import { z } from "zod";
import {
  adminIdParams,
  dataAnswer,
  dialCodeSchema,
  idSchema,
  messageAnswer,
  userIdParams,
  type CallSchemas,
} from "../http.ts";

/** How many recipients of one country a customer may send to in a day of Lagos. */
export const dailyLimitSchema = z.object({
  /** The dialling code, digits only. */
  code: z.string(),
  recipientsMax: z.number(),
  /** False: the one that everybody has. */
  isOwn: z.boolean(),
  usedToday: z.number(),
});
export type DailyLimitAnswer = z.infer<typeof dailyLimitSchema>;

const tags: ["Daily limits"] = ["Daily limits"];

export const dailyLimitSchemas = {
  dailyLimits: {
    summary:
      "A customer's daily limits, for the countries that were sent to or have one of their own; everybody's for the others",
    tags,
    params: userIdParams,
    response: {
      200: dataAnswer(
        z.object({
          recipientsMax: z.number(),
          limits: z.array(dailyLimitSchema),
          callsPerSecond: z.number(),
          maySendTransactional: z.boolean(),
        }),
      ),
    },
  },
  setDailyLimit: {
    summary: "Give a customer another daily limit for one country; null gives everybody's back (administrators)",
    tags,
    params: adminIdParams,
    body: z.object({
      userId: idSchema,
      code: dialCodeSchema,
      recipientsMax: z.number().int("must be a whole number").min(0).max(1_000_000_000).nullable(),
    }),
    response: { 200: messageAnswer },
  },
  allowTransactional: {
    summary: "Let a customer send transactional messages, or no longer (administrators)",
    tags,
    params: adminIdParams,
    body: z.strictObject({ userId: idSchema, allowed: z.boolean() }),
    response: { 200: messageAnswer },
  },
  setCallLimit: {
    summary:
      "Give each API key of a customer another number of calls a second; null gives everybody's back (administrators)",
    tags,
    params: adminIdParams,
    body: z.strictObject({ userId: idSchema, perSecond: z.int().min(1).max(10_000).nullable() }),
    response: { 200: messageAnswer },
  },
} as const satisfies CallSchemas;
