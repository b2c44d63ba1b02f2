/** What administrators see of the whole business. */
import { z } from "zod";
import { dataAnswer, defineRoute, idSchema, timeSchema } from "./http.ts";
import { overviewRanges } from "./overview-ranges.ts";

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
});
export type OverviewAnswer = z.infer<typeof overviewSchema>;

/** Of recipients, by what became of them. `dnd` are those that the carriers refused. */
const outcomesSchema = z.object({ sent: z.number(), delivered: z.number(), failed: z.number(), dnd: z.number(), unknown: z.number() });
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

export const overviewRoutes = {
  viewOverview: defineRoute({
    method: "GET",
    url: "/api/view-overview",
    schema: { summary: "The figures of the whole business, as of now (administrators)", tags, response: { 200: dataAnswer(overviewSchema) } },
  }),
  viewOverviewCharts: defineRoute({
    method: "GET",
    url: "/api/view-overview-charts",
    schema: {
      summary: "Traffic and units by day, networks and top customers (administrators)",
      tags,
      querystring: z.object({ days: z.enum(overviewRanges).default("30") }),
      response: { 200: dataAnswer(overviewChartsSchema) },
    },
  }),
} as const;
