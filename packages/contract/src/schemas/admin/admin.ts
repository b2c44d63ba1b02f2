import { z } from "zod";
import { contactPhoneSchema, emailSchema, passwordSchema, personNameSchema } from "../accounts.ts";
import { waitingAnswer } from "./approvals.ts";
import {
  adminIdParams,
  dataAnswer,
  idempotencyHeaders,
  idSchema,
  messageAnswer,
  timeSchema,
  type CallSchemas,
} from "../http.ts";
import { limits } from "../../limits.ts";
import { factorCodeSchema } from "../people/two-factor.ts";

export const adminSchema = z.object({
  _id: idSchema,
  adminName: z.string(),
  adminFullName: z.string(),
  email: z.string(),
  contact: z.string(),
  role: z.string(),
  createdAt: timeSchema,
  updatedAt: timeSchema,
});
export type AdminAnswer = z.infer<typeof adminSchema>;

const tags: ["Administrators"] = ["Administrators"];

export const adminSchemas = {
  createAdmin: {
    summary: "Register an administrator of the company's own domain; an OTP mail follows",
    tags,
    body: z.object({
      adminName: personNameSchema,
      adminFullName: personNameSchema,
      email: emailSchema,
      contact: contactPhoneSchema,
      password: passwordSchema,
    }),
    response: { 201: messageAnswer },
  },
  verifyOtp: {
    summary: "Enter the code of the OTP mail; a verification mail follows",
    tags,
    params: z.object({ token: z.string().max(200) }),
    body: z.object({ otp: z.string().regex(/^[0-9]{4}$/, "takes four digits") }),
    response: { 200: messageAnswer },
  },
  verifyAdmin: {
    summary: "Use a verification link, once",
    tags,
    params: z.object({ token: z.string().max(200) }),
    response: { 200: messageAnswer },
  },
  signInAdmin: {
    summary: "Sign in as an administrator",
    tags,
    body: z.object({
      email: emailSchema,
      password: z.string().max(limits.passwordCharactersMax),
      code: factorCodeSchema.optional(),
    }),
    response: { 201: dataAnswer(z.string()) },
  },
  viewOneAdmin: {
    summary: "The administrator's own record",
    tags,
    params: adminIdParams,
    response: { 200: dataAnswer(adminSchema) },
  },
  creditAUser: {
    summary:
      "Credit units to a customer by hand; a mail tells the customer. 202: more than one administrator may give alone, or for oneself, waits for a second one",
    tags,
    params: adminIdParams,
    headers: idempotencyHeaders,
    body: z.object({
      email: emailSchema,
      /** Whole units; digits, as the form sends them, or a number. */
      units: z
        .union([
          z.number(),
          z
            .string()
            .regex(/^[0-9]{1,9}$/, "takes digits only")
            .transform(Number),
        ])
        .pipe(z.number().int("must be whole units").min(1).max(limits.unitsMaxPerCredit)),
    }),
    response: { 200: dataAnswer(z.object({ units: z.number() })), 202: waitingAnswer },
  },
} as const satisfies CallSchemas;
