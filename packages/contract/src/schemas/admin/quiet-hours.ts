import { z } from "zod";
import {
  adminIdParams,
  dataAnswer,
  dialCodeSchema,
  idSchema,
  listAnswer,
  messageAnswer,
  timeSchema,
  type CallSchemas,
} from "../http.ts";
import { timeZoneSchema } from "../scheduled.ts";

const TIME_OF_DAY = /^(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?$/;
const END_OF_DAY = /^24:00(?::00)?$/;
const NO_TIME = "must be a time of day such as 08:00";

/** When promotional messages to a code may leave, by the clock of a zone. */
export const quietHoursBody = z
  .strictObject({
    code: dialCodeSchema,
    timeZone: timeZoneSchema,
    opensAt: z.string().regex(TIME_OF_DAY, NO_TIME),
    /** `24:00` is the end of the day; a time before `opensAt` is one of the next day. */
    closesAt: z.string().refine((text) => TIME_OF_DAY.test(text) || END_OF_DAY.test(text), NO_TIME),
  })
  .refine(
    ({ opensAt, closesAt }) =>
      opensAt.slice(0, 5) !== closesAt.slice(0, 5) || secondsIn(opensAt) !== secondsIn(closesAt),
    {
      path: ["closesAt"],
      message: "must be another time than opensAt",
    },
  );
export type QuietHoursBody = z.infer<typeof quietHoursBody>;

function secondsIn(time: string): string {
  return time.slice(6) || "00";
}

export const quietHoursSchema = z.object({
  _id: idSchema,
  code: z.string(),
  timeZone: z.string(),
  opensAt: z.string(),
  closesAt: z.string(),
});
export type QuietHoursAnswer = z.infer<typeof quietHoursSchema>;

/** What of a code waits for its quiet hours to end. */
export const deferredSchema = z.object({
  code: z.string(),
  messages: z.number(),
  recipients: z.number(),
  /** When they go on. */
  until: timeSchema,
});
export type DeferredAnswer = z.infer<typeof deferredSchema>;

const tags: ["Quiet hours"] = ["Quiet hours"];

export const quietHoursSchemas = {
  viewQuietHours: {
    summary: "When promotional messages may leave, by country code (administrators)",
    tags,
    response: { 200: listAnswer(quietHoursSchema) },
  },
  viewDeferred: {
    summary: "How many messages of each code wait for quiet hours to end, and until when (administrators)",
    tags,
    response: {
      200: dataAnswer(
        z.object({
          /** False: this installation keeps no hours, and messages leave at any time. */
          isOn: z.boolean(),
          codes: z.array(deferredSchema),
        }),
      ),
    },
  },
  setQuietHours: {
    summary:
      "Make a code's quiet hours, or replace them; they hold at once, for what waits and what runs too (administrators)",
    tags,
    params: adminIdParams,
    body: quietHoursBody,
    response: { 200: dataAnswer(quietHoursSchema) },
  },
  removeQuietHours: {
    summary: "Let promotional messages to a code leave at any time again (administrators)",
    tags,
    params: adminIdParams.extend({ quietHoursId: idSchema }),
    response: { 200: messageAnswer },
  },
} as const satisfies CallSchemas;
