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

const cardSchema = z.object({
  authorization_code: z.string().min(1).max(100),
  reusable: z.literal(true),
  channel: z.literal("card"),
  brand: z.string(),
  last4: z.string(),
  exp_month: z.string(),
  exp_year: z.string(),
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
  /** The provider's own. Unknown until the money is there. */
  fees: koboSchema.nullish().catch(undefined),
  /** What it holds follows the channel: `readCard`, `readReceiver`. */
  authorization: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  metadata: z.unknown().optional(),
  customer: z.object({ email: z.string() }).nullish().catch(undefined),
});
export type ProviderTransaction = z.infer<typeof transactionSchema>;

/** @returns the card that paid; undefined when it cannot be charged again, and for other channels. */
export function readCard({ authorization }: ProviderTransaction): z.infer<typeof cardSchema> | undefined {
  return cardSchema.safeParse(authorization).data;
}

/** What money that came to a customer's account number comes by. */
export const ACCOUNT_CHANNEL = "dedicated_nuban";
const receiverSchema = z.object({ receiver_bank_account_number: z.string() });
const receiverInMetadataSchema = z.object({ receiver_account_number: z.string() });

/** @returns the account number that money was transferred to; undefined for other channels. */
export function readReceiver({
  channel,
  authorization,
  metadata,
}: Pick<ProviderTransaction, "channel" | "authorization" | "metadata">): string | undefined {
  if (channel !== ACCOUNT_CHANNEL) return undefined;
  const receiver = receiverSchema.safeParse(authorization).data?.receiver_bank_account_number;
  return receiver ?? receiverInMetadataSchema.safeParse(metadata).data?.receiver_account_number;
}

export const verifiedSchema = z.object({ status: z.literal(true), data: transactionSchema });

export const refusedSchema = z.object({ message: z.string().optional(), code: z.string().optional() });

/** Events differ in everything but this. */
export const eventSchema = z.object({ event: z.string(), data: z.record(z.string(), z.unknown()) });

export const chargeEventSchema = transactionSchema.pick({
  reference: true,
  channel: true,
  authorization: true,
  metadata: true,
});

export const madeCustomerSchema = z.object({
  status: z.literal(true),
  data: z.object({ customer_code: z.string(), id: z.number() }),
});

const dedicatedAccountSchema = z.object({
  bank: z.object({ name: z.string() }),
  account_name: z.string(),
  account_number: z.string().regex(/^[0-9]{5,20}$/),
  active: z.boolean().optional(),
});
export const madeAccountSchema = z.object({ status: z.literal(true), data: dedicatedAccountSchema });
/** Those that say something else are passed over. */
export const accountListSchema = z.object({
  status: z.literal(true),
  data: z.array(dedicatedAccountSchema.optional().catch(undefined)),
});
export const transactionListSchema = z.object({
  status: z.literal(true),
  data: z.array(transactionSchema.optional().catch(undefined)),
});

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
