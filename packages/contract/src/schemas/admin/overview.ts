/** What administrators see of the whole business. */
import { z } from "zod";
import { dataAnswer, idSchema, listAnswer, listQuery, timeSchema, type CallSchemas } from "../http.ts";
import { overviewRanges } from "../../rules/choices.ts";

/** How many of each kind wait for an administrator. */
export const waitingCountsSchema = z.object({
  deposits: z.number(),
  /** For sender names and addresses. */
  requests: z.number(),
  /** Of a second administrator. */
  approvals: z.number(),
  /** Of card payments. */
  disputes: z.number(),
  /** Messages that a restore has held: each is released or refused. */
  held: z.number(),
  /** Messages that wait for a look before they are sent. */
  reviews: z.number(),
  /** Alarms that are open and not silenced. */
  alarms: z.number(),
});
export type WaitingCountsAnswer = z.infer<typeof waitingCountsSchema>;

/** The figures of the overview's cards. */
export const overviewSchema = z.object({
  registeredUsers: z.number(),
  /** All units that customers can spend; one unit is one naira. Two decimals. */
  units: z.number(),
  /** Bank deposits that customers reported, whatever became of them. */
  transactions: z.number(),
  /** Messages that were sent, as customers' histories list them. */
  successfulSms: z.number(),
  draftedSms: z.number(),
  /** Customers who are signed in. */
  activeUsers: z.number(),
  contactLists: z.number(),
  /** Messages that wait for a look before they are sent; also among `waiting`. */
  reviews: z.number(),
  /** Messages that wait for quiet hours to end, and how many recipients they have left. */
  deferred: z.object({ messages: z.number(), recipients: z.number() }),
  /** What waits for an administrator. */
  waiting: waitingCountsSchema.extend({
    /** Since when the oldest of them waits; null when nothing does. */
    oldestAt: timeSchema.nullable(),
  }),
});
export type OverviewAnswer = z.infer<typeof overviewSchema>;

/** Of recipients, by what became of them. `dnd` are those that the carriers refused. */
const outcomesSchema = z.object({
  sent: z.number(),
  delivered: z.number(),
  failed: z.number(),
  dnd: z.number(),
  unknown: z.number(),
});
export type TrafficOutcomes = z.infer<typeof outcomesSchema>;

export const overviewChartsSchema = z.object({
  /** Every day of the range, in order, empty ones too; a day is one in Lagos, `YYYY-MM-DD`. */
  days: z.array(
    z.object({
      day: z.iso.date(),
      outcomes: outcomesSchema,
      /** Units that arrived (payments, deposits, credits), less what was reversed. */
      unitsSold: z.number(),
      /** Units that were charged, less what was refunded. */
      unitsUsed: z.number(),
    }),
  ),
  /** Nigerian networks by their prefixes, and all other countries as "Abroad"; the busiest first. */
  networks: z.array(z.object({ network: z.string(), outcomes: outcomesSchema })),
  /** Who used the most units; at most ten. */
  topCustomers: z.array(z.object({ _id: idSchema, userName: z.string(), email: z.string(), unitsUsed: z.number() })),
  /** When the figures were added up last: every minute. Null before the first time. */
  asOf: timeSchema.nullable(),
});
export type OverviewCharts = z.infer<typeof overviewChartsSchema>;

const tags: ["Overview"] = ["Overview"];

/** One of what waits: its page, or the decision itself for an approval, is found by kind and id. */
export const waitingSchema = z.object({
  _id: idSchema,
  kind: z.enum(["deposit", "request", "approval", "dispute"]),
  what: z.string(),
  /** Who waits: a customer, or the administrator who asked. */
  by: z.string(),
  /** Whether to look twice: a receipt that was used before, a name that reads like a reserved one. */
  flagged: z.boolean(),
  /** Whether the administrator who reads this may decide it: an approval is for somebody else than who asked. */
  mayDecide: z.boolean(),
  createdAt: timeSchema,
});
export type WaitingAnswer = z.infer<typeof waitingSchema>;

export const overviewSchemas = {
  viewOverview: {
    summary: "The figures of the whole business, as of now (administrators)",
    tags,
    response: { 200: dataAnswer(overviewSchema) },
  },
  viewWaiting: {
    summary:
      "What waits for an administrator, the oldest first: deposits, requests, second signatures, disputes (administrators)",
    tags,
    querystring: listQuery,
    response: { 200: listAnswer(waitingSchema) },
  },
  viewWaitingCounts: {
    summary: "How many of each kind wait for an administrator (administrators)",
    tags,
    response: { 200: dataAnswer(waitingCountsSchema) },
  },
  viewOverviewCharts: {
    summary: "Traffic and units by day, networks and top customers (administrators)",
    tags,
    querystring: z.object({ days: z.enum(overviewRanges).default("30") }),
    response: { 200: dataAnswer(overviewChartsSchema) },
  },
} as const satisfies CallSchemas;
