import { z } from "zod";
import { messageClasses } from "../../rules/sending/message-class.ts";
import { addHttpCarrierBody, httpCarrierFieldsSchema, httpPresetNames, testHttpCarrierBody } from "./http-carriers.ts";
import { adminIdParams, dataAnswer, idSchema, messageAnswer, timeSchema, type CallSchemas } from "../http.ts";

/** More are kept by nobody; each costs a worker its binds. */
export const CARRIERS_MAX = 50;

/** A host name or an IP address, without scheme and port. What it resolves to is looked at by the server. */
const HOST =
  /^(?=.{1,253}$)(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)(?:\.(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?))*$|^[0-9A-Fa-f:.]{2,45}$/;
const visible = (charactersMax: number) =>
  z
    .string()
    .regex(/^[\x21-\x7e]*$/, "takes visible ASCII characters")
    .max(charactersMax, `has more than ${charactersMax} characters`);

const connectionShape = {
  host: z.string().regex(HOST, "must be a host name or an IP address"),
  port: z.int("must be a whole number").min(1, "must be 1 to 65535").max(65_535, "must be 1 to 65535"),
  systemId: visible(15).min(1, "is required"),
  /** Empty keeps the stored one, as long as host, port, name and TLS stay. */
  password: visible(64),
  systemType: visible(12),
  tls: z.boolean(),
};

export const carrierFieldsSchema = z.object({
  /** SMPP when absent. */
  kind: z.literal("smpp").optional(),
  ...connectionShape,
  binds: z.int("must be a whole number").min(1, "must be 1 to 16").max(16, "must be 1 to 16"),
  /** Unanswered submits per bind. */
  window: z.int("must be a whole number").min(1, "must be 1 to 10,000").max(10_000, "must be 1 to 10,000"),
  messagesPerSecond: z.number().min(0.1, "must be 0.1 to 100,000").max(100_000, "must be 0.1 to 100,000"),
  /** Beginnings of numbers that it takes; none means all. */
  prefixes: z.array(z.string().regex(/^[0-9]{1,15}$/, "takes digits only")).max(200, "has more than 200 prefixes"),
  weight: z.number().min(0, "must be 0 to 1,000").max(1_000, "must be 0 to 1,000"),
  /** The lowest goes first. */
  priority: z.int("must be a whole number").min(0, "must be 0 to 100").max(100, "must be 0 to 100"),
  /** How it writes message ids in receipts, compared with its answers. */
  receiptIds: z.enum(["asIs", "hexToDec", "decToHex"]),
  longMessages: z.enum(["udh8", "udh16", "sar", "payload"]),
  /** Codes in `err:` of its receipts that say a number is on the do-not-disturb list. */
  dndErrorCodes: z.array(visible(20).min(1, "is empty")).max(50, "has more than 50 codes"),
  /** What it takes. */
  classes: z
    .array(z.enum(messageClasses))
    .min(1, "names no class")
    .max(messageClasses.length)
    .default([...messageClasses]),
  /** Whether its transactional messages reach do-not-disturb numbers. */
  reachesDnd: z.boolean().default(false),
});
export type CarrierFields = z.infer<typeof carrierFieldsSchema>;

export const carrierNameSchema = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]*$/, "takes letters, digits, spaces, dots, dashes and underscores")
  .max(40, "has more than 40 characters");

export const addCarrierBody = carrierFieldsSchema.extend({
  name: carrierNameSchema,
  password: connectionShape.password.min(1, "is required"),
});
export type AddCarrierBody = z.infer<typeof addCarrierBody>;

export const testCarrierBody = z.object({
  kind: z.literal("smpp").optional(),
  ...connectionShape,
  /** Whose stored password an empty one means. */
  carrierId: idSchema.optional(),
});
export type TestCarrierBody = z.infer<typeof testCarrierBody>;

/** What its workers see of a carrier, together. */
export const carrierHealthSchema = z.object({
  /** `idle`: no worker holds a bind of it, because none runs or it was changed a moment ago. */
  link: z.enum(["bound", "connecting", "idle"]),
  since: timeSchema.nullable(),
  /** Binds that stand, of those that workers hold. */
  boundBinds: z.number(),
  heldBinds: z.number(),
  lastError: z.string().nullable(),
  lastErrorAt: timeSchema.nullable(),
  /** Messages answered in a second, of late. */
  messagesPerSecond: z.number(),
  /** Messages in its hands without an answer. */
  inFlight: z.number(),
  /** Of the last 15 minutes: answered as they should be, and slow, lost or failed. */
  goodCount: z.number(),
  badCount: z.number(),
});
export type CarrierHealthAnswer = z.infer<typeof carrierHealthSchema>;

const anyCarrierShape = {
  /** Absent for a carrier of the configuration, which cannot be changed here. */
  _id: idSchema.optional(),
  name: z.string(),
  source: z.enum(["configuration", "administrators", "simulator"]),
  /** Connections that workers share; one of a carrier over HTTP. */
  binds: z.number(),
  window: z.number(),
  messagesPerSecond: z.number(),
  prefixes: z.array(z.string()),
  weight: z.number(),
  priority: z.number(),
  classes: z.array(z.enum(messageClasses)),
  reachesDnd: z.boolean(),
  isEnabled: z.boolean(),
  /** What is stored about it cannot be read with this installation's key: it must be entered again. */
  isLocked: z.boolean(),
  health: carrierHealthSchema,
};

