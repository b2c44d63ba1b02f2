import { z } from "zod";
import { RESULT_DAYS_MAX } from "../../rules/choices.ts";
import { dataAnswer, idSchema, type CallSchemas } from "../http.ts";
import { RATE_MILLI_MAX, rateMilliOf } from "./rate-edits.ts";
import { MILLI_PER_UNIT } from "../../rules/money/units.ts";

const PREFIX_DIGITS_MAX = 15;
const DAY_MS = 86_400_000;

export const carrierCostBody = z.strictObject({
  /** The beginning of the numbers, digits only; empty for all. */
  prefix: z.string().regex(new RegExp(`^[0-9]{0,${PREFIX_DIGITS_MAX}}$`), "takes at most 15 digits"),
  /** Naira for one SMS part; null ends what was set for the prefix. */
  cost: z
    .number()
    .min(0)
    .max(RATE_MILLI_MAX / MILLI_PER_UNIT)
    .refine((cost) => rateMilliOf(cost) / MILLI_PER_UNIT === cost, "takes at most three decimals")
    .nullable(),
});
export type CarrierCostBody = z.infer<typeof carrierCostBody>;

const costSchema = z.object({ carrier: z.string(), prefix: z.string(), cost: z.number() });
export type CarrierCostAnswer = z.infer<typeof costSchema>;

const carrierTags: ["Carriers"] = ["Carriers"];

export const carrierCostSchemas = {
  viewCarrierCosts: {
    summary: "What carriers bill for one SMS part, by the beginning of the number (administrators)",
    tags: carrierTags,
    response: { 200: dataAnswer(z.array(costSchema)) },
  },
  setCarrierCost: {
    summary:
      "Set what a carrier bills for one SMS part to numbers that begin with a prefix; a carrier of the configuration is named instead of its id (administrators)",
    tags: carrierTags,
    params: z.object({ adminId: idSchema, carrierId: z.string().min(1).max(100) }),
    body: carrierCostBody,
    response: { 200: dataAnswer(z.array(costSchema)) },
  },
} as const satisfies CallSchemas;

export const marginBys = ["day", "customer", "carrier", "country"] as const;
export type MarginBy = (typeof marginBys)[number];

export const marginRowSchema = z.object({
  /** The day in Lagos, the customer's id, the carrier's number, or the dialling code. */
  key: z.string(),
  name: z.string(),
  /** Recipients that a carrier accepted. */
  messages: z.number(),
  /** SMS parts that the carriers count them as. */
  parts: z.number(),
  /** Naira that customers paid for them. */
  revenue: z.number(),
  /** Naira that the carriers bill, as far as costs are known. */
  cost: z.number(),
  margin: z.number(),
  /** Messages without a known cost. */
  uncosted: z.number(),
  flag: z.enum(["negative", "no-cost"]).nullable(),
});
export type MarginRowAnswer = z.infer<typeof marginRowSchema>;

export const marginSchemas = {
  viewMargin: {
    summary:
      "What is left when the carriers are paid, by day, customer, carrier or country; with format=csv as a file (administrators)",
    tags: ["Prices"],
    querystring: z
      .strictObject({
        by: z.enum(marginBys),
        from: z.iso.date().optional(),
        to: z.iso.date().optional(),
        format: z.literal("csv").optional(),
      })
      .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
        path: ["to"],
        message: "is before from",
      })
      .refine(
        ({ from, to }) =>
          from === undefined || to === undefined || (Date.parse(to) - Date.parse(from)) / DAY_MS < RESULT_DAYS_MAX,
        { path: ["from"], message: `is more than ${RESULT_DAYS_MAX} days before to` },
      ),
    response: { 200: dataAnswer(z.array(marginRowSchema)) },
  },
} as const satisfies CallSchemas;
