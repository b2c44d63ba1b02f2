import { z } from "zod";
import { emailSchema } from "./accounts.ts";
import { waitingAnswer } from "./admin/approvals.ts";
import {
  adminIdParams,
  dataAnswer,
  idSchema,
  listAnswer,
  listQuery,
  messageAnswer,
  timeSchema,
  userIdParams,
  type CallSchemas,
} from "./http.ts";
import { limits } from "../limits.ts";

/** A request for a sender name or an address, and where it stands. */
export const whitelistRequestSchema = z.object({
  _id: idSchema,
  userID: idSchema,
  email: z.string(),
  senderName: z.string().optional(),
  ip: z.string().optional(),
  state: z.enum(["pending", "approved", "declined"]),
  reason: z.string().optional(),
  /** Whether an administrator should look twice. */
  flagged: z.boolean(),
  /** Why, in sentences; administrators only, because they speak of other customers. */
  warnings: z.array(z.string()).optional(),
  createdAt: timeSchema,
});
export type WhitelistRequestAnswer = z.infer<typeof whitelistRequestSchema>;

/** Sender names, commas separate several, or an address, or both. */
const sourceWhitelistBody = z
  .object({ senderName: z.string().max(500).optional(), ip: z.string().max(100).optional() })
  .refine((body) => body.senderName !== undefined || body.ip !== undefined, {
    path: ["senderName"],
    message: "or ip is required",
  });

export const whitelistSchemas = {
  sourceWhitelist: {
    summary: "Ask for sender names (commas separate several) or for an IP address",
    tags: ["Whitelists"],
    params: userIdParams,
    body: sourceWhitelistBody,
    response: { 201: dataAnswer(z.array(whitelistRequestSchema)) },
  },
  whitelists: {
    summary: "Approved sender names and addresses, and requests with their state",
    tags: ["Whitelists"],
    params: userIdParams,
    response: {
      200: dataAnswer(
        z.object({
          senderNames: z.array(z.string()),
          addresses: z.array(z.string()),
          /** Whether the dashboard, too, sends from approved addresses only, once there is one. */
          isDashboardRestricted: z.boolean(),
          /** The newest 100. */
          requests: z.array(whitelistRequestSchema),
        }),
      ),
    },
  },
  restrictDashboard: {
    summary: "Let the dashboard, too, send from approved addresses only, once there is one; or lift that again",
    tags: ["Whitelists"],
    params: userIdParams,
    body: z.object({ isRestricted: z.boolean() }),
    response: { 200: messageAnswer },
  },
  viewWhitelistRequests: {
    summary: "Requests of all customers, newest first (administrators)",
    tags: ["Whitelists"],
    querystring: listQuery.extend({ state: z.enum(["pending", "approved", "declined"]).optional() }),
    response: { 200: listAnswer(whitelistRequestSchema) },
  },
  approveWhitelistRequest: {
    summary:
      "Approve; a mail tells the customer (administrators). 202: a name that reads like a reserved one waits for a second administrator",
    tags: ["Whitelists"],
    params: z.object({ requestId: idSchema }),
    response: { 200: messageAnswer, 202: waitingAnswer },
  },
  declineWhitelistRequest: {
    summary: "Decline with a reason; a mail tells the customer (administrators)",
    tags: ["Whitelists"],
    params: z.object({ requestId: idSchema }),
    // Without a body Fastify hands over null.
    body: z.object({ reason: z.string().trim().max(limits.reasonCharactersMax).optional() }).nullish(),
    response: { 200: messageAnswer },
  },
  whitelistUserSenderId: {
    summary:
      "Give a customer sender names (commas separate several); a mail tells the customer (administrators). 202: those that read like reserved ones wait for a second administrator",
    tags: ["Whitelists"],
    params: adminIdParams,
    body: z.object({ email: emailSchema, senderName: z.string().min(1, "is required").max(500) }),
    response: { 200: messageAnswer, 202: waitingAnswer },
  },
} as const satisfies CallSchemas;
