import { z } from "zod";
import { contactPhoneSchema, emailSchema, personNameSchema } from "../accounts.ts";
import { adminSchema } from "./admin.ts";
import { factorCodeSchema } from "../people/two-factor.ts";
import { limits } from "../../limits.ts";
import { auditKinds, type AuditKind } from "../../rules/audit-kinds.ts";
import {
  adminIdParams,
  dataAnswer,
  idSchema,
  listAnswer,
  listQuery,
  timeSchema,
  userIdParams,
  type CallSchemas,
} from "../http.ts";

/** The four fields of an administrator's own record. */
export const adminProfileBody = z.object({
  adminName: personNameSchema,
  adminFullName: personNameSchema,
  contact: contactPhoneSchema,
  email: emailSchema,
  /** One's own, for a new e-mail. */
  password: z.string().max(limits.passwordCharactersMax).optional(),
});

const facts = z.record(z.string(), z.unknown());

/** One act of an administrator, or of somebody of a customer's account. */
export const auditEntrySchema = z.object({
  _id: idSchema,
  /** Who acted. */
  adminID: idSchema,
  adminName: z.string(),
  adminEmail: z.string(),
  /** Present where it was somebody of a customer's account: the three above are theirs. */
  isCustomer: z.literal(true).optional(),
  /** The call, such as `credit-a-user`. */
  action: z.string(),
  /** What it was done to, when that has an id. */
  subjectID: idSchema.optional(),
  /** Whom it was done to, when that is a customer or an administrator: the name and e-mail of today. */
  subject: z.object({ name: z.string(), email: z.string() }).optional(),
  before: facts.optional(),
  after: facts.optional(),
  /** Where the call came from. */
  address: z.string(),
  createdAt: timeSchema,
  /** Of this entry and of the hash before it, 64 hex digits; `docs/security.md` says what is hashed. */
  hash: z.string(),
  /** Of the entry that was written before this one; 64 zeros for the first. */
  previousHash: z.string(),
});
export type AuditEntryAnswer = z.infer<typeof auditEntrySchema>;

/** A day by the time of Lagos, or a moment with its offset. */
const dayOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })], "is no day and no time");

const kinds = Object.keys(auditKinds) as [AuditKind, ...AuditKind[]];

/** Which entries of the audit are wanted. */
export const auditQuery = z.strictObject({
  ...listQuery.shape,
  action: z.string().max(100).optional(),
  kind: z.enum(kinds).optional(),
  adminId: idSchema.optional(),
  /** A part of the name or e-mail of the administrator who did it. Empty means all. */
  person: z
    .string()
    .trim()
    .max(limits.searchCharactersMax)
    .transform((text) => (text === "" ? undefined : text))
    .optional(),
  /** What it was done to. */
  subjectId: idSchema.optional(),
  /** The first and the last day or moment, both included. */
  from: dayOrTime.optional(),
  to: dayOrTime.optional(),
});
export type AuditQuery = z.infer<typeof auditQuery>;

const tags: ["Administrators"] = ["Administrators"];
/** The signed session token, as at signing in. */
const tokenAnswer = dataAnswer(z.string());

/** An administrator's own account, the way between the two dashboards, and the record of what administrators did. */
export const adminAccountSchemas = {
  updateAdminProfile: {
    summary: "Change one's own record. A new e-mail must be verified before the next sign-in, and ends all sessions",
    tags,
    params: adminIdParams,
    body: adminProfileBody,
    response: { 200: dataAnswer(adminSchema) },
  },
  switchToAdmin: {
    summary:
      "From the customer's dashboard to the administrator's, for who is both. A session that began with the customer's password needs the administrator's",
    tags,
    params: userIdParams,
    body: z
      .object({
        password: z.string().max(limits.passwordCharactersMax).optional(),
        code: factorCodeSchema.optional(),
      })
      .nullish(),
    response: { 201: tokenAnswer },
  },
  switchToUser: {
    summary: "From the administrator's dashboard to the customer's; makes the customer account when there is none",
    tags,
    params: adminIdParams,
    response: { 201: tokenAnswer },
  },
  actFor: {
    summary:
      "Look at a customer's account for 30 minutes, as they see it, without changing anything (owners, admins). The customer sees who looked and why; the browser's session is exchanged, and switch-to-admin leads back",
    tags,
    params: adminIdParams,
    body: z.strictObject({
      userId: idSchema,
      reason: z.string().trim().min(1, "is required").max(limits.reasonCharactersMax),
    }),
    response: { 201: tokenAnswer },
  },
  viewAuditEntries: {
    summary:
      "What administrators, and people of customers' accounts, did, newest first (administrators); with format=csv or jsonl all that the filters leave, oldest first, as a file",
    tags,
    querystring: z.strictObject({ ...auditQuery.shape, format: z.enum(["csv", "jsonl"]).optional() }),
    response: { 200: listAnswer(auditEntrySchema) },
  },
  viewAuditState: {
    summary: "Whether the chain of the audit is whole, and when that was looked at (administrators)",
    tags,
    response: {
      200: dataAnswer(z.object({ isWhole: z.boolean(), checkedAt: timeSchema, entries: z.number().int() })),
    },
  },
} as const satisfies CallSchemas;
