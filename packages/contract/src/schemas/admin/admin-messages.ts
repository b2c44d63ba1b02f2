/** One message or draft of whoever it is, by its id alone, as the administrators' addresses name it. */
import { z } from "zod";
import { dataAnswer, idSchema, type CallSchemas } from "../http.ts";
import { draftSchema } from "../drafts.ts";
import { messageSchema } from "../messages.ts";

const tags: ["Administrators"] = ["Administrators"];

export const adminMessageSchemas = {
  viewAnySms: {
    summary: "One sent message of any customer (administrators)",
    tags,
    params: z.object({ messageId: idSchema }),
    response: { 200: dataAnswer(messageSchema) },
  },
  viewAnyDraft: {
    summary: "One draft of any customer (administrators)",
    tags,
    params: z.object({ draftId: idSchema }),
    response: { 200: dataAnswer(draftSchema) },
  },
} as const satisfies CallSchemas;
