import { z } from "zod";
import { contactPhoneSchema, personNameSchema } from "./accounts.ts";
import { waitingAnswer } from "./admin/approvals.ts";
import {
  dataAnswer,
  idempotencyHeaders,
  idSchema,
  listAnswer,
  listQuery,
  messageAnswer,
  timeSchema,
  userIdParams,
  type CallSchemas,
} from "./http.ts";
import { limits } from "../limits.ts";
import { parseUnitsText } from "../rules/money/units.ts";

/**
 * pending -> verified | declined | withdrawn, once. Administrators verify (with units) and decline; the customer withdraws
 * by deleting. A credit that needs two administrators leaves the deposit pending until the second one agrees.
 */
export const depositStates = ["pending", "verified", "declined", "withdrawn"] as const;
export type DepositState = (typeof depositStates)[number];

/** What a receipt may be, by the end of its file's name. */
export const receiptExtensions = ["pdf", "jpg", "jpeg", "png"] as const;

/** Another deposit with the same receipt or teller id. */
const depositDuplicateSchema = z.object({
  _id: idSchema,
  userID: idSchema,
  userName: z.string(),
  state: z.enum(depositStates),
  /** What the two have in common. */
  same: z.array(z.enum(["receipt", "tellerId"])),
  createdAt: timeSchema,
});

/** What only administrators are told. */
const depositReviewSchema = z.object({
  userName: z.string(),
  email: z.string(),
  /** Whether the same receipt or teller id was used before or after. */
  flagged: z.boolean(),
  /** The newest of those; in the answer about one deposit only. */
  doubles: z.array(depositDuplicateSchema).optional(),
  /** A credit that waits for a second administrator; the id is the approval's. */
  proposal: z
    .object({ _id: idSchema, units: z.number(), adminID: idSchema, adminName: z.string(), createdAt: timeSchema })
    .nullable(),
  /** Whether the customer has deleted it from their list. */
  hidden: z.boolean(),
  /** Who decided; empty while nobody did. */
  decidedBy: z.string(),
});

export const depositSchema = z.object({
  _id: idSchema,
  userID: idSchema,
  depositorName: z.string(),
  /** Whole naira. */
  amountDeposited: z.number(),
  phoneNo: z.string(),
  tellerId: z.string(),
  /** YYYY-MM-DD. */
  transactionDate: z.iso.date(),
  bankDeposited: z.string(),
  /** Address of the receipt. */
  image: z.string(),
  receiptType: z.enum(["image", "pdf"]),
  verified: z.boolean(),
  declined: z.boolean(),
  withdrawn: z.boolean(),
  /** Units that were credited for it; null until then. */
  creditedUnits: z.number().nullable(),
  /** Why it was declined, in the administrator's words; may be empty. */
  reason: z.string(),
  createdAt: timeSchema,
  /** When it was verified, declined or withdrawn; null until then. */
  decidedAt: timeSchema.nullable(),
  /** Administrators only. */
  review: depositReviewSchema.optional(),
});
export type DepositAnswer = z.infer<typeof depositSchema>;
export type DepositReview = z.infer<typeof depositReviewSchema>;
export type DepositDuplicate = z.infer<typeof depositDuplicateSchema>;

/** Nobody sends in a receipt of another century; a year like 0206 is a slip of the keyboard. */
const TRANSACTION_DATE_MIN = "2000-01-01";

/** Digits only; naira without kobo. */
const amountSchema = z
  .string()
  .trim()
  .regex(/^[0-9]{1,12}$/, "takes digits only")
  .transform(Number)
  .pipe(
    z
      .number()
      .min(1, "must be 1 naira or more")
      .max(limits.unitsMaxPerCredit, `must be ${limits.unitsMaxPerCredit.toLocaleString("en")} naira or less`),
  );

/**
 * The fields of the form beside the receipt, as multipart sends them: texts. That the bank is ours and the day not in the
 * future is the server's to say.
 */
