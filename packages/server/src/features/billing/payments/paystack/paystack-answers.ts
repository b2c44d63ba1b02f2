/** What Paystack answers, as far as we rely on it; everything else in its answers is passed over. */
import { z } from "zod";

/** Kobo. A whole number in the reference, a text of digits in some of the provider's own samples. */
export const koboSchema = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^[0-9]{1,15}$/)
    .transform(Number),
]);

const numberAsText = z.union([z.number(), z.string()]).transform(String);

export const initializedSchema = z.object({
  status: z.literal(true),
  data: z.object({ authorization_url: z.string(), access_code: z.string(), reference: z.string() }),
});

export const transactionSchema = z.object({
  /** Of the money; the answer's outer status only says that the question was understood. */
  status: z.string(),
  reference: z.string(),
  amount: koboSchema,
  /** What we asked for; `amount` is more when the payer bears the provider's fees. */
  requested_amount: koboSchema.nullish(),
  currency: z.string(),
  /** `test` or `live`. */
  domain: z.string().nullish(),
  channel: z.string().nullish(),
  id: numberAsText.nullish(),
});
export type ProviderTransaction = z.infer<typeof transactionSchema>;

export const verifiedSchema = z.object({ status: z.literal(true), data: transactionSchema });

export const refusedSchema = z.object({ message: z.string().optional(), code: z.string().optional() });

/** Events differ in everything but this. */
export const eventSchema = z.object({ event: z.string(), data: z.record(z.string(), z.unknown()) });

export const chargeEventSchema = z.object({ reference: z.string() });

export const refundEventSchema = z.object({
  transaction_reference: z.string(),
  refund_reference: numberAsText.nullish(),
  id: numberAsText.nullish(),
  amount: koboSchema,
  domain: z.string().nullish(),
});

export const disputeEventSchema = z.object({
  id: numberAsText,
  refund_amount: koboSchema.nullish(),
  resolution: z.string().nullish(),
  domain: z.string().nullish(),
  transaction: z.object({ reference: z.string(), amount: koboSchema }),
});
