/** What administrators do to customers: changing their record, blocking, approving. */
import { z } from "zod";
import { contactPhoneSchema, emailSchema, personNameSchema, userFilters, userSchema, userSorts } from "../accounts.ts";
import { waitingAnswer } from "./approvals.ts";
import {
  adminIdParams,
  idSchema,
  listAnswer,
  listQuery,
  messageAnswer,
  userIdParams,
  type CallSchemas,
} from "../http.ts";
import { limits } from "../../limits.ts";

const tags: ["Administrators"] = ["Administrators"];

/** The five fields that an administrator may change. A field that is left out stays as it is; anything else is ignored. */
export const updateUserBody = z
  .object({
    userName: personNameSchema,
    fullName: personNameSchema,
    email: emailSchema,
    /** All sender names that the customer shall have, commas between them; an empty text takes them all away. */
    senderID: z.string().max(limits.senderNamesTextCharactersMax),
    phoneNo: contactPhoneSchema,
  })
  .partial()
  .refine((body) => Object.keys(body).length > 0, { path: ["userName"], message: "nothing to change was given" });
export type UpdateUserBody = z.infer<typeof updateUserBody>;

export const adminUserSchemas = {
  updateUser: {
    summary:
      "Change a customer's names, e-mail, phone number and sender names; a new e-mail ends the customer's sessions. 202: sender names that read like reserved ones wait for a second administrator",
    tags,
    params: userIdParams,
    body: updateUserBody,
    response: { 200: messageAnswer, 202: waitingAnswer },
  },
  blockUser: {
    summary:
      "Lock a customer out: sessions end, signing in and sending are refused, scheduled messages wait. Twice is once",
    tags,
    params: userIdParams,
    response: { 200: messageAnswer },
  },
  unblockUser: {
    summary: "Let a blocked customer in again. Twice is once",
    tags,
    params: userIdParams,
    response: { 200: messageAnswer },
  },
  approveUser: {
    summary: "Give a customer the Approved badge. Twice is once",
    tags,
    params: userIdParams,
    response: { 200: messageAnswer },
  },
  unapproveUser: {
    summary: "Take the Approved badge away. Twice is once",
    tags,
    params: userIdParams,
    response: { 200: messageAnswer },
  },
  eraseNumber: {
    summary:
      "Erase one number of everybody: contacts, drafts, recipients of messages, inboxes and codes; opt-outs stay, so that nothing is sent there again",
    tags,
    params: adminIdParams,
    body: z.strictObject({ phoneNo: z.string().min(1, "is required").max(limits.searchCharactersMax) }),
    response: { 200: messageAnswer },
  },
  turnOffTwoFactor: {
    summary:
      "Turn a customer's two-factor sign-in off, who has lost phone and recovery codes: their sessions end, and a mail tells them",
    tags,
    params: userIdParams,
    response: { 200: messageAnswer },
  },
  turnOffTwoFactorOfAdmin: {
    summary: "The same for another administrator (owners)",
    tags,
    params: adminIdParams.extend({ otherId: idSchema }),
    response: { 200: messageAnswer },
  },
  viewAllUsers: {
    summary: "Every customer, newest first unless sorted otherwise (administrators)",
    tags: ["Accounts"],
    querystring: listQuery.extend({
      /** A part of the user name, full name, e-mail or phone number. */
      search: z
        .string()
        .trim()
        .max(100)
        .regex(/^\P{Cc}*$/u, "takes no control characters")
        .optional(),
      filter: z.enum(userFilters).optional(),
      sort: z.enum(userSorts).default("createdAt"),
      /** Without it: the newest first, names and e-mails from A to Z. */
      order: z.enum(["asc", "desc"]).optional(),
    }),
    response: { 200: listAnswer(userSchema) },
  },
} as const satisfies CallSchemas;
