import { z } from "zod";
import { DISCOUNT_PERCENT_MAX, PRICE_TIERS_MAX } from "../../rules/money/price-tiers.ts";
import { messageClasses } from "../../rules/sending/message-class.ts";
import { rateRowSchema } from "../brand.ts";
import {
  adminIdParams,
  dataAnswer,
  dialCodeSchema,
  idSchema,
  timeSchema,
  userIdParams,
  type CallSchemas,
} from "../http.ts";
import { fromSchema, rateSchema } from "./rate-edits.ts";

export const setCustomerPriceBody = z.strictObject({
  userId: idSchema,
  code: dialCodeSchema,
  /** Absent: both. */
  class: z.enum(messageClasses).optional(),
  /** Naira for one page to one number; null gives back what everybody pays. */
  rate: rateSchema.nullable(),
  /** Absent: at once. */
  from: fromSchema.optional(),
});
export type SetCustomerPriceBody = z.infer<typeof setCustomerPriceBody>;

/** `planned` comes; `current` holds now; `past` was, or was overtaken. */
export const customerPriceStates = ["planned", "current", "past"] as const;
export type CustomerPriceState = (typeof customerPriceStates)[number];

export const customerPriceSchema = z.object({
  _id: idSchema,
  userID: idSchema,
  code: z.string(),
  country: z.string(),
  /** Absent: of both. */
  class: z.enum(messageClasses).optional(),
  /** Null: what everybody pays. */
  rate: z.number().nullable(),
  from: timeSchema,
  state: z.enum(customerPriceStates),
  createdAt: timeSchema,
});
export type CustomerPriceAnswer = z.infer<typeof customerPriceSchema>;

export const tierSchema = z.strictObject({
  unitsPerMonth: z.number().int("must be a whole number").min(0).max(1_000_000_000_000),
  discountPercent: z
    .number()
    .gt(0, "must be more than 0")
    .max(DISCOUNT_PERCENT_MAX)
    .refine((percent) => Math.round(percent * 100) / 100 === percent, "takes at most two decimals"),
});
export type TierAnswer = z.infer<typeof tierSchema>;

const tags: ["Prices"] = ["Prices"];

export const priceSchemas = {
  ownRates: {
    summary:
      "What a page costs this customer, by country: the list's rates less the tier's discount, and prices of their own",
    tags,
    params: userIdParams,
    response: {
      200: z.object({
        message: z.string(),
        data: z.array(rateRowSchema),
        /** When the next planned rate or price begins to hold. */
        nextChangeAt: timeSchema.nullable(),
        /** What the tier takes off the list's rates; 0 without one. */
        discountPercent: z.number(),
      }),
    },
  },
  viewCustomerPrices: {
    summary: "A customer's own prices, newest first, and their tier (administrators)",
    tags,
    params: userIdParams,
    response: {
      200: dataAnswer(
        z.object({
          prices: z.array(customerPriceSchema),
          discountPercent: z.number(),
          /** The units that decide the tier: the greater of last month's and this month's. */
          unitsPerMonth: z.number(),
        }),
      ),
    },
  },
  setCustomerPrice: {
    summary:
      "Give a customer another price for a page, at once or from a time on; null gives the list's back (administrators)",
    tags,
    params: adminIdParams,
    body: setCustomerPriceBody,
    response: { 200: dataAnswer(customerPriceSchema) },
  },
  viewTiers: {
    summary: "Discounts by the units that a customer uses in a month, lowest first (administrators)",
    tags,
    response: { 200: dataAnswer(z.array(tierSchema)) },
  },
  setTiers: {
    summary: "Replace the list of tiers; an empty list ends all discounts (administrators)",
    tags,
    params: adminIdParams,
    body: z
      .array(tierSchema)
      .max(PRICE_TIERS_MAX, `holds at most ${PRICE_TIERS_MAX} tiers`)
      .refine(
        (tiers) => new Set(tiers.map(({ unitsPerMonth }) => unitsPerMonth)).size === tiers.length,
        "names an amount of units twice",
      ),
    response: { 200: dataAnswer(z.array(tierSchema)) },
  },
} as const satisfies CallSchemas;
