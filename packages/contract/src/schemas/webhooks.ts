import { z } from "zod";
import { webhookEventTypes, webhookLimits } from "../rules/webhook-events.ts";
import {
  dataAnswer,
  idSchema,
  listAnswer,
  messageAnswer,
  strictListQuery,
  timeSchema,
  userIdParams,
  noFields,
  noQuery,
  type CallSchemas,
} from "./http.ts";

/** An address of a customer's program that events are posted to. */
export const webhookSchema = z.object({
  _id: idSchema,
  url: z.string(),
  events: z.array(z.enum(webhookEventTypes)),
  state: z.enum(["on", "off"]),
  /** Why it was switched off by itself. */
  offReason: z.string().optional(),
  createdAt: timeSchema,
});
export type WebhookAnswer = z.infer<typeof webhookSchema>;

const madeWebhookSchema = webhookSchema.extend({ secret: z.string() });

/** One try to deliver an event, and what was answered. */
export const webhookAttemptSchema = z.object({
  _id: idSchema,
  eventId: idSchema,
  type: z.enum(webhookEventTypes),
  at: timeSchema,
  /** Of HTTP; 0 without an answer, whose reason is in `answer`. */
  status: z.number(),
  ms: z.number(),
  answer: z.string(),
  state: z.enum(["delivered", "failed"]),
});
export type WebhookAttemptAnswer = z.infer<typeof webhookAttemptSchema>;

const urlSchema = z
  .string()
  .min(1, "is required")
  .max(webhookLimits.urlCharactersMax, `has more than ${webhookLimits.urlCharactersMax} characters`);
const eventsSchema = z
  .array(z.enum(webhookEventTypes))
  .min(1, "names no event")
  .max(webhookEventTypes.length, "names an event twice")
  .refine((events) => new Set(events).size === events.length, "names an event twice");

/** `whsec_` and base64 of 24 to 64 bytes, as Standard Webhooks asks. */
const secretSchema = z.string().refine((text) => {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  if (encoded === undefined || encoded.length % 4 !== 0) return false;
  const bytes = (encoded.length / 4) * 3 - (encoded.endsWith("==") ? 2 : encoded.endsWith("=") ? 1 : 0);
  return bytes >= 24 && bytes <= 64;
}, "is not whsec_ and base64 of 24 to 64 bytes");

const makeBody = z.strictObject({ url: urlSchema, events: eventsSchema, secret: secretSchema.optional() });
const editBody = z
  .strictObject({ url: urlSchema, events: eventsSchema, state: z.enum(["on", "off"]) })
  .partial()
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    path: ["body"],
    message: "names nothing to change",
  });
const momentSchema = z.iso.datetime({ offset: true });
/** One event, all that failed, or those of a time. */
const replayBody = z
  .strictObject({
    eventId: idSchema.optional(),
    failed: z.literal(true).optional(),
    from: momentSchema.optional(),
    to: momentSchema.optional(),
  })
  .refine(({ eventId, failed, from }) => [eventId, failed, from].filter((wish) => wish !== undefined).length === 1, {
    path: ["body"],
    message: "names one of eventId, failed, and from with to",
  })
  .refine(({ from, to }) => (from === undefined) === (to === undefined), {
    path: ["to"],
    message: "stands together with from",
  })
  .refine(({ from, to }) => from === undefined || to === undefined || Date.parse(from) <= Date.parse(to), {
    path: ["to"],
    message: "is before from",
  });
export type ReplayBody = z.infer<typeof replayBody>;
const attemptsQuery = z.strictObject({
  ...strictListQuery.shape,
  state: z.enum(["delivered", "failed"]).optional(),
});

const tags: ["Webhooks"] = ["Webhooks"];
const programTags: ["API v1: Webhooks"] = ["API v1: Webhooks"];
const oneWebhookParams = z.object({ userId: idSchema, webhookId: idSchema });
const programParams = z.strictObject({ webhookId: idSchema });
const secretAnswer = dataAnswer(z.object({ secret: z.string() }));
const queuedAnswer = dataAnswer(z.object({ queued: z.number() }));

const shapes = {
  list: {
    summary: "Addresses that events are posted to",
    querystring: strictListQuery,
    response: { 200: listAnswer(webhookSchema) },
  },
  make: {
    summary: "Have events posted to an address; the secret that signs them is shown here alone",
    querystring: noQuery,
    body: makeBody,
    response: { 201: dataAnswer(madeWebhookSchema) },
  },
  edit: {
    summary: "Change an address, its events, or switch it off and on",
    querystring: noQuery,
    body: editBody,
    response: { 200: dataAnswer(webhookSchema) },
  },
  remove: {
    summary: "Post nothing more to an address",
    querystring: noQuery,
    body: noFields,
    response: { 200: messageAnswer },
  },
  rotate: {
    summary: "Make a new secret; the one before signs as well for 24 hours",
    querystring: noQuery,
    body: noFields,
    response: { 200: secretAnswer },
  },
  attempts: {
    summary: "Tries to deliver events, newest first, with what was answered",
    querystring: attemptsQuery,
    response: { 200: listAnswer(webhookAttemptSchema) },
  },
  replay: {
    summary: "Deliver again: one event, all that failed, or those of a time",
    querystring: noQuery,
    body: replayBody,
    response: { 202: queuedAnswer },
  },
} as const;

export const webhookSchemas = {
  webhooks: { ...shapes.list, tags, params: userIdParams },
  makeWebhook: { ...shapes.make, tags, params: userIdParams },
  editWebhook: { ...shapes.edit, tags, params: oneWebhookParams },
  deleteWebhook: { ...shapes.remove, tags, params: oneWebhookParams },
  rotateWebhookSecret: { ...shapes.rotate, tags, params: oneWebhookParams },
  webhookAttempts: { ...shapes.attempts, tags, params: oneWebhookParams },
  replayWebhook: { ...shapes.replay, tags, params: oneWebhookParams },
} as const satisfies CallSchemas;

export const programWebhookSchemas = {
  listWebhooks: { ...shapes.list, tags: programTags },
  makeWebhook: { ...shapes.make, tags: programTags },
  editWebhook: { ...shapes.edit, tags: programTags, params: programParams },
  deleteWebhook: { ...shapes.remove, tags: programTags, params: programParams },
  rotateWebhookSecret: { ...shapes.rotate, tags: programTags, params: programParams },
  webhookAttempts: { ...shapes.attempts, tags: programTags, params: programParams },
  replayWebhook: { ...shapes.replay, tags: programTags, params: programParams },
} as const satisfies CallSchemas;
