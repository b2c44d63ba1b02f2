import { z } from "zod";
import {
  dataAnswer,
  dialCodeSchema,
  idempotencyHeaders,
  idSchema,
  listAnswer,
  messageAnswer,
  timeSchema,
  type CallSchemas,
  userIdParams,
} from "./http.ts";
import { messageText, UNSENDABLE_CHARACTERS } from "./message-parts.ts";
import {
  HAS_ONE_LIST,
  HAS_ONE_SOURCE,
  HAS_SOURCE,
  HAS_TEXT,
  hasOneList,
  hasOneSource,
  hasSource,
  hasText,
  searchListQuery,
  sendAnswer,
  sendBody,
  sendShape,
  type SendBody,
  type SendRecipient,
} from "./messages.ts";
import { limits } from "../limits.ts";
import { dndChoices, messageClasses, type DndChoice, type MessageClass } from "../rules/sending/message-class.ts";
import { validUntilSchema } from "./moments.ts";

/** A draft holds what was typed so far: no field is empty, but the name need not be approved, nor the numbers right. */
export const draftBody = z
  .object({
    senderName: z
      .string()
      .min(1, "is required")
      .max(limits.catalogSenderInputCharactersMax)
      .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), "has characters that cannot be sent"),
    message: messageText.optional(),
    recipients: sendShape.recipients,
    phoneNo: z
      .string()
      .min(1, "is required")
      .max(limits.sendBodyBytesMax)
      .refine(
        (text) => text.isWellFormed() && !UNSENDABLE_CHARACTERS.test(text),
        "has characters that are in no number",
      )
      .optional(),
    /** In place of `phoneNo`: the draft gets the numbers that the catalog has now. */
    catalogId: idSchema.optional(),
    optOutLink: sendShape.optOutLink,
    class: sendShape.class,
    dnd: sendShape.dnd,
    validUntil: validUntilSchema,
    code: dialCodeSchema,
  })
  .refine(hasSource, HAS_SOURCE)
  .refine(hasOneSource, HAS_ONE_SOURCE)
  .refine(hasOneList, HAS_ONE_LIST)
  .refine(hasText, HAS_TEXT);
export type DraftRequestBody = z.infer<typeof draftBody>;
/** What a draft holds: the four fields of a send, in place of bare numbers what is known of each, and how it is to be sent. */
export type DraftBody = SendBody & {
  recipients?: SendRecipient[] | undefined;
  optOutLink?: boolean | undefined;
  class?: MessageClass | undefined;
  dnd?: DndChoice | undefined;
  validUntil?: string | undefined;
};

/** A recipient as the draft keeps it. The schema of a body would clean its values again, and an answer cannot be written through one. */
const draftRecipientSchema = z.object({
  to: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  text: z.string().optional(),
  reference: z.string().optional(),
});

export const draftSchema = z.object({
  _id: idSchema,
  userID: idSchema,
  userName: z.string(),
  senderName: z.string(),
  message: z.string(),
  code: z.string(),
  /** Whole, as it was typed or pasted. */
  phoneNo: z.string(),
  /** The same with what is known of each, where the draft was given so. */
  recipients: z.array(draftRecipientSchema).optional(),
  /** Present where the draft is to be sent with a link by which recipients opt out. */
  optOutLink: z.literal(true).optional(),
  /** Present where the draft says so; whether it may be sent so is seen when it is sent. */
  class: z.enum(messageClasses).optional(),
  dnd: z.enum(dndChoices).optional(),
  validUntil: timeSchema.optional(),
  createdAt: timeSchema,
  /** When it was last saved. */
  updatedAt: timeSchema,
});
export type DraftAnswer = z.infer<typeof draftSchema>;

const oneDraftParams = z.object({ userId: idSchema, draftId: idSchema });
const draftTags: ["Drafts"] = ["Drafts"];

export const draftSchemas = {
  draftMessage: {
    summary: "Save a draft, once for each idempotency key",
    tags: draftTags,
    params: userIdParams,
    headers: idempotencyHeaders,
    body: draftBody,
    response: { 201: dataAnswer(z.object({ _id: idSchema })) },
  },
  populateDrafts: {
    summary: "Drafts, newest first. A page ends early when its numbers add up to much; follow next",
    tags: draftTags,
    params: userIdParams,
    querystring: searchListQuery,
    response: { 200: listAnswer(draftSchema) },
  },
  viewAllDrafts: {
    summary: "Drafts of all customers, newest first (administrators)",
    tags: draftTags,
    querystring: searchListQuery,
    response: { 200: listAnswer(draftSchema) },
  },
  viewOneDraft: {
    summary: "One draft with all its numbers",
    tags: draftTags,
    params: oneDraftParams,
    response: { 200: dataAnswer(draftSchema) },
  },
  editDraft: {
    summary: "Replace a draft's four fields",
    tags: draftTags,
    params: oneDraftParams,
    body: draftBody,
    response: { 200: messageAnswer },
  },
  deleteDraft: {
    summary: "Delete a draft",
    tags: draftTags,
    params: oneDraftParams,
    response: { 200: messageAnswer },
  },
  sendDraftSms: {
    summary: "Send a draft as it is (empty body) or with these four fields; the draft is gone afterwards",
    tags: draftTags,
    params: oneDraftParams,
    headers: idempotencyHeaders,
    body: sendBody.optional(),
    response: { 200: sendAnswer, 202: sendAnswer, 503: sendAnswer.extend({ dnd: z.literal(true) }) },
  },
} as const satisfies CallSchemas;
