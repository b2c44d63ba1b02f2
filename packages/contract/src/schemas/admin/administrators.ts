/** The owners' list of administrators: who waits, who is in, and as what. */
import { z } from "zod";
import { emailSchema } from "../accounts.ts";
import { adminRoleSchema } from "./admin-roles.ts";
import { waitingAnswer } from "./approvals.ts";
import { adminIdParams, defineRoute, idSchema, listAnswer, listQuery, messageAnswer, timeSchema } from "../http.ts";

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

export const administratorsRoutes = {
  viewAdmins: defineRoute({
    method: "GET",
    url: "/api/view-admins",
    schema: {
      summary: "Every administrator, newest first (owners)",
      tags,
      querystring: listQuery,
      response: { 200: listAnswer(listedAdminSchema) },
    },
  }),
  approveAdmin: defineRoute({
    method: "PATCH",
    url: "/api/:adminId/:otherId/approve-admin",
    schema: { summary: "Let in who registered and waits (owners)", ...act },
  }),
  blockAdmin: defineRoute({
    method: "PATCH",
    url: "/api/:adminId/:otherId/block-admin",
    schema: { summary: "Lock an administrator out; all their sessions end (owners)", ...act },
  }),
  unblockAdmin: defineRoute({
    method: "PATCH",
    url: "/api/:adminId/:otherId/unblock-admin",
    schema: { summary: "Let a blocked administrator in again (owners)", ...act },
  }),
  setAdminRole: defineRoute({
    method: "PATCH",
    url: "/api/:adminId/:otherId/set-admin-role",
    schema: {
      summary:
        "Give an administrator another role (owners). 202: who becomes or stops being owner waits for another owner, when there is one",
      tags,
      params: act.params,
      body: z.strictObject({ role: adminRoleSchema }),
      response: { 200: messageAnswer, 202: waitingAnswer },
    },
  }),
  removeAdmin: defineRoute({
    method: "DELETE",
    url: "/api/:adminId/:otherId/remove-admin",
    schema: {
      summary: "Remove an administrator for good; only an invitation lets the mailbox register again (owners)",
      ...act,
    },
  }),
  inviteAdmin: defineRoute({
    method: "POST",
    url: "/api/:adminId/invite-admin",
    schema: {
      summary:
        "Invite a mailbox of the company: who registers with it within seven days is let in with this role (owners)",
      tags,
      params: adminIdParams,
      body: z.strictObject({ email: emailSchema, role: adminRoleSchema }),
      response: { 201: messageAnswer },
    },
  }),
} as const;
