import { z } from "zod";
import { type CallSchemas } from "./http.ts";

/**
 * What may look different now. `message:<id>` is one message, `messages` the lists of sent ones, which hear of a message
 * that comes or goes and not of its progress, `scheduled` of those that wait for their time; `catalog:<id>` is one catalog,
 * `catalogs` the list of them; `admin` is whatever administrators see of all customers.
 */
export type ChangeTopic =
  | "user"
  | "messages"
  | `message:${string}`
  | "scheduled"
  | "drafts"
  /** Messages from phones to the customer, and what answered them. */
  | "inbox"
  | "opt-outs"
  | "whitelists"
  | "catalogs"
  | `catalog:${string}`
  | "transfers"
  | "payments"
  | "announcements"
  /** What everybody is told of the installation: see `/api/brand`. */
  | "brand"
  /** Carriers, and how they do. */
  | "carriers"
  /** What a page costs. */
  | "rates"
  /** The figures that are added up every minute. */
  | "overview"
  | "sessions"
  | "members"
  | "sub-accounts"
  /** What waits for an approver of the account. */
  | "approvals"
  | "api-keys"
  | "admin"
  /** One message on an administrator's screen, which follows its progress as its customer's does. */
  | `admin:message:${string}`
  /** Who registered last, and whose mailbox is proven. */
  | "newest-customers"
  /** How much waits for an administrator. */
  | "waiting";

/** Data of a `change` event. A `ready` event (at the beginning, and after a gap) means: anything may have changed. */
export const changeEventSchema = z.object({ topics: z.array(z.string()) });
export type ChangeEvent = z.infer<typeof changeEventSchema>;

/** Names of the events of `GET /api/events`. After `signed-out` the stream ends and the session is over. */
export const eventNames = ["ready", "change", "signed-out"] as const;

export const eventSchemas = {
  events: {
    summary: "Server-sent events of the session's own topics: ready, change { topics }, signed-out",
    tags: ["Events"],
    response: { 200: z.unknown().describe("text/event-stream") },
  },
} as const satisfies CallSchemas;
