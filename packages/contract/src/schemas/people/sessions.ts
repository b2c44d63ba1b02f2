import { z } from "zod";
import {
  dataAnswer,
  idSchema,
  listAnswer,
  strictListQuery,
  messageAnswer,
  timeSchema,
  userIdParams,
  noFields,
  type CallSchemas,
} from "../http.ts";

/** One place where a person is signed in. */
export const sessionSchema = z.object({
  _id: idSchema,
  createdAt: timeSchema,
  lastActiveAt: timeSchema,
  /** The address that signed in; empty for sessions older than this record. */
  address: z.string(),
  /** In words, such as "Chrome on Android". */
  device: z.string(),
  /** Whether it is the session that asks. */
  isCurrent: z.boolean(),
});
export type SessionAnswer = z.infer<typeof sessionSchema>;

/** One look of an administrator at a customer's account. */
export const accountAccessSchema = z.object({
  _id: idSchema,
  adminName: z.string(),
  reason: z.string(),
  beganAt: timeSchema,
  endsAt: timeSchema,
});
export type AccountAccessAnswer = z.infer<typeof accountAccessSchema>;

const tags: ["Sessions"] = ["Sessions"];
const ownIdParams = z.object({ id: idSchema });

/** For customers and administrators alike; the id is one's own. */
export const sessionSchemas = {
  accountAccess: {
    summary: "Which administrators looked at the account, when and why, newest first",
    tags,
    params: userIdParams,
    querystring: strictListQuery,
    response: { 200: listAnswer(accountAccessSchema) },
  },
  sessions: {
    summary: "The sessions of the signed-in person, newest first",
    tags,
    params: ownIdParams,
    querystring: strictListQuery,
    response: { 200: listAnswer(sessionSchema) },
  },
  endSession: {
    summary: "Sign out somewhere else",
    tags,
    params: z.object({ id: idSchema, sessionId: idSchema }),
    body: noFields,
    response: { 200: messageAnswer },
  },
  endOtherSessions: {
    summary: "Sign out everywhere else",
    tags,
    params: ownIdParams,
    body: noFields,
    response: { 200: dataAnswer(z.object({ ended: z.number() })) },
  },
} as const satisfies CallSchemas;
