/** People who share a customer's account: who they are, and as what. */
import { z } from "zod";
import { memberRoles } from "../../rules/member-roles.ts";
import { emailSchema } from "../accounts.ts";
import {
  dataAnswer,
  idSchema,
  listAnswer,
  listQuery,
  messageAnswer,
  timeSchema,
  userIdParams,
  type CallSchemas,
} from "../http.ts";

export const memberRoleSchema = z.enum(memberRoles);

/** Invited: the mailbox has no account here yet. The account's own user is a member, too, whose `_id` is the account's. */
export const memberSchema = z.object({
  _id: idSchema,
  email: z.string(),
  role: memberRoleSchema,
  state: z.enum(["invited", "active"]),
  /** Empty while the mailbox is only invited. */
  userName: z.string(),
  fullName: z.string(),
  isYou: z.boolean(),
  createdAt: timeSchema,
});
export type MemberAnswer = z.infer<typeof memberSchema>;

const tags: ["Team"] = ["Team"];
const oneMemberParams = z.object({ userId: idSchema, memberId: idSchema });

export const teamSchemas = {
  members: {
    summary: "Who shares the account, the account's own user first",
    tags,
    params: userIdParams,
    querystring: listQuery,
    response: { 200: listAnswer(memberSchema) },
  },
  inviteMember: {
    summary:
      "Invite a person by mail (owners). Who has an account here is in at once; a mailbox without one is in when it registers within seven days",
    tags,
    params: userIdParams,
    body: z.strictObject({ email: emailSchema, role: memberRoleSchema }),
    response: { 201: dataAnswer(memberSchema) },
  },
  editMember: {
    summary: "Give a member another role, from their next call on (owners)",
    tags,
    params: oneMemberParams,
    body: z.strictObject({ role: memberRoleSchema }),
    response: { 200: dataAnswer(memberSchema) },
  },
  removeMember: {
    summary: "Remove a member, whose sessions for the account end, or withdraw an invitation (owners)",
    tags,
    params: oneMemberParams,
    response: { 200: messageAnswer },
  },
  switchAccount: {
    summary: "Go on as the same person in another account that one may act for; the browser's session is exchanged",
    tags,
    params: userIdParams,
    body: z.strictObject({ accountId: idSchema }),
    response: { 200: dataAnswer(z.string()) },
  },
} as const satisfies CallSchemas;
