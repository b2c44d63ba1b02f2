import { z } from "zod";
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

/** A key for programs, without the key: that is shown once, when it is made. */
export const apiKeySchema = z.object({
  _id: idSchema,
  name: z.string(),
  createdAt: timeSchema,
  /** When it stops working; null for a key that works until it is revoked. */
  expiresAt: timeSchema.nullable(),
  /** Absent until it is used; noted once a minute at most. */
  lastUsedAt: timeSchema.optional(),
});
export type ApiKeyAnswer = z.infer<typeof apiKeySchema>;

/** A customer's key as administrators see it. */
export const ownedApiKeySchema = apiKeySchema.extend({ userID: idSchema, userName: z.string(), email: z.string() });
export type OwnedApiKeyAnswer = z.infer<typeof ownedApiKeySchema>;

const keyName = z
  .string()
  .trim()
  .min(1, "is required")
  .max(limits.apiKeyNameCharactersMax, `has more than ${limits.apiKeyNameCharactersMax} characters`)
  .regex(/^\P{Cc}*$/u, "takes no control characters");

/** A moment to come. */
const keyEnd = z.iso.datetime({ offset: true, error: "is no time with an offset" });

const tags: ["API keys"] = ["API keys"];

export const apiKeySchemas = {
  apiKeys: {
    summary: "The keys of one's programs, newest first",
    tags,
    params: userIdParams,
    querystring: listQuery,
    response: { 200: listAnswer(apiKeySchema) },
  },
  createApiKey: {
    summary: "Make a key; it is in this answer and nowhere else",
    tags,
    params: userIdParams,
    body: z.object({ name: keyName, expiresAt: keyEnd.optional() }),
    response: { 201: dataAnswer(apiKeySchema.extend({ key: z.string() })) },
  },
  editApiKey: {
    summary: "Change a key's name or its end; null takes the end away",
    tags,
    params: z.object({ userId: idSchema, keyId: idSchema }),
    body: z.strictObject({ name: keyName.optional(), expiresAt: keyEnd.nullable().optional() }),
    response: { 200: dataAnswer(apiKeySchema) },
  },
  revokeApiKey: {
    summary: "Revoke a key at once",
    tags,
    params: z.object({ userId: idSchema, keyId: idSchema }),
    response: { 200: messageAnswer },
  },
  viewApiKeys: {
    summary: "Who has keys, newest first (administrators)",
    tags,
    querystring: listQuery.extend({
      search: z
        .string()
        .trim()
        .max(100)
        .regex(/^\P{Cc}*$/u, "takes no control characters")
        .optional(),
    }),
    response: { 200: listAnswer(ownedApiKeySchema) },
  },
  revokeUserApiKey: {
    summary: "Revoke a customer's key at once; a mail tells them (administrators)",
    tags,
    params: adminIdParams.extend({ keyId: idSchema }),
    response: { 200: messageAnswer },
  },
} as const satisfies CallSchemas;
