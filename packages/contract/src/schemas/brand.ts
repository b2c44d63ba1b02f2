import { z } from "zod";
import { dataAnswer, timeSchema, type CallSchemas } from "./http.ts";

/** Everything about the brand. It comes from configuration, so that another company can run the product. */
export const brandSchema = z.object({
  name: z.string().min(1).max(40),
  suffix: z.string().max(20),
  address: z.string().max(200),
  phones: z.array(z.string().max(40)).max(5),
  emails: z.array(z.email()).max(5),
  chat: z.string().max(200),
  bank: z.object({ name: z.string().max(100), accountName: z.string().max(100), accountNumber: z.string().max(20) }),
});
export type Brand = z.infer<typeof brandSchema>;

/** What a browser must know before anyone has signed in. */
export const settingsSchema = brandSchema.extend({
  /** Where the product is reached, without a slash at the end. */
  publicUrl: z.string(),
  /** Naira for one page in Nigeria, the price that is advertised. */
  startingRate: z.number(),
  emailRules: z.enum(["specified", "any"]),
  pageRule: z.enum(["flat160", "gsm"]),
  adminEmailHost: z.string(),
  /** No carrier is there and the simulator stands in: it carries, and no real SMS leaves. */
  isSimulated: z.boolean(),
  /** No card provider is configured: the sandbox plays it, and no money moves. */
  isCardSandbox: z.boolean(),
  /** False: neither a card provider nor the sandbox; units are bought by bank deposit alone. */
  hasCards: z.boolean(),
  /** No mail server is configured: mails are kept, and read at `/mailbox` on the machine itself, for which alone the product is. */
  isMailKept: z.boolean(),
});
export type PublicSettings = z.infer<typeof settingsSchema>;

/** Naira for one page to one number, in one country: of promotional messages, and of transactional ones. */
export const rateRowSchema = z.object({
  country: z.string(),
  code: z.string(),
  rate: z.number(),
  transactionalRate: z.number(),
});
export type RateRow = z.infer<typeof rateRowSchema>;

export const siteSchemas = {
  brand: {
    summary: "The brand, and the rules that the forms follow",
    tags: ["Site"],
    response: { 200: dataAnswer(settingsSchema) },
  },
  countries: {
    summary: "Countries that can be chosen, by name",
    tags: ["Site"],
    response: { 200: z.object({ data: z.array(z.object({ name: z.string(), code: z.string() })) }) },
  },
  rates: {
    summary: "Naira for one page, by country",
    tags: ["Site"],
    /** `nextChangeAt`: when the next planned rate begins to hold. */
    response: { 200: z.object({ data: z.array(rateRowSchema), nextChangeAt: timeSchema.nullable() }) },
  },
} as const satisfies CallSchemas;
