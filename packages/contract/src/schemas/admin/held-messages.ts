import { z } from "zod";
import {
  adminIdParams,
  idSchema,
  listAnswer,
  listQuery,
  messageAnswer,
  timeSchema,
  type CallSchemas,
} from "../http.ts";
import { limits } from "../../limits.ts";
import { messageSchema } from "../messages.ts";

/** A message that may have gone out after the back-up that the database was restored from. */
export const heldMessageSchema = messageSchema.extend({
  /** Why it is held, in words. */
  reason: z.string(),
  heldAt: timeSchema,
  /** What it was when it was held, and is again when it is released. */
  heldFrom: z.enum(["scheduled", "sending", "paused"]),
});
export type HeldMessageAnswer = z.infer<typeof heldMessageSchema>;

const tags: ["Held messages"] = ["Held messages"];
const params = adminIdParams.extend({ messageId: idSchema });

export const heldMessageSchemas = {
  viewHeldMessages: {
    summary: "Messages that are held after a restore until an administrator decides, newest first (administrators)",
    tags,
    querystring: listQuery,
    response: { 200: listAnswer(heldMessageSchema) },
  },
  releaseMessage: {
    summary: "Send what is left of a held message; recipients that may have it already become unknown (administrators)",
    tags,
    params,
    response: { 200: messageAnswer },
  },
  refuseMessage: {
    summary: "Cancel what is left of a held message; its units come back (administrators)",
    tags,
    params,
    // Without a body Fastify hands over null.
    body: z.strictObject({ reason: z.string().trim().max(limits.reasonCharactersMax).optional() }).nullish(),
    response: { 200: messageAnswer },
  },
} as const satisfies CallSchemas;