export const depositFieldsSchema = z.object({
  depositorName: personNameSchema,
  amountDeposited: amountSchema,
  phoneNo: contactPhoneSchema,
  tellerId: z
    .string()
    .trim()
    .min(1, "is required")
    .max(limits.tellerIdCharactersMax)
    .regex(/^\P{Cc}*$/u, "takes no control characters")
    .regex(/[\p{L}\p{N}]/u, "must have a letter or digit"),
  transactionDate: z.iso
    .date("must be a date such as 2026-03-05")
    .refine((day) => day >= TRANSACTION_DATE_MIN, "is too long ago"),
  bankDeposited: z.string().trim().min(1, "is required").max(100),
});
export type DepositFields = z.infer<typeof depositFieldsSchema>;

const unitsTextSchema = z.string().transform((text, context) => {
  const read = parseUnitsText(text);
  if (read.kind === "units") return read.units;
  context.addIssue({
    code: "custom",
    message: read.reason === "empty" ? "is required" : "takes whole units such as 1000 or 1,000",
  });
  return z.NEVER;
});

export const creditDepositBody = z.object({
  /** Whole units: a number, or digits with proper thousands commas. */
  units: z
    .union([z.number(), unitsTextSchema])
    .pipe(z.number().int("must be whole units").min(1, "must be 1 unit or more").max(limits.unitsMaxPerCredit)),
});

const dayFilter = z.iso.date("must be a date such as 2026-03-05").optional();

export const depositListQuery = listQuery.extend({
  state: z.enum(depositStates).optional(),
  /** A part of the depositor, teller id or phone number; for administrators also of the customer's name or e-mail. */
  search: z
    .string()
    .trim()
    .max(100)
    .regex(/^\P{Cc}*$/u, "takes no control characters")
    .optional(),
  /** First and last transaction date. */
  from: dayFilter,
  to: dayFilter,
});

const tags: ["Payments"] = ["Payments"];
const oneTransferParams = z.object({ userId: idSchema, transferId: idSchema });
const decisionParams = oneTransferParams.extend({ adminId: idSchema });

const hideTransfer = { tags, params: oneTransferParams, response: { 202: messageAnswer } } as const;

export const depositSchemas = {
  submitTransferDetails: {
    summary:
      "Report a bank deposit. multipart/form-data: depositorName, amountDeposited, phoneNo, tellerId, transactionDate, bankDeposited, and the receipt (.pdf, .jpg, .png, up to 5 MB) as image",
    tags,
    params: userIdParams,
    headers: idempotencyHeaders,
    response: { 201: dataAnswer(z.object({ _id: idSchema })) },
  },
  userTransferDetails: {
    summary: "A customer's deposits, newest first; administrators may read any, hidden ones included",
    tags,
    params: userIdParams,
    querystring: depositListQuery,
    response: { 200: listAnswer(depositSchema) },
  },
  viewAllTransactions: {
    summary: "Deposits of all customers, newest first (administrators)",
    tags,
    querystring: depositListQuery.extend({ flagged: z.literal("true").optional() }),
    response: { 200: listAnswer(depositSchema) },
  },
  viewOneTransaction: {
    summary: "One deposit; its customer and administrators",
    tags,
    params: z.object({ transferId: idSchema }),
    response: { 200: dataAnswer(depositSchema) },
  },
  deleteDetails: {
    summary: "Take a deposit out of the customer's list; one that is still waiting is withdrawn",
    ...hideTransfer,
  },
  disapprove: { summary: "The same as delete-details", ...hideTransfer },
  receipt: {
    summary: "The receipt of a deposit; its customer and administrators",
    tags,
    params: z.object({ transferId: idSchema }),
    response: { 200: z.unknown().describe("the image or PDF") },
  },
  creditUser: {
    summary:
      "Accept a deposit and credit units for it (administrators). 202: more than was deposited, or than one administrator may credit, waits until another one approves it or makes the same call",
    tags,
    params: decisionParams,
    body: creditDepositBody,
    response: { 200: dataAnswer(depositSchema), 202: waitingAnswer },
  },
  declinedTransaction: {
    summary: "Decline a deposit, with a reason or without; a mail tells the customer (administrators)",
    tags,
    params: decisionParams,
    // Without a body Fastify hands over null.
    body: z.object({ reason: z.string().trim().max(limits.reasonCharactersMax).optional() }).nullish(),
    response: { 200: dataAnswer(depositSchema) },
  },
} as const satisfies CallSchemas;
