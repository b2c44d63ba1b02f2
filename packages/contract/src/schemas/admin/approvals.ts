/** What one administrator asked for and a second one has to agree to. */
import { z } from "zod";
import { dataAnswer, idSchema, listAnswer, listQuery, messageAnswer, timeSchema, type CallSchemas } from "../http.ts";

export const approvalKinds = ["credit", "deposit", "sender", "role"] as const;
export type ApprovalKindName = (typeof approvalKinds)[number];

export const approvalSchema = z.object({
  _id: idSchema,
  kind: z.enum(approvalKinds),
  /** Name and e-mail of the administrator who asked. */
  by: z.string(),
  /** A sentence: what is done once it is approved. */
  what: z.string(),
  /** Whether the administrator who reads this may decide it: not what they asked for themselves, and not what is for them. */
  mayDecide: z.boolean(),
  createdAt: timeSchema,
});
export type ApprovalAnswer = z.infer<typeof approvalSchema>;

/** The answer with status 202 of every call that waits for a second administrator; the id is the approval's. */
export const waitingAnswer = dataAnswer(z.object({ _id: idSchema }));

const tags: ["Approvals"] = ["Approvals"];
const decision = {
  tags,
  params: z.object({ adminId: idSchema, approvalId: idSchema }),
  response: { 200: messageAnswer },
} as const;

export const approvalSchemas = {
  viewApprovals: {
    summary: "What waits for a second administrator, newest first (administrators)",
    tags,
    querystring: listQuery,
    response: { 200: listAnswer(approvalSchema) },
  },
  approve: { summary: "Approve what another administrator asked for: it takes effect at once, and once", ...decision },
  decline: { summary: "Decline what another administrator asked for: nothing of it takes effect", ...decision },
} as const satisfies CallSchemas;
