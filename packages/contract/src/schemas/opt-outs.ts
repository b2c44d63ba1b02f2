/** Who wants no more messages from a customer. */
import { z } from "zod";
import { dataAnswer, listAnswer, listQuery, timeSchema, userIdParams, type CallSchemas } from "./http.ts";
import { limits } from "../limits.ts";
import { inboundLimits } from "./inbox.ts";

/** How a number came onto the list: a word sent to a number of the customer, the link in a message, or who added it. */
export const optOutSources = ["sms", "link", "page", "api", "import"] as const;
export type OptOutSource = (typeof optOutSources)[number];

export const optOutSchema = z.object({ phoneNo: z.string(), source: z.enum(optOutSources), createdAt: timeSchema });
export type OptOutAnswer = z.infer<typeof optOutSchema>;

/** Numbers with their country code; a leading 0 is Nigeria's. Commas, semicolons and line breaks separate them. */
export const optOutsBody = z.strictObject({
  phoneNo: z.string().min(1, "is required").max(limits.dndBodyCharactersMax),
});

export const optOutsQuery = z.strictObject({
  ...listQuery.shape,
  search: z.string().trim().max(inboundLimits.numberCharactersMax).optional(),
  /** All that the search leaves, as a file. */
  format: z.literal("csv").optional(),
});

export const optOutsAdded = dataAnswer(z.object({ added: z.number(), existing: z.number() }));
export const optOutsRemoved = dataAnswer(z.object({ removed: z.number() }));

const tags: ["Opt-outs"] = ["Opt-outs"];

export const optOutSchemas = {
  optOuts: {
    summary: "Numbers that opted out, newest first; with format=csv all that the search leaves, as a file",
    tags,
    params: userIdParams,
    querystring: optOutsQuery,
    response: { 200: listAnswer(optOutSchema) },
  },
  addOptOuts: {
    summary: "Put numbers onto the list: they are sent nothing any more, and are not charged",
    tags,
    params: userIdParams,
    body: optOutsBody,
    response: { 201: optOutsAdded },
  },
  removeOptOuts: {
    summary: "Take numbers off the list",
    tags,
    params: userIdParams,
    body: optOutsBody,
    response: { 200: optOutsRemoved },
  },
  importOptOuts: {
    summary: "Put the numbers of a CSV file (field csv, with code) onto the list; a wrong row refuses the file",
    tags,
    params: userIdParams,
    response: { 201: optOutsAdded },
  },
} as const satisfies CallSchemas;
