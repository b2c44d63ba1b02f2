import { z } from "zod";
import {
  adminIdParams,
  dataAnswer,
  idSchema,
  listAnswer,
  listQuery,
  messageAnswer,
  timeSchema,
  type CallSchemas,
} from "../http.ts";
import { limits } from "../../limits.ts";

/** What administrators tell everybody; it stands on every customer's dashboard. */
export const announcementSchema = z.object({
  _id: idSchema,
  /** Its title. */
  hint: z.string(),
  message: z.string(),
  createdAt: timeSchema,
  /** 1, and one more with each edit. */
  version: z.number(),
  /** When its text was changed last. */
  editedAt: timeSchema.optional(),
});
export type AnnouncementAnswer = z.infer<typeof announcementSchema>;

/** Line breaks belong to an announcement; other control characters are in no text that a person typed. */
// oxlint-disable-next-line no-control-regex -- Control characters are what it looks for.
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

function text(charactersMax: number) {
  return z
    .string()
    .trim()
    .min(1, "is required")
    .max(charactersMax, `has more than ${charactersMax} characters`)
    .refine((value) => value.isWellFormed() && !CONTROL_CHARACTERS.test(value), "takes no control characters");
}

export const announcementBody = z.object({
  message: text(limits.announcementCharactersMax),
  hint: text(limits.subjectCharactersMax),
});

const tags: ["Announcements"] = ["Announcements"];

export const announcementSchemas = {
  makeGeneralAnnouncement: {
    summary: "Post an announcement; it is on every open dashboard at once",
    tags,
    params: adminIdParams,
    body: announcementBody,
    response: { 200: dataAnswer(announcementSchema) },
  },
  viewGeneralAnnouncement: {
    summary: "Announcements, newest first; a customer's own call leaves out those that they dismissed",
    tags,
    querystring: listQuery,
    response: { 200: listAnswer(announcementSchema) },
  },
  editGeneralAnnouncement: {
    summary: "Change an announcement; it is shown again to those who dismissed it",
    tags,
    params: z.object({ adminId: idSchema, announcementId: idSchema }),
    body: announcementBody.strict(),
    response: { 200: dataAnswer(announcementSchema) },
  },
  dismissAnnouncement: {
    summary: "Take an announcement off one's own dashboard, on every device, until it is edited",
    tags,
    params: z.object({ userId: idSchema, announcementId: idSchema }),
    /** The version that the customer saw: an edit that they have not seen stays. */
    body: z.strictObject({ version: z.int().min(1) }),
    response: { 200: messageAnswer },
  },
  clearGeneralAnnouncement: {
    summary:
      "Take an announcement off every dashboard: the administrator's own id and the announcement's, in either order",
    tags,
    params: z.object({ adminId: idSchema, announcementId: idSchema }),
    response: { 200: messageAnswer },
  },
} as const satisfies CallSchemas;
