import { z } from "zod";
import { idSchema, listAnswer, listQuery, timeSchema, type CallSchemas } from "../http.ts";

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
