/** Units that arrive without a visit: a kept card that is charged by itself, and an account number for transfers. */
import { z } from "zod";
import { dataAnswer, userIdParams, type CallSchemas } from "./http.ts";
import { limits } from "../limits.ts";

/** More charges of a kept card in a day are a mistake of the settings. */
const CHARGES_PER_DAY_MAX = 10;

export const autoTopUpSchema = z.object({
  isOn: z.boolean(),
  /** The kept card is charged when fewer units are free; null until it is set. */
  below: z.number().nullable(),
  /** Whole units that each charge buys. */
  units: z.number().nullable(),
  perDayMax: z.number().nullable(),
  /** The card of the newest card payment; null before the first, and when the provider does not let us charge it again. */
  card: z.object({ brand: z.string(), last4: z.string(), expires: z.string() }).nullable(),
  /** The card was declined too often; cleared when it is turned on again. */
  isStopped: z.boolean(),
});
export type AutoTopUpAnswer = z.infer<typeof autoTopUpSchema>;

/** Where a customer transfers money to: a bank account that is theirs alone. */
export const virtualAccountSchema = z.object({ bank: z.string(), accountName: z.string(), accountNumber: z.string() });
export type VirtualAccountAnswer = z.infer<typeof virtualAccountSchema>;

export const virtualAccountViewSchema = z.object({
  /** There is a provider that opens account numbers. */
  isOffered: z.boolean(),
  /** Null before it is opened. */
  account: virtualAccountSchema.nullable(),
  /** The page that plays a transfer; null for a real account. */
  sandboxUrl: z.string().nullable(),
});
export type VirtualAccountView = z.infer<typeof virtualAccountViewSchema>;

const wholeUnits = (least: number, most: number) =>
  z
    .int("must be whole units")
    .min(least, `must be ${least} or more`)
    .max(most, `must be ${most.toLocaleString("en")} at most`);

export const fundingSchemas = {
  autoTopUp: {
    summary: "The kept card, and when it is charged by itself",
    tags: ["Billing"],
    params: userIdParams,
    response: { 200: dataAnswer(autoTopUpSchema) },
  },
  setAutoTopUp: {
    summary:
      "Charge the kept card when fewer than `below` units are free, once for each crossing and `perDayMax` times a day",
    tags: ["Billing"],
    params: userIdParams,
    body: z.strictObject({
      isOn: z.boolean(),
      below: wholeUnits(1, limits.unitsMaxPerCredit).optional(),
      units: wholeUnits(limits.instantUnitsMin, limits.instantUnitsMax).optional(),
      perDayMax: z
        .int("must be a whole number")
        .min(1, "must be 1 or more")
        .max(CHARGES_PER_DAY_MAX, `must be ${CHARGES_PER_DAY_MAX} at most`)
        .optional(),
    }),
    response: { 200: dataAnswer(autoTopUpSchema) },
  },
  virtualAccount: {
    summary: "The account number that the customer's transfers are credited from",
    tags: ["Billing"],
    params: userIdParams,
    response: { 200: dataAnswer(virtualAccountViewSchema) },
  },
  openVirtualAccount: {
    summary: "Open the customer's account number; what is transferred to it is credited less the provider's fee",
    tags: ["Billing"],
    params: userIdParams,
    response: { 201: dataAnswer(virtualAccountSchema) },
  },
} as const satisfies CallSchemas;
