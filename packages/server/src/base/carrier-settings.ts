import { z } from "zod";
import { isLoopback } from "./loopback.ts";

const shape = z.object({
  name: z.string().min(1).max(60),
  kind: z.literal("smpp"),
  host: z.string().min(1),
  port: z.int().min(1).max(65_535),
  systemId: z.string().max(15),
  password: z.string().max(64),
  systemType: z.string().max(12).optional(),
  /** Unset: on, unless the carrier is on this machine. */
  tls: z.boolean().optional(),
  binds: z.int().min(1).max(16).default(1),
  /** Unanswered submits per bind, from the contract with the carrier. */
  window: z.int().min(1).max(10_000).default(10),
  messagesPerSecond: z.number().min(0.1).max(1_000_000).default(100),
  /** Number prefixes that this carrier takes; empty means all. */
  prefixes: z.array(z.string().regex(/^[0-9]{1,15}$/)).default([]),
  weight: z.number().min(0).max(1_000).default(1),
  /** How this carrier writes message ids in receipts, compared with its answers. */
  receiptIds: z.enum(["asIs", "hexToDec", "decToHex"]).default("asIs"),
  longMessages: z.enum(["udh8", "udh16", "sar", "payload"]).default("udh8"),
});
/** A carrier as `CARRIERS` names it. */
export const carrierSettingsSchema = shape.transform((carrier) => ({
  ...carrier,
  tls: carrier.tls ?? !isLoopback(carrier.host),
}));
export type CarrierSettings = z.infer<typeof carrierSettingsSchema>;
