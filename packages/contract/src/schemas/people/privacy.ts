/** A customer's own data: taking it along, and closing the account. */
import { z } from "zod";
import { dataAnswer, idSchema, messageAnswer, timeSchema, userIdParams, type CallSchemas } from "../http.ts";
import { limits } from "../../limits.ts";

const tags: ["Your data"] = ["Your data"];

export const dataExportSchema = z.object({
  _id: idSchema,
  state: z.enum(["waiting", "done", "failed"]),
  createdAt: timeSchema,
  /** Until when it can be loaded. */
  until: timeSchema,
  /** Null until it is done. */
  byteCount: z.number().nullable(),
});
export type DataExportAnswer = z.infer<typeof dataExportSchema>;

export const privacySchemas = {
  exportData: {
    summary:
      "Ask for a file with everything that is kept of the account; a mail says when it is ready. While one is being made, that is the one (owners)",
    tags,
    params: userIdParams,
    // Without a body Fastify hands over null.
    body: z.strictObject({}).nullish(),
    response: { 202: messageAnswer },
  },
  dataExport: {
    summary: "The newest export; null where there is none (owners)",
    tags,
    params: userIdParams,
    response: { 200: dataAnswer(dataExportSchema.nullable()) },
  },
  loadExport: {
    summary: "The file: zip with CSV and lines of JSON, for seven days, once in a session (owners)",
    tags,
    params: z.object({ userId: idSchema, exportId: idSchema }),
    response: { 200: z.unknown().describe("application/zip") },
  },
  closeAccount: {
    summary:
      "Close the account: nothing is sent from now on, keys stop, and after 30 days it is erased but for money without names (owners)",
    tags,
    params: userIdParams,
    body: z.strictObject({ password: z.string().max(limits.passwordCharactersMax) }),
    response: { 200: dataAnswer(z.object({ erasedAt: timeSchema })) },
  },
} as const satisfies CallSchemas;
