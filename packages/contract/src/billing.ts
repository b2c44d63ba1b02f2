import { z } from "zod";
import { defineRoute, idSchema, listAnswer, listQuery, timeSchema, userIdParams } from "./http.ts";

/** What moved units: a send, units given back after it, a card payment, a deposit, an administrator's credit, a correction. */
export const statementCauses = ["message", "refund", "payment", "deposit", "credit", "reversal"] as const;
export type StatementCause = (typeof statementCauses)[number];

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
});
export type StatementRow = z.infer<typeof statementRowSchema>;

export const billingRoutes = {
  statement: defineRoute({
    method: "GET",
    url: "/api/:userId/statement",
    schema: {
      summary: "Every movement of the units with its cause, newest first; with format=csv all of them, oldest first",
      tags: ["Billing"],
      params: userIdParams,
      querystring: listQuery.extend({ format: z.literal("csv").optional() }),
      response: { 200: listAnswer(statementRowSchema) },
    },
  }),
} as const;