/** As it is: a carrier of the configuration, or the simulator, need not keep to the rules of the form. */
export const smppCarrierSchema = z.object({
  kind: z.literal("smpp"),
  ...anyCarrierShape,
  host: z.string(),
  port: z.number(),
  systemId: z.string(),
  systemType: z.string(),
  tls: z.boolean(),
  receiptIds: carrierFieldsSchema.shape.receiptIds,
  longMessages: carrierFieldsSchema.shape.longMessages,
  dndErrorCodes: z.array(z.string()),
});
export type SmppCarrierAnswer = z.infer<typeof smppCarrierSchema>;

/** A key may stand in any part of how it is spoken to, so no value of that is shown. */
export const httpCarrierSchema = z.object({
  kind: z.literal("http"),
  ...anyCarrierShape,
  preset: z.enum(httpPresetNames).nullable(),
  /** Without what stands behind a `?`. */
  url: z.string(),
  method: z.string(),
  headerNames: z.array(z.string()),
  secretNames: z.array(z.string()),
  /** Whether it has an address to report to. */
  takesReports: z.boolean(),
});
export type HttpCarrierAnswer = z.infer<typeof httpCarrierSchema>;

export const carrierSchema = z.discriminatedUnion("kind", [smppCarrierSchema, httpCarrierSchema]);
export type CarrierAnswer = z.infer<typeof carrierSchema>;

/** A worker that told of itself in the last 15 seconds. */
const workerSchema = z.object({
  host: z.string(),
  startedAt: timeSchema,
  /** Of the disk that its data directory lies on; null where the system does not say. */
  diskFreePercent: z.number().nullable(),
});

/** What is on its way to the carriers now, and who brings it there. */
export const sendingSchema = z.object({
  /** Recipients of started messages that no carrier was given yet; at most two seconds old. */
  waitingRecipients: z.number(),
  /** When the message began that has waited longest for a worker, of those that may leave now. */
  waitingSince: timeSchema.nullable(),
  workers: z.array(workerSchema),
  carriers: z.array(
    smppCarrierSchema.extend({ kind: z.enum(["smpp", "http"]) }).pick({
      kind: true,
      name: true,
      binds: true,
      messagesPerSecond: true,
      isEnabled: true,
      isLocked: true,
      health: true,
    }),
  ),
});
export type SendingAnswer = z.infer<typeof sendingSchema>;

/** `isBound` false: `text` says what is wrong, in words that tell what to do. Over HTTP it says whether the message was accepted. */
export const carrierTestSchema = z.object({
  isBound: z.boolean(),
  text: z.string(),
  durationMs: z.number(),
  /** Over HTTP: the beginning of the answer of a carrier on the public internet. */
  answer: z.string().optional(),
});
export type CarrierTestAnswer = z.infer<typeof carrierTestSchema>;

const KINDS = "must be smpp or http";
const tags: ["Carriers"] = ["Carriers"];
const carrierParams = z.object({ adminId: idSchema, carrierId: idSchema });

export const carrierSchemas = {
  viewCarriers: {
    summary: "Carriers of the configuration and those that administrators keep, with their health (administrators)",
    tags,
    response: { 200: dataAnswer(z.array(carrierSchema)) },
  },
  viewSending: {
    summary: "How many recipients wait to be sent, which workers run, and how each carrier does now (administrators)",
    tags,
    response: { 200: dataAnswer(sendingSchema) },
  },
  addCarrier: {
    summary: "Add a carrier over SMPP or HTTP; workers use it within seconds (administrators)",
    tags,
    params: adminIdParams,
    body: z.discriminatedUnion("kind", [addCarrierBody, addHttpCarrierBody], KINDS),
    response: { 201: dataAnswer(z.object({ _id: idSchema })) },
  },
  editCarrier: {
    summary:
      "Change a carrier; an empty password, or over HTTP what is left out, keeps what is stored (administrators)",
    tags,
    params: carrierParams,
    body: z.discriminatedUnion("kind", [carrierFieldsSchema, httpCarrierFieldsSchema], KINDS),
    response: { 200: messageAnswer },
  },
  switchCarrier: {
    summary: "Switch a carrier off, or on again (administrators)",
    tags,
    params: carrierParams,
    body: z.object({ isEnabled: z.boolean() }),
    response: { 200: messageAnswer },
  },
  removeCarrier: {
    summary: "Remove a carrier; what it has in hand is awaited (administrators)",
    tags,
    params: carrierParams,
    response: { 200: messageAnswer },
  },
  testCarrier: {
    summary:
      "Try to bind, without sending anything, or over HTTP send one message, and say what happened (administrators)",
    tags,
    params: adminIdParams,
    body: z.discriminatedUnion("kind", [testCarrierBody, testHttpCarrierBody], KINDS),
    response: { 200: dataAnswer(carrierTestSchema) },
  },
} as const satisfies CallSchemas;
