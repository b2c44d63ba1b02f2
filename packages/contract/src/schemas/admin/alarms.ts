import { z } from "zod";
import { adminIdParams, dataAnswer, idSchema, listAnswer, listQuery, timeSchema, type CallSchemas } from "../http.ts";
import { momentSchema } from "../moments.ts";

export const alarmKinds = [
  "carrier-down",
  "queue-old",
  "ledger-violated",
  "mails-stuck",
  "webhooks-stuck",
  "disk-low",
  "database-unreachable",
  "backup-old",
] as const;
export type AlarmKind = (typeof alarmKinds)[number];

export const alarmSchema = z.object({
  _id: idSchema,
  kind: z.enum(alarmKinds),
  /** The carrier or the host that it is about; empty where there is only one. */
  subject: z.string(),
  /** What is wrong, for people. */
  detail: z.string(),
  /** Silenced ones are open, and nobody is told. */
  state: z.enum(["open", "silenced", "closed"]),
  openedAt: timeSchema,
  closedAt: timeSchema.nullable(),
  silencedUntil: timeSchema.nullable(),
});
export type AlarmAnswer = z.infer<typeof alarmSchema>;

const tags: ["Alarms"] = ["Alarms"];

export const alarmSchemas = {
  viewAlarms: {
    summary: "Alarms, those that opened last first (administrators)",
    tags,
    querystring: listQuery.extend({
      /** `open`: those that are not over, silenced or not. All when absent. */
      state: z.enum(["open", "closed"]).optional(),
    }),
    response: { 200: listAnswer(alarmSchema) },
  },
  silenceAlarm: {
    summary: "Tell nobody of this alarm, or of the next of its kind and subject, until a moment (administrators)",
    tags,
    params: adminIdParams.extend({ alarmId: idSchema }),
    body: z.strictObject({ until: momentSchema }),
    response: { 200: dataAnswer(alarmSchema) },
  },
} as const satisfies CallSchemas;
