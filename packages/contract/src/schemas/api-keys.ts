import { z } from "zod";
import {
  adminIdParams,
  dataAnswer,
  idSchema,
  listAnswer,
  listQuery,
  strictListQuery,
  messageAnswer,
  timeSchema,
  userIdParams,
  noFields,
  type CallSchemas,
} from "./http.ts";
import { limits } from "../limits.ts";
import { programKeyKinds, programKeyLimits, programKeyModes, programKeyScopes } from "../rules/program-keys.ts";

/** A key for programs, without the key: that is shown once, when it is made. */
export const apiKeySchema = z.object({
  _id: idSchema,
  name: z.string(),
  kind: z.enum(programKeyKinds),
  mode: z.enum(programKeyModes),
  scopes: z.array(z.enum(programKeyScopes)),
  /** Addresses and networks that it works from; empty: from anywhere. */
  addresses: z.array(z.string()),
  createdAt: timeSchema,
  /** When it stops working; null for a key that works until it is revoked. */
  expiresAt: timeSchema.nullable(),
  /** Both absent until it is used; noted once a minute at most. */
  lastUsedAt: timeSchema.optional(),
  lastUsedFrom: z.string().optional(),
  /** What a client of Twilio calls its account sid. */
  sid: z.string().optional(),
  /** The name that an SMPP key binds with, how many connections it may have, and its messages a second. */
  systemId: z.string().optional(),
  binds: z.int().optional(),
  perSecond: z.int().optional(),
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

/** One address, or a network in CIDR notation. */
const keyAddress = z
  .string()
  .trim()
  .max(programKeyLimits.addressCharactersMax)
  .pipe(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: "is neither an IP address nor a network" }));

const keyLimits = {
  scopes: z.array(z.enum(programKeyScopes)).min(1, "needs at least one scope").max(programKeyScopes.length),
  addresses: z.array(keyAddress).max(programKeyLimits.addressesMax),
};

const createBody = z
  .strictObject({
    name: keyName,
    kind: z.enum(programKeyKinds).default("api"),
    mode: z.enum(programKeyModes).default("live"),
    /** Left out: all of them. */
    scopes: keyLimits.scopes.optional(),
    expiresAt: keyEnd.optional(),
    addresses: keyLimits.addresses.optional(),
    /** Of SMPP keys alone. */
    binds: z.int().min(1).max(programKeyLimits.bindsMax).optional(),
    perSecond: z.int().min(1).max(programKeyLimits.perSecondMax).optional(),
  })
  .refine(({ kind, binds }) => kind === "smpp" || binds === undefined, {
    path: ["binds"],
    message: "is for keys of kind smpp",
  })
  .refine(({ kind, perSecond }) => kind === "smpp" || perSecond === undefined, {
    path: ["perSecond"],
    message: "is for keys of kind smpp",
  });

/** The secret is in this answer and nowhere else: `key`, or Twilio's `token`, or SMPP's `password`. */
const madeKeySchema = apiKeySchema.extend({
  key: z.string().optional(),
  token: z.string().optional(),
  password: z.string().optional(),
});
export type MadeKeyAnswer = z.infer<typeof madeKeySchema>;

export const requestLogQuery = z.strictObject({
  ...listQuery.shape,
  /** Of one key. */
  key: idSchema.optional(),
  status: z
    .string()
    .regex(/^[1-5](?:xx|[0-9]{2})$/, "is neither a status nor a hundred of them, such as 4xx")
    .optional(),
});
export type RequestLogQuery = z.infer<typeof requestLogQuery>;

/** A call of a program. `path` is the pattern of the call, so that no number stands in it. */
export const loggedCallSchema = z.object({
  /** The `requestId` of a refusal. */
  _id: idSchema,
  keyID: idSchema,
  method: z.string(),
  path: z.string(),
  status: z.number(),
  code: z.string().optional(),
  ms: z.number(),
  createdAt: timeSchema,
});
export type LoggedCallAnswer = z.infer<typeof loggedCallSchema>;

export const usageDaySchema = z.object({ day: z.string(), keyID: idSchema, calls: z.number(), errors: z.number() });
export type UsageDayAnswer = z.infer<typeof usageDaySchema>;

const tags: ["API keys"] = ["API keys"];

export const apiKeySchemas = {
  apiKeys: {
    summary: "The keys of one's programs, newest first",
    tags,
    params: userIdParams,
    querystring: strictListQuery,
    response: { 200: listAnswer(apiKeySchema) },
  },
  createApiKey: {
    summary:
      "Make a key for the API, for a client of Twilio or for SMPP; its secret is in this answer and nowhere else",
    tags,
    params: userIdParams,
    body: createBody,
    response: { 201: dataAnswer(madeKeySchema) },
  },
  editApiKey: {
    summary: "Change a key's name, scopes, addresses or end; null takes the end away",
    tags,
    params: z.object({ userId: idSchema, keyId: idSchema }),
    body: z.strictObject({
      name: keyName.optional(),
      scopes: keyLimits.scopes.optional(),
      expiresAt: keyEnd.nullable().optional(),
      addresses: keyLimits.addresses.optional(),
    }),
    response: { 200: dataAnswer(apiKeySchema) },
  },
  revokeApiKey: {
    summary: "Revoke a key at once",
    tags,
    params: z.object({ userId: idSchema, keyId: idSchema }),
    body: noFields,
    response: { 200: messageAnswer },
  },
  requestLog: {
    summary: "What one's programs called in the last seven days, newest first; status is one (404) or a hundred (4xx)",
    tags,
    params: userIdParams,
    querystring: requestLogQuery,
    response: { 200: listAnswer(loggedCallSchema) },
  },
  usage: {
    summary: "Calls and errors of each key by day of Lagos, the newest first, of the last 30 days",
    tags,
    params: userIdParams,
    querystring: z.strictObject({}),
    response: { 200: dataAnswer(z.array(usageDaySchema)) },
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
