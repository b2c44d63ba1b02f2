import { z } from "zod";
import { dataAnswer, idSchema, messageAnswer, timeSchema, userIdParams, type CallSchemas } from "./http.ts";
import { limits } from "../limits.ts";
import { memberRoles } from "../rules/member-roles.ts";
import { factorCodeSchema } from "./people/two-factor.ts";

/** E-mails are compared trimmed and in lower case; what is stored is that form. */
export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(limits.emailCharactersMax)
  .pipe(z.email("is not a valid e-mail address"));

export const passwordSchema = z
  .string()
  .min(limits.passwordCharactersMin, `must have at least ${limits.passwordCharactersMin} characters`)
  .max(limits.passwordCharactersMax, `must have at most ${limits.passwordCharactersMax} characters`);

/** Control characters have no place in a name, and PostgreSQL stores no NUL at all. */
export const personNameSchema = z
  .string()
  .trim()
  .min(1, "is required")
  .max(limits.personNameCharactersMax)
  .regex(/^\P{Cc}*$/u, "takes no control characters");

/**
 * A Nigerian phone number as people type it behind +234: digits only, stored without prefix or leading zeros. Who types
 * the prefix again means the same number.
 */
export const contactPhoneSchema = z
  .string()
  .trim()
  .regex(/^[0-9]+$/, "takes digits only")
  .max(limits.phoneInputDigitsMax)
  .transform((digits) => digits.replace(/^0+/, "").replace(/^234(?=[0-9]{10}$)/, ""))
  .pipe(z.string().min(4, "is too short"));

export const userSchema = z.object({
  _id: idSchema,
  userName: z.string(),
  fullName: z.string(),
  email: z.string(),
  phoneNo: z.string(),
  /** Two decimals. */
  units: z.number(),
  role: z.string(),
  loginStatus: z.boolean(),
  verified: z.boolean(),
  blocked: z.boolean(),
  isApproved: z.boolean(),
  /** Whether signing in asks for a second factor. */
  hasTwoFactor: z.boolean(),
  /** Present where an administrator allowed transactional messages. */
  maySendTransactional: z.literal(true).optional(),
  senderID: z.array(z.string()),
  /** Who asks, when it is not the account's own user: a member, who acts in this role. */
  member: z
    .object({ _id: idSchema, role: z.enum(memberRoles), userName: z.string(), fullName: z.string(), email: z.string() })
    .optional(),
  /** The accounts that who asks may act for, their own among them; absent where there is only this one. */
  accounts: z.array(z.object({ _id: idSchema, userName: z.string(), role: z.enum(memberRoles) })).optional(),
  /** Present while an administrator looks at the account in the customer's place. */
  acting: z.object({ adminName: z.string(), reason: z.string(), endsAt: timeSchema }).optional(),
  /** Present where its owner closed the account. */
  closedAt: timeSchema.optional(),
  createdAt: timeSchema,
  /** Absent for who has never signed in. */
  lastSignInAt: timeSchema.optional(),
  sms: z.array(idSchema),
  draft: z.array(idSchema),
  phonebook: z.array(idSchema),
  transfers: z.array(idSchema),
  counts: z.object({ sms: z.number(), draft: z.number(), phonebook: z.number(), transfers: z.number() }),
});
export type UserAnswer = z.infer<typeof userSchema>;

/** Customers whose session lives, who are locked out, and whose mailbox is proven or not. */
export const userFilters = ["active", "blocked", "verified", "unverified"] as const;
export type UserFilter = (typeof userFilters)[number];

/** What the list of customers can be ordered by; the time of registration when nothing is named. */
export const userSorts = ["createdAt", "userName", "fullName", "email"] as const;
export type UserSort = (typeof userSorts)[number];

const tags: ["Accounts"] = ["Accounts"];
const ownIdParams = z.object({ id: idSchema });
const tokenParams = z.object({ token: z.string().max(200) });

/** The token's payload holds `id` and times only; the browser gets the same session as a cookie. */
const tokenAnswer = dataAnswer(z.string());

export const accountSchemas = {
  createUser: {
    summary: "Register a customer; a mail with a verification link follows",
    tags,
    body: z.object({
      userName: personNameSchema,
      fullName: personNameSchema,
      email: emailSchema,
      password: passwordSchema,
      phoneNo: contactPhoneSchema,
    }),
    response: { 201: dataAnswer(z.object({ message: z.string(), _id: idSchema })) },
  },
  signInUser: {
    summary: "Sign in; the token is accepted as Authorization: Bearer",
    tags,
    body: z.object({
      email: emailSchema,
      password: z.string().max(limits.passwordCharactersMax),
      code: factorCodeSchema.optional(),
    }),
    response: { 201: tokenAnswer },
  },
  resendVerification: {
    summary: "Send the verification mail again; answers the same for known and unknown addresses",
    tags,
    body: z.object({ email: emailSchema }),
    response: { 200: messageAnswer },
  },
  verifyUser: { summary: "Use a verification link, once", tags, params: tokenParams, response: { 200: messageAnswer } },
  resetUserPassword: {
    summary: "Ask for a reset mail; answers 401 VISIT_MAIL when the mail is sent",
    tags,
    body: z.object({ email: emailSchema }),
    response: { 200: messageAnswer },
  },
  changeUserPassword: {
    summary: "Set a new password with a live reset token, or with one's own id and the current password",
    tags,
    params: z.object({ id: z.string().max(200) }),
    body: z.object({
      password: passwordSchema,
      currentPassword: z.string().max(limits.passwordCharactersMax).optional(),
      /** Revokes all API keys of the customer as well: whoever knew the password may have made one. */
      endApiKeys: z.boolean().optional(),
    }),
    /** Whose password it is: where they sign in. */
    response: { 200: dataAnswer(z.object({ role: z.enum(["user", "admin"]) })) },
  },
  signOut: {
    summary: "End this session (customers and administrators)",
    tags,
    params: ownIdParams,
    response: { 200: messageAnswer },
  },
  loginStatusFalse: {
    summary: "End this session (the older name)",
    tags,
    params: ownIdParams,
    response: { 200: messageAnswer },
  },
  viewOneUser: {
    summary: "The customer; administrators may read any",
    tags,
    params: userIdParams,
    response: { 200: dataAnswer(userSchema) },
  },
  updatePersonalInfo: {
    summary: "Change one's own names and phone number",
    tags,
    params: userIdParams,
    body: z.object({
      userName: personNameSchema.regex(/^[\p{L}\p{M} ]+$/u, "takes letters and spaces only"),
      fullName: personNameSchema.regex(/^[\p{L}\p{M} ]+$/u, "takes letters and spaces only"),
      phoneNo: contactPhoneSchema,
    }),
    response: { 200: dataAnswer(userSchema) },
  },
} as const satisfies CallSchemas;
