/** The figures of a message: its counts, its units, and how it was delivered. */
import { z } from "zod";
import { repairCountsSchema, timeSchema } from "./http.ts";

export const countsSchema = z.object({
  waiting: z.number(),
  sent: z.number(),
  delivered: z.number(),
  failed: z.number(),
  dnd: z.number(),
  unknown: z.number(),
  cancelled: z.number(),
  /** Those who want no more messages from this customer. Absent in breakdowns that were counted before there were any. */
  optedOut: z.number().optional(),
  /** Those who were left when the message's time was over. Absent as above. */
  expired: z.number().optional(),
});
export type MessageCounts = z.infer<typeof countsSchema>;

/** What a send cost: units with two decimals; `recipients` is the distinct numbers that are charged. */
export const unitDetailsSchema = z.object({
  received: z.number(),
  recipients: z.number(),
  duplicates: z.number(),
  dnd: z.number(),
  pages: z.number(),
  /** Units for one page to one recipient, exact: three decimals at most. */
  rate: z.number(),
  charged: z.number(),
  available: z.number(),
  repaired: repairCountsSchema.optional(),
  /** Where texts differ: how many recipients pay how many pages; `pages` is the most. */
  pageCounts: z.record(z.string(), z.number()).optional(),
  /** Left out (`onMissing: "skip"`): they have no value for a field of the text. */
  missing: z.number().optional(),
  /** Numbers that want no more messages from this customer: not sent, not charged, not among `recipients`. Absent where there are none. */
  optedOut: z.number().optional(),
  /** When the first of it leaves, where it waits for quiet hours to end. */
  deferredUntil: timeSchema.optional(),
});
export type UnitDetails = z.infer<typeof unitDetailsSchema>;

/** Where the units of a message are; each exact, three decimals at most. The three add up to what was set aside for it. */
export const messageUnitsSchema = z.object({
  /** Paid for good: charged, and not refunded since. */
  charged: z.number(),
  /** Set aside until the outcome of each recipient is known. */
  reserved: z.number(),
  /** Back among the units that can be spent. */
  returned: z.number(),
});
export type MessageUnits = z.infer<typeof messageUnitsSchema>;

/** A customer's day: the recipients of the messages that went out on it, by where they stand now. */
export const messageDaySchema = z.object({
  /** A day in Lagos, `YYYY-MM-DD`. */
  day: z.iso.date(),
  messages: z.number(),
  counts: countsSchema,
});
export type MessageDayAnswer = z.infer<typeof messageDaySchema>;

const timedOutcomes = { delivered: z.number(), failed: z.number(), dnd: z.number() };

/** How a message was delivered: over time, by network, and why recipients did not get it. Counted now and then while somebody looks. */
export const breakdownSchema = z.object({
  /** Absent while nothing was handed over. */
  countedAt: timeSchema.optional(),
  /** The message's counts at that time. When they differ from the message's own, ask again, after so many seconds. */
  counts: countsSchema,
  againInSeconds: z.number().optional(),
  /** False when deliveries were removed, because they are no longer kept, before they were counted. */
  isKept: z.boolean(),
  /** The width of a point. */
  stepSeconds: z.number(),
  points: z.array(z.object({ at: timeSchema, ...timedOutcomes })),
  /** Outcomes that came long after all points. */
  later: z.object(timedOutcomes),
  /** Recipients that were handed over to a carrier, by likely network, the largest first. */
  networks: z.array(z.object({ network: z.string(), ...timedOutcomes, sent: z.number(), unknown: z.number() })),
  /** Why recipients did not get it, the most frequent first; `carrierCodes` are some of what the carriers wrote. */
  failures: z.array(
    z.object({
      reason: z.string(),
      advice: z.string().optional(),
      count: z.number(),
      carrierCodes: z.array(z.string()),
    }),
  ),
});
export type BreakdownAnswer = z.infer<typeof breakdownSchema>;
