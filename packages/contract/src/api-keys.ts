import { z } from "zod";
import { adminIdParams, dataAnswer, defineRoute, idSchema, listAnswer, listQuery, messageAnswer, timeSchema, userIdParams } from "./http.ts";
import { limits } from "./limits.ts";

/** A key for programs, without the key: that is shown once, when it is made. */
export const apiKeySchema = z.object({
  _id: idSchema,
  name: z.string(),
  createdAt: timeSchema,
  /** Absent until it is used; noted once a minute at most. */
  lastUsedAt: timeSchema.optional(),
});
export type ApiKeyAnswer = z.infer<typeof apiKeySchema>;

/** A customer's key as administrators see it. */
export const ownedApiKeySchema = apiKeySchema.extend({ userID: idSchema, userName: z.string(), email: z.string() });
export type OwnedApiKeyAnswer = z.infer<typeof ownedApiKeySchema>;

const tags: ["API keys"] = ["API keys"];

export const apiKeyRoutes = {
  apiKeys: defineRoute({
    method: "GET",
    url: "/api/:userId/api-keys",
    schema: { summary: "The keys of one's programs, newest first", tags, params: userIdParams, querystring: listQuery, response: { 200: listAnswer(apiKeySchema) } },
  }),
  createApiKey: defineRoute({
    method: "POST",
    url: "/api/:userId/api-keys",
    schema: {
      summary: "Make a key; it is in this answer and nowhere else",
      tags,
      params: userIdParams,
      body: z.object({
        name: z
          .string()
          .trim()
          .min(1, "is required")
          .max(limits.apiKeyNameCharactersMax, `has more than ${limits.apiKeyNameCharactersMax} characters`)
          .regex(/^\P{Cc}*$/u, "takes no control characters"),
      }),
      response: { 201: dataAnswer(z.object({ _id: idSchema, key: z.string() })) },
    },
  }),
  revokeApiKey: defineRoute({
    method: "DELETE",
    url: "/api/:userId/:keyId/revoke-api-key",
    schema: { summary: "End a key at once", tags, params: z.object({ userId: idSchema, keyId: idSchema }), response: { 200: messageAnswer } },
  }),
  viewApiKeys: defineRoute({
    method: "GET",
    url: "/api/view-api-keys",
    schema: {
      summary: "Who has keys, newest first (administrators)",
      tags,
      querystring: listQuery.extend({ search: z.string().trim().max(100).regex(/^\P{Cc}*$/u, "takes no control characters").optional() }),
      response: { 200: listAnswer(ownedApiKeySchema) },
    },
  }),
  revokeUserApiKey: defineRoute({
    method: "DELETE",
    url: "/api/:adminId/:keyId/revoke-user-api-key",
    schema: {
      summary: "End a customer's key at once; a mail tells them (administrators)",
      tags,
      params: adminIdParams.extend({ keyId: idSchema }),
      response: { 200: messageAnswer },
    },
  }),
} as const;
