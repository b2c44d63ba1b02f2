import { z } from "zod";
import { adminIdParams, dataAnswer, listAnswer, listQuery, timeSchema, type CallSchemas } from "../http.ts";
import { limits } from "../../limits.ts";

export const dndNumberSchema = z.object({
  phoneNo: z.string(),
  /** `admin`, or the name of the carrier that reported it. */
  source: z.string(),
  createdAt: timeSchema,
});
export type DndNumberAnswer = z.infer<typeof dndNumberSchema>;

/** Numbers with their country code; a leading 0 is Nigeria's. Commas, spaces and line breaks separate them. */
const dndNumbersBody = z.object({ phoneNo: z.string().min(1, "is required").max(limits.dndBodyCharactersMax) });

const tags: ["Do not disturb"] = ["Do not disturb"];

export const dndSchemas = {
  addDndNumbers: {
    summary: "Put numbers on the do-not-disturb list; they are skipped and not charged (administrators)",
    tags,
    params: adminIdParams,
    body: dndNumbersBody,
    response: { 201: dataAnswer(z.object({ added: z.number(), existing: z.number() })) },
  },
  viewDndNumbers: {
    summary: "The do-not-disturb list, newest first (administrators)",
    tags,
    querystring: listQuery.extend({
      search: z
        .string()
        .regex(/^[0-9]{0,15}$/, "takes digits only")
        .optional(),
    }),
    response: { 200: listAnswer(dndNumberSchema) },
  },
  removeDndNumbers: {
    summary: "Take numbers off the list (administrators)",
    tags,
    params: adminIdParams,
    body: dndNumbersBody,
    response: { 200: dataAnswer(z.object({ removed: z.number() })) },
  },
} as const satisfies CallSchemas;
