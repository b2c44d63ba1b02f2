import { z } from "zod";
import { messageClasses } from "../../rules/sending/message-class.ts";
import { adminIdParams, dataAnswer, idSchema, listAnswer, listQuery, timeSchema, type CallSchemas } from "../http.ts";
import { CODE_DIGITS_MAX, isPriceable } from "../../rules/money/rates.ts";
import { MILLI_PER_UNIT } from "../../rules/money/units.ts";

/** Ten times the dearest country; more is a slip of the keyboard. */
export const RATE_MILLI_MAX = 1_000_000;
/** How far ahead a rate may be planned, as a message may be scheduled. */
export const RATE_DAYS_AHEAD_MAX = 366;

/** `planned` may still be withdrawn; `current` is what a send costs now; `past` was, or was overtaken before its time. */
export const rateEditStates = ["planned", "current", "past", "withdrawn"] as const;
export type RateEditState = (typeof rateEditStates)[number];

/** Naira as a JSON number with three decimals at most. @returns thousandths. */
export function rateMilliOf(rate: number): number {
  return Math.round(rate * MILLI_PER_UNIT);
}

/** Naira for one page to one number, exact to the thousandth. */
export const rateSchema = z
  .number()
  .refine((rate) => rateMilliOf(rate) >= 1, "must be more than 0")
  .refine(
    (rate) => rateMilliOf(rate) <= RATE_MILLI_MAX,
    `must be at most ${(RATE_MILLI_MAX / MILLI_PER_UNIT).toLocaleString("en")}`,
  )
  .refine((rate) => rateMilliOf(rate) / MILLI_PER_UNIT === rate, "takes at most three decimals");

/** A time of an administrator's, with its offset. */
export const fromSchema = z.iso.datetime({
  offset: true,
  error: "must be a time such as 2026-12-01T00:00:00+01:00",
});

export const editRateBody = z.object({
  code: z
    .string()
    .max(CODE_DIGITS_MAX, `has more than ${CODE_DIGITS_MAX} digits`)
    .refine(isPriceable, "is no country's code that can be sent to"),
  /** Naira for one page to one number; null gives back the specified one, or takes the code off the list. */
  rate: rateSchema.nullable(),
  /** Absent: both. */
  class: z.enum(messageClasses).optional(),
  /** Absent: at once. */
  from: fromSchema.optional(),
});
export type EditRateBody = z.infer<typeof editRateBody>;

export const rateEditSchema = z.object({
  _id: idSchema,
  code: z.string(),
  country: z.string(),
  /** Absent: of both. */
  class: z.enum(messageClasses).optional(),
  /** Null: the specified one. */
  rate: z.number().nullable(),
  from: timeSchema,
  state: z.enum(rateEditStates),
  adminName: z.string(),
  createdAt: timeSchema,
});
export type RateEditAnswer = z.infer<typeof rateEditSchema>;

/** One code as administrators see it. */
export const adminRateSchema = z.object({
  code: z.string(),
  /** All countries that use the code, comma-separated. */
  country: z.string(),
  /** Naira for one page now. */
  rate: z.number(),
  transactionalRate: z.number(),
  /** What it is without any edit: the table's, or that of all codes that are not in it. */
  specifiedRate: z.number(),
  /** Whether customers find it in the list of rates. */
  isListed: z.boolean(),
  /** What comes, soonest first. */
  planned: z.array(rateEditSchema),
});
export type AdminRateAnswer = z.infer<typeof adminRateSchema>;

const tags: ["Rates"] = ["Rates"];

export const rateSchemas = {
  viewRates: {
    summary: "Every code that can be priced: its rate now, the specified one, and what is planned (administrators)",
    tags,
    response: { 200: dataAnswer(z.array(adminRateSchema)) },
  },
  viewRateEdits: {
    summary: "Edits of rates, newest first (administrators)",
    tags,
    querystring: listQuery.extend({
      code: z
        .string()
        .regex(/^[0-9]{0,6}$/, "takes digits only")
        .optional(),
    }),
    response: { 200: listAnswer(rateEditSchema) },
  },
  editRate: {
    summary: "Change what a page costs, at once or from a time on; accepted messages keep their price (administrators)",
    tags,
    params: adminIdParams,
    body: editRateBody,
    response: { 200: dataAnswer(rateEditSchema) },
  },
  withdrawRate: {
    summary: "Take a planned rate back before its time (administrators)",
    tags,
    params: z.object({ adminId: idSchema, rateEditId: idSchema }),
    response: { 200: dataAnswer(rateEditSchema) },
  },
} as const satisfies CallSchemas;
