/** People who share a customer's account: who they are, and as what. */
import { z } from "zod";
import { limits } from "../../limits.ts";
import { memberRoles } from "../../rules/member-roles.ts";
import { emailSchema } from "../accounts.ts";
import { messageSchema } from "../messages.ts";
import {
  dataAnswer,
  idSchema,
  listAnswer,
  strictListQuery,
  messageAnswer,
  timeSchema,
  userIdParams,
  noFields,
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

/** Null: nothing waits. */
const approvalLimitSchema = z.object({ recipients: z.number().nullable() });

const tags: ["Team"] = ["Team"];
const oneMessageParams = z.object({ userId: idSchema, messageId: idSchema });
const oneMemberParams = z.object({ userId: idSchema, memberId: idSchema });

export const teamSchemas = {
  members: {
    summary: "Who shares the account, the account's own user first",
    tags,
    params: userIdParams,
    querystring: strictListQuery,
    response: { 200: listAnswer(memberSchema) },
  },
  inviteMember: {
    summary:
      "Invite a person by mail (owners). A person with an account here is a member at once; another becomes one by registering the mailbox within seven days",
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
    body: noFields,
    response: { 200: messageAnswer },
  },
  approvalLimit: {
    summary: "Above how many recipients a sender's message waits for an approver; null: none waits",
    tags,
    params: userIdParams,
    response: { 200: dataAnswer(approvalLimitSchema) },
  },
  setApprovalLimit: {
    summary:
      "Let what senders send to more recipients wait for an approver; null ends that. What waits goes on waiting (owners)",
    tags,
    params: userIdParams,
    body: z.strictObject({ recipients: z.int().min(0).max(limits.recipientsMax).nullable() }),
    response: { 200: dataAnswer(approvalLimitSchema) },
  },
  approvals: {
    summary: "Messages of senders that wait for an approver, newest first",
    tags,
    params: userIdParams,
    querystring: strictListQuery,
    response: { 200: listAnswer(messageSchema) },
  },
  approveMessage: {
    summary: "Let a waiting message go out; who sent it cannot (approvers)",
    tags,
    params: oneMessageParams,
    body: noFields,
    response: { 200: messageAnswer },
  },
  declineMessage: {
    summary: "Refuse a waiting message: its units come back, and its sender gets a mail with the reason (approvers)",
    tags,
    params: oneMessageParams,
    // Without a body Fastify hands over null.
    body: z.strictObject({ reason: z.string().trim().max(limits.reasonCharactersMax).optional() }).nullish(),
    response: { 200: messageAnswer },
  },
  switchAccount: {
    summary: "Go on as the same person in another account that one may act for; the browser's session is exchanged",
    tags,
    params: userIdParams,
    // As ids are written: the token says it, and programs put it into paths.
    body: z.strictObject({ accountId: idSchema.toLowerCase() }),
    response: { 200: dataAnswer(z.string()) },
  },
} as const satisfies CallSchemas;
