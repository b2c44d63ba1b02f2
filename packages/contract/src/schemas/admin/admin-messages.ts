/** One message or draft of whoever it is, by its id alone, as the administrators' addresses name it. */
import { z } from "zod";
import { dataAnswer, idSchema, type CallSchemas, listAnswer, listQuery, timeSchema } from "../http.ts";
import { draftSchema, messageSchema } from "../messages.ts";

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

/** A message from a phone. */
export const inboundSchema = z.object({
  _id: idSchema,
  /** Digits with the country code and no plus; a short code or a name stays as it is. */
  from: z.string(),
  to: z.string(),
  /** Whole: the parts of a long message are joined; `[…]` stands where one never came. */
  text: z.string(),
  /** The first word, where the number that was written to is shared by keyword. */
  keyword: z.string().optional(),
  /** What it answers, where that is known. */
  messageId: idSchema.optional(),
  createdAt: timeSchema,
});
export type InboundAnswer = z.infer<typeof inboundSchema>;

export const inboundSchemas = {
  viewUnassignedInbound: {
    summary: "Messages from phones to numbers that are nobody's, newest first (administrators)",
    tags: ["Inbound messages"],
    querystring: listQuery,
    response: { 200: listAnswer(inboundSchema) },
  },
} as const satisfies CallSchemas;
