/** The owners' list of administrators: who waits, who is in, and as what. */
import { z } from "zod";
import { emailSchema } from "../accounts.ts";
import { waitingAnswer } from "./approvals.ts";
import {
  adminIdParams,
  idSchema,
  listAnswer,
  listQuery,
  messageAnswer,
  timeSchema,
  type CallSchemas,
} from "../http.ts";

/** What an administrator may do, the most powerful first; `docs/operations.md` says it in words. */
export const adminRoles = ["owner", "admin", "finance", "support", "viewer"] as const;
export const adminRoleSchema = z.enum(adminRoles);
export type AdminRole = (typeof adminRoles)[number];

/** Waiting: the mailbox is proven, and an owner has yet to let them in. */
export const adminStates = ["waiting", "active", "blocked"] as const;
export type AdminState = (typeof adminStates)[number];

export const listedAdminSchema = z.object({
  _id: idSchema,
  adminName: z.string(),
  adminFullName: z.string(),
  email: z.string(),
  role: adminRoleSchema,
  state: z.enum(adminStates),
  hasTwoFactor: z.boolean(),
  /** Null for who has never signed in. */
  lastSignInAt: timeSchema.nullable(),
  createdAt: timeSchema,
});
export type ListedAdminAnswer = z.infer<typeof listedAdminSchema>;

const tags: ["Administrators"] = ["Administrators"];
const act = {
  tags,
  params: z.object({ adminId: idSchema, otherId: idSchema }),
  response: { 200: messageAnswer },
} as const;

export const administratorsSchemas = {
  viewAdmins: {
    summary: "Every administrator, newest first (owners)",
    tags,
    querystring: listQuery,
    response: { 200: listAnswer(listedAdminSchema) },
  },
  approveAdmin: { summary: "Let in who registered and waits (owners)", ...act },
  blockAdmin: { summary: "Lock an administrator out; all their sessions end (owners)", ...act },
  unblockAdmin: { summary: "Let a blocked administrator in again (owners)", ...act },
  setAdminRole: {
    summary:
      "Give an administrator another role (owners). 202: who becomes or stops being owner waits for another owner, when there is one",
    tags,
    params: act.params,
    body: z.strictObject({ role: adminRoleSchema }),
    response: { 200: messageAnswer, 202: waitingAnswer },
  },
  removeAdmin: {
    summary: "Remove an administrator for good; only an invitation lets the mailbox register again (owners)",
    ...act,
  },
  inviteAdmin: {
    summary:
      "Invite a mailbox of the company: who registers with it within seven days is let in with this role (owners)",
    tags,
    params: adminIdParams,
    body: z.strictObject({ email: emailSchema, role: adminRoleSchema }),
    response: { 201: messageAnswer },
  },
} as const satisfies CallSchemas;
