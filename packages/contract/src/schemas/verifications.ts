/** Codes that programs send to people and check, and what came of them. */
import { z } from "zod";
import { codeLimits, countCodeFields } from "../rules/text/code-text.ts";
import {
  dataAnswer,
  idempotencyHeaders,
  idSchema,
  strictListQuery,
  listAnswer,
  timeSchema,
  userIdParams,
  noQuery,
  type CallSchemas,
} from "./http.ts";
import { messageText } from "./message-parts.ts";
import { sendAnswer, sendShape } from "./messages.ts";
import { codeResultsQuery } from "./results.ts";

const { lengthMin, lengthMax, expiresSecondsMin, expiresSecondsMax } = codeLimits;

export const verificationSchema = z.object({
  _id: idSchema,
  /** Digits with the country code. */
  to: z.string(),
  /** `expired`: its time is over, all tries were wrong, or a newer code has taken its place. */
  state: z.enum(["pending", "verified", "expired"]),
  expiresAt: timeSchema,
  triesLeft: z.number(),
  createdAt: timeSchema,
});
export type VerificationAnswer = z.infer<typeof verificationSchema>;

const startShape = verificationSchema.omit({ createdAt: true });

export const startVerificationBody = z.strictObject({
  to: z.string().trim().min(1, "is required").max(40, "is not a number"),
  senderName: sendShape.senderName,
  length: z
    .number()
    .int()
    .min(lengthMin, `is less than ${lengthMin}`)
    .max(lengthMax, `is more than ${lengthMax}`)
    .optional(),
  /** Seconds. */
  expiresIn: z
    .number()
    .int()
    .min(expiresSecondsMin, `is less than ${expiresSecondsMin} seconds`)
    .max(expiresSecondsMax, `is more than ${expiresSecondsMax} seconds`)
    .optional(),
  template: messageText.refine((text) => countCodeFields(text) === 1, "has to hold {{code}} once").optional(),
});
export type StartVerificationBody = z.infer<typeof startVerificationBody>;

const tags: ["API v1: Codes"] = ["API v1: Codes"];
const oneParams = z.strictObject({ verificationId: idSchema });

const started = dataAnswer(startShape).extend({ unitDetails: sendAnswer.shape.unitDetails });

/** With an API key. */
export const verificationSchemas = {
  startVerification: {
    summary: "Send a code to a number. 503 with dnd: true: no carrier reaches it there, so nothing was sent",
    tags,
    headers: idempotencyHeaders,
    querystring: noQuery,
    body: startVerificationBody,
    response: { 201: started, 503: started.extend({ dnd: z.literal(true) }) },
  },
  checkVerification: {
    summary: "Check the code that a person typed: five tries",
    tags,
    params: oneParams,
    querystring: noQuery,
    body: z.strictObject({
      code: z
        .string()
        .trim()
        .regex(/^[0-9]{4,8}$/, "is not a code of 4 to 8 digits"),
    }),
    response: { 200: dataAnswer(z.object({ _id: idSchema, state: z.literal("verified") })) },
  },
  listVerifications: {
    summary: "Codes that were sent, newest first; never the codes themselves",
    tags,
    querystring: strictListQuery,
    response: { 200: listAnswer(verificationSchema) },
  },
  viewVerification: {
    summary: "What came of one code",
    tags,
    params: oneParams,
    querystring: noQuery,
    response: { 200: dataAnswer(verificationSchema) },
  },
} as const satisfies CallSchemas;

const codeCounts = { sent: z.number(), verified: z.number(), expired: z.number() };
export const codeResultsSchema = z.object({
  ...codeCounts,
  /** Each day of Lagos, in order, empty ones too, by when the code was sent. */
  days: z.array(z.object({ day: z.iso.date(), ...codeCounts })),
});
export type CodeResultsAnswer = z.infer<typeof codeResultsSchema>;

/** On the dashboard. */
export const codeResultSchemas = {
  codeResults: {
    summary: "How many codes were sent, came back, or expired, over some days",
    tags: ["Results"],
    params: userIdParams,
    querystring: codeResultsQuery,
    response: { 200: dataAnswer(codeResultsSchema) },
  },
} as const satisfies CallSchemas;
