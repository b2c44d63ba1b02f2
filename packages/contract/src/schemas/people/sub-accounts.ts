/** Accounts that a customer makes for others: each its own customer, with units of the one that made it. */
import { z } from "zod";
import { limits } from "../../limits.ts";
import { contactPhoneSchema, emailSchema, personNameSchema } from "../accounts.ts";
import {
  dataAnswer,
  idempotencyHeaders,
  idSchema,
  listAnswer,
  strictListQuery,
  timeSchema,
  userIdParams,
  type CallSchemas,
} from "../http.ts";

export const subAccountSchema = z.object({
  _id: idSchema,
  userName: z.string(),
  fullName: z.string(),
  email: z.string(),
  phoneNo: z.string(),
  /** What it can spend. */
  units: z.number(),
  /** What it may spend in a day of Lagos; null: as much as it has. */
  capUnitsPerDay: z.number().nullable(),
  usedToday: z.number(),
  blocked: z.boolean(),
  createdAt: timeSchema,
});
export type SubAccountAnswer = z.infer<typeof subAccountSchema>;

const capUnitsPerDay = z.int("must be whole units").min(1).max(limits.unitsMaxPerCredit);

const tags: ["Sub-accounts"] = ["Sub-accounts"];
/** As ids are written: accounts are locked in the order of their texts, and a key's repeat is known by the same text. */
const oneSubParams = z.object({ userId: idSchema, subId: idSchema.toLowerCase() });

export const subAccountSchemas = {
  subAccounts: {
    summary: "Accounts that this one made, with their units, newest first",
    tags,
    params: userIdParams,
    querystring: strictListQuery,
    response: { 200: listAnswer(subAccountSchema) },
  },
  makeSubAccount: {
    summary: "Make an account for somebody, who chooses a password by a mailed link (owners)",
    tags,
    params: userIdParams,
    body: z.strictObject({
      userName: personNameSchema,
      fullName: personNameSchema,
      email: emailSchema,
      phoneNo: contactPhoneSchema,
      capUnitsPerDay: capUnitsPerDay.nullish(),
    }),
    response: { 201: dataAnswer(subAccountSchema) },
  },
  editSubAccount: {
    summary: "Change what a sub-account may spend in a day; null: as much as it has (owners)",
    tags,
    params: oneSubParams,
    body: z.strictObject({ capUnitsPerDay: capUnitsPerDay.nullable() }),
    response: { 200: dataAnswer(subAccountSchema) },
  },
  moveUnits: {
    summary: "Give units to a sub-account, or take back what is free of it with a negative number (owners)",
    tags,
    params: oneSubParams,
    headers: idempotencyHeaders,
    body: z.strictObject({
      units: z
        .int("must be whole units")
        .min(-limits.unitsMaxPerCredit)
        .max(limits.unitsMaxPerCredit)
        .refine((units) => units !== 0, "must not be 0"),
    }),
    /** What is free of each of the two accounts now. */
    response: { 200: dataAnswer(z.object({ _id: idSchema, units: z.number(), subUnits: z.number() })) },
  },
} as const satisfies CallSchemas;
