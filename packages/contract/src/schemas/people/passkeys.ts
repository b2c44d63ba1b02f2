import { z } from "zod";
import { limits } from "../../limits.ts";
import { dataAnswer, idSchema, listAnswer, messageAnswer, timeSchema, type CallSchemas } from "../http.ts";
import { factorCodeSchema } from "./two-factor.ts";

const NAME_CHARACTERS_MAX = 50;
/** Of base64url; the longest attestations have certificates of some 4 kB in them. */
const PART_CHARACTERS_MAX = 20_000;

/** Bytes as WebAuthn's JSON has them. */
const base64UrlSchema = z
  .string()
  .min(1)
  .max(PART_CHARACTERS_MAX)
  .regex(/^[\w-]+$/, "is not base64url");

/** What `PublicKeyCredential.toJSON()` gives. Browsers may add to it; what is not named here is not looked at. */
function credentialOf<Response extends z.ZodType>(response: Response) {
  return z.object({ id: base64UrlSchema, rawId: base64UrlSchema, type: z.literal("public-key"), response });
}

export const newPasskeySchema = credentialOf(
  z.object({
    clientDataJSON: base64UrlSchema,
    attestationObject: base64UrlSchema,
    transports: z.array(z.string().max(30)).max(10).optional(),
  }),
);

export const shownPasskeySchema = credentialOf(
  z.object({
    clientDataJSON: base64UrlSchema,
    authenticatorData: base64UrlSchema,
    signature: base64UrlSchema,
    userHandle: base64UrlSchema.nullish(),
  }),
);

export type NewPasskey = z.input<typeof newPasskeySchema>;
export type ShownPasskey = z.input<typeof shownPasskeySchema>;

export const passkeySchema = z.object({
  _id: idSchema,
  name: z.string(),
  /** Whether the passkey is kept by the person's account at a provider, and so on more than one device. */
  isBackedUp: z.boolean(),
  createdAt: timeSchema,
  /** Absent for one that nobody has signed in with. */
  lastUsedAt: timeSchema.optional(),
});
export type PasskeyAnswer = z.infer<typeof passkeySchema>;

/** For `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON`. */
const optionsAnswer = dataAnswer(z.looseObject({ challenge: z.string() }));

const tags: ["Passkeys"] = ["Passkeys"];
const ownIdParams = z.object({ id: idSchema });
/** What proves who asks: the password, and a code where two-factor sign-in is on. */
const proof = { password: z.string().max(limits.passwordCharactersMax), code: factorCodeSchema.optional() };

/** For customers and administrators alike; the id is one's own. */
export const passkeySchemas = {
  startPasskey: {
    summary: "Start adding a passkey: the options for navigator.credentials.create, good once within five minutes",
    tags,
    params: ownIdParams,
    body: z.strictObject(proof),
    response: { 201: optionsAnswer },
  },
  finishPasskey: {
    summary: "Add the passkey that navigator.credentials.create made",
    tags,
    params: ownIdParams,
    body: z.strictObject({
      credential: newPasskeySchema,
      /** The device's name when absent. */
      name: z
        .string()
        .trim()
        .max(NAME_CHARACTERS_MAX)
        .regex(/^\P{Cc}*$/u, "takes no control characters")
        .optional(),
    }),
    response: { 201: dataAnswer(passkeySchema) },
  },
  passkeys: {
    summary: "One's own passkeys, oldest first",
    tags,
    params: ownIdParams,
    response: { 200: listAnswer(passkeySchema) },
  },
  removePasskey: {
    summary: "Remove one of one's own passkeys; it opens nothing any more",
    tags,
    params: z.object({ id: idSchema, passkeyId: idSchema }),
    body: z.strictObject(proof),
    response: { 200: messageAnswer },
  },
} as const satisfies CallSchemas;

/** What strangers need. */
export const passkeySignInSchemas = {
  startPasskeySignIn: {
    summary:
      "Start signing in with a passkey, customers and administrators alike: the options for navigator.credentials.get, good once within five minutes",
    tags,
    response: { 201: optionsAnswer },
  },
  finishPasskeySignIn: {
    summary:
      "Sign in with the passkey that navigator.credentials.get showed. It stands for password and second factor; the token is as at sign-in-user",
    tags,
    body: z.strictObject({ credential: shownPasskeySchema }),
    response: {
      201: z.object({
        message: z.string(),
        /** The signed session token. */
        data: z.string(),
        /** On which side the person is signed in. */
        role: z.enum(["user", "admin"]),
      }),
    },
  },
} as const satisfies CallSchemas;
