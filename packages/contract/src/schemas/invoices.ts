import { z } from "zod";
import { idSchema, listAnswer, strictListQuery, timeSchema, userIdParams, type CallSchemas } from "./http.ts";

export const invoiceKinds = ["card", "deposit", "transfer"] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];

const partySchema = z.object({ name: z.string(), address: z.string().optional(), email: z.string().optional() });

/** What a customer was invoiced for one payment. Amounts are naira, exact to the kobo. */
export const invoiceSchema = z.object({
  _id: idSchema,
  /** `2026-000001`: counted in each year, without gaps. */
  number: z.string(),
  createdAt: timeSchema,
  kind: z.enum(invoiceKinds),
  /** The payment's, or the deposit's id. */
  reference: z.string(),
  seller: partySchema,
  buyer: partySchema,
  units: z.number(),
  net: z.number(),
  vat: z.number(),
  vatPercent: z.number(),
  gross: z.number(),
  currency: z.literal("NGN"),
  /** Credit notes: what was refunded or disputed with success, oldest first. Each has a PDF of its own, under its id. */
  corrections: z.array(
    z.object({
      _id: idSchema,
      /** `CN-2026-000001`: counted in each year, without gaps. */
      number: z.string(),
      createdAt: timeSchema,
      net: z.number(),
      vat: z.number(),
      gross: z.number(),
    }),
  ),
});
export type InvoiceAnswer = z.infer<typeof invoiceSchema>;

export const invoiceSchemas = {
  invoices: {
    summary: "The customer's invoices with their VAT, newest first: one for each payment",
    tags: ["Billing"],
    params: userIdParams,
    querystring: strictListQuery,
    response: { 200: listAnswer(invoiceSchema) },
  },
  invoice: {
    summary: "An invoice as PDF, or a credit note by its id",
    tags: ["Billing"],
    params: z.object({ userId: idSchema, invoiceId: idSchema }),
    response: { 200: z.unknown().describe("application/pdf") },
  },
} as const satisfies CallSchemas;
