/** What a webhook is told: `{type, timestamp, mode, data}`, by the Standard Webhooks specification. */
import { z } from "zod";
import { idSchema, timeSchema } from "./http.ts";
import { inboundSchema } from "./inbox.ts";
import { countsSchema, unitDetailsSchema } from "./message-figures.ts";
import { recipientStates } from "./messages.ts";
import { optOutSources } from "./opt-outs.ts";

const messageId = idSchema;
const reference = z.string().optional();

/** The `data` of each event. */
export const webhookEvents = {
  "message.accepted": {
    summary: "A message was accepted, and its units are held",
    data: z.object({ messageId, reference, unitDetails: unitDetailsSchema }),
  },
  "message.finished": {
    summary: "Nobody of a message waits any more",
    data: z.object({ messageId, reference, counts: countsSchema }),
  },
  "recipients.updated": {
    summary:
      "Recipients changed their state: up to 500 reports of several messages together, posted within a second; in a very large send about a minute later",
    data: z.object({
      recipients: z.array(
        z.object({
          messageId,
          phoneNo: z.string(),
          state: z.enum(recipientStates),
          network: z.string(),
          reason: z.string(),
          reference,
          updatedAt: timeSchema,
        }),
      ),
    }),
  },
  "inbox.received": { summary: "A phone wrote to one of the account's numbers", data: inboundSchema },
  "contact.opted_out": {
    summary: "Somebody wants no more messages",
    data: z.object({ phoneNo: z.string(), source: z.enum(optOutSources) }),
  },
  "balance.low": {
    summary: "The balance fell below the amount that the account set",
    data: z.object({ units: z.number(), below: z.number() }),
  },
  "sender.decided": {
    summary: "A sender name was approved or declined",
    data: z.object({ senderName: z.string(), decision: z.enum(["approved", "declined"]) }),
  },
  "payment.credited": {
    summary: "Units were added: by card, deposit or hand",
    data: z.object({ units: z.number(), cause: z.string() }),
  },
} as const satisfies Record<string, { summary: string; data: z.ZodType }>;
