import { z } from "zod";
import { listAnswer, listQuery, timeSchema, type CallSchemas } from "./http.ts";

/** A number of the built-in simulator to which something was sent, by the newest message on it. */
export const virtualPhoneSchema = z.object({
  /** With the country's code, digits only. */
  phoneNo: z.string(),
  /** Messages that are kept; the oldest of a number give way. */
  messageCount: z.number(),
  lastMessage: z.string(),
  lastSenderName: z.string(),
  receivedAt: timeSchema,
});
export type VirtualPhoneAnswer = z.infer<typeof virtualPhoneSchema>;

/** A message as the phone shows it: its parts are joined. */
export const virtualMessageSchema = z.object({
  senderName: z.string(),
  message: z.string(),
  receivedAt: timeSchema,
  /** How many SMS the carrier made of it. */
  partCount: z.number(),
});
export type VirtualMessageAnswer = z.infer<typeof virtualMessageSchema>;

const tags: ["Virtual phones"] = ["Virtual phones"];

export const simulatorSchemas = {
  virtualPhones: {
    summary: "Numbers to which the simulator carried something, newest message first; 404 with a real carrier",
    tags,
    querystring: listQuery,
    response: { 200: listAnswer(virtualPhoneSchema) },
  },
  virtualPhone: {
    summary: "What arrived at one number, newest first; 404 when nothing did",
    tags,
    params: z.object({ phoneNo: z.string().regex(/^[0-9]{1,20}$/, "must be digits") }),
    response: { 200: z.object({ data: z.array(virtualMessageSchema) }) },
  },
} as const satisfies CallSchemas;
