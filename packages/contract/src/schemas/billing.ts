import { z } from "zod";
import { dataAnswer, idSchema, listAnswer, listQuery, timeSchema, userIdParams, type CallSchemas } from "./http.ts";
import { limits } from "../limits.ts";
import { paymentStates, statementKinds, type StatementKind } from "../rules/choices.ts";

/**
 * What moved units: a send, units given back after it, a card payment, a deposit, an administrator's credit, a correction,
 * units set aside while a card payment is disputed or being refunded, units moved to or from a sub-account.
 */
export const statementCauses = [
  "message",
  "refund",
  "payment",
  "deposit",
  "credit",
  "reversal",
  "freeze",
  "transfer",
] as const;
export type StatementCause = (typeof statementCauses)[number];

/** The causes that each kind of the filter lists. */
export const causesOfKind: Readonly<Record<StatementKind, readonly StatementCause[]>> = {
  messages: ["message", "refund"],
  added: ["payment", "deposit", "credit", "transfer"],
  corrections: ["reversal", "freeze"],
};

/** One line of a customer's statement. Units are exact here, up to three decimals, so that the lines add up. */
export const statementRowSchema = z.object({
  _id: idSchema,
  createdAt: timeSchema,
  /** What the available units gained; negative for what was spent or set aside for a running message. */
  units: z.number(),
  /** The available units after this line. */
  balance: z.number(),
  cause: z.enum(statementCauses),
  /** The message's id, or the reference of the payment, deposit or credit. */
  reference: z.string(),
  /** False while the message is still being sent: what is refused comes back into this line. */
  final: z.boolean(),
  /** The member who sent the message, by name; absent of what the account's own user and its keys sent. */
  sentBy: z.string().optional(),
});
export type StatementRow = z.infer<typeof statementRowSchema>;

/** The available units at the end of a day in Lagos, `YYYY-MM-DD`; for today, now. */
export const dayBalanceSchema = z.object({ day: z.iso.date(), balance: z.number() });
export type DayBalance = z.infer<typeof dayBalanceSchema>;

/** A month in Lagos. */
const monthFilter = z
  .string()
  .regex(/^20[0-9]{2}-(0[1-9]|1[0-2])$/, "must be a month such as 2026-03")
  .optional();

/** A card payment as the customer sees it. */
export const paymentSchema = z.object({
  /** Ours, and the card provider's. */
  reference: z.string(),
  /** Whole units. */
  units: z.number(),
  /** What the card is charged, in kobo: `instantPurchaseKobo(units)` at the time. */
  totalKobo: z.number(),
  state: z.enum(paymentStates),
  /** Units that are set aside for an open refund or dispute, and that were taken back after one. */
  frozenUnits: z.number(),
  takenBackUnits: z.number(),
  createdAt: timeSchema,
  paidAt: timeSchema.nullable(),
});
export type PaymentAnswer = z.infer<typeof paymentSchema>;

/** A card payment as administrators see it. */
export const adminPaymentSchema = paymentSchema.extend({
  userID: idSchema,
  email: z.string(),
  /** Why the provider's success was not credited: another amount, currency or mode. People must look. */
  problem: z.string().nullable(),
  /** Refunds and disputes, oldest first. */
  claims: z.array(
    z.object({
      kind: z.enum(["refund", "dispute"]),
      state: z.enum(["open", "upheld", "dismissed"]),
      amountKobo: z.number(),
      units: z.number(),
      /** Units of it that the customer had spent before they could be set aside: the company's loss so far. */
      spentUnits: z.number(),
      createdAt: timeSchema,
    }),
  ),
});
export type AdminPaymentAnswer = z.infer<typeof adminPaymentSchema>;

/** The alphabet of the provider's references. */
export const paymentReferenceSchema = z.string().regex(/^[A-Za-z0-9.=-]{1,100}$/, "is not a payment's reference");
const paymentParams = z.object({ userId: idSchema, reference: paymentReferenceSchema });

const instantUnits = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^[0-9]{1,9}$/, "takes digits only")
      .transform(Number),
  ])
  .pipe(
    z
      .int("must be whole units")
      .min(limits.instantUnitsMin, `must be ${limits.instantUnitsMin} or more`)
      .max(limits.instantUnitsMax, `must be ${limits.instantUnitsMax.toLocaleString("en")} at most`),
  );

/** What a page sends of the price and the payer; the server's own are used. */
const ignored = z.union([z.string().max(320), z.number(), z.null()]).optional();

export const paymentSchemas = {
  paystackPayment: {
    summary: "Begin to buy units by card; the price and the payer are the server's, whatever amount and email say",
    tags: ["Billing"],
    body: z.object({ email: ignored, amount: ignored, proposedUnits: instantUnits }),
    response: { 201: dataAnswer(z.object({ authorization_url: z.url(), reference: z.string() })) },
  },
  verifyTransaction: {
    summary: "Ask the card provider about a payment and credit its units, once; what the body says is ignored",
    tags: ["Billing"],
    params: paymentParams,
    body: z.looseObject({}).nullish(),
    response: { 200: dataAnswer(paymentSchema) },
  },
  payments: {
    summary: "The customer's card payments",
    tags: ["Billing"],
    params: userIdParams,
    querystring: listQuery,
    response: { 200: listAnswer(paymentSchema) },
  },
  viewOnePayment: {
    summary: "One card payment, as it stands here; the provider is not asked",
    tags: ["Billing"],
    params: paymentParams,
    response: { 200: dataAnswer(paymentSchema) },
  },
  paymentReceipt: {
    summary: "The receipt of a paid card payment, as PDF",
    tags: ["Billing"],
    params: paymentParams,
    response: { 200: z.unknown().describe("application/pdf") },
  },
  viewAllPayments: {
    summary: "Card payments of all customers, newest first (administrators)",
    tags: ["Billing"],
    querystring: listQuery.extend({ state: z.enum(paymentStates).optional() }),
    response: { 200: listAnswer(adminPaymentSchema) },
  },
  paystackWebhook: {
    summary: "Events of the card provider, signed with HMAC-SHA512 over the raw body (x-paystack-signature)",
    tags: ["Billing"],
    response: { 200: z.object({ message: z.string() }) },
  },
} as const satisfies CallSchemas;

export const billingSchemas = {
  statement: {
    summary:
      "The movements of the units with their causes, newest first, all or those of a month and of a kind; with format=csv all of these, oldest first",
    tags: ["Billing"],
    params: userIdParams,
    querystring: listQuery.extend({
      month: monthFilter,
      kind: z.enum(statementKinds).optional(),
      format: z.literal("csv").optional(),
    }),
    response: { 200: listAnswer(statementRowSchema) },
  },
  balanceByDay: {
    summary: "The available units at the end of each day, oldest first: of a month, or of the last 30 days",
    tags: ["Billing"],
    params: userIdParams,
    querystring: z.strictObject({ month: monthFilter }),
    response: { 200: dataAnswer(z.array(dayBalanceSchema)) },
  },
} as const satisfies CallSchemas;
