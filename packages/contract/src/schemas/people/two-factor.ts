import { z } from "zod";
import { dataAnswer, idSchema, messageAnswer, noFields, type CallSchemas } from "../http.ts";
import { limits } from "../../limits.ts";

/** Six digits of the authenticator app, or a recovery code; blanks and dashes do not count. */
export const factorCodeSchema = z
  .string()
  .trim()
  .max(limits.factorCodeCharactersMax)
  .regex(/^[0-9A-Za-z -]*$/, "takes digits, or a recovery code");

/** In this header a call takes the code that it needs when it answers `CODE_REQUIRED`. */
export const SECOND_FACTOR_HEADER = "x-second-factor";

const tags: ["Two-factor"] = ["Two-factor"];
const ownIdParams = z.object({ id: idSchema });

/** For customers and administrators alike; the id is one's own. */
export const twoFactorSchemas = {
  startTwoFactor: {
    summary: "Start setting up an authenticator app; no code is asked for until one has confirmed it",
    tags,
    params: ownIdParams,
    body: noFields,
    /** The secret in base32, for who cannot scan, and the address that the QR code holds. */
    response: { 201: dataAnswer(z.object({ secret: z.string(), otpauth: z.string() })) },
  },
  confirmTwoFactor: {
    summary: "Turn the second factor on with a code of the app; the recovery codes are in this answer and nowhere else",
    tags,
    params: ownIdParams,
    body: z.strictObject({ code: factorCodeSchema }),
    response: { 200: dataAnswer(z.object({ recoveryCodes: z.array(z.string()) })) },
  },
  removeTwoFactor: {
    summary: "Turn one's own second factor off",
    tags,
    params: ownIdParams,
    body: z.strictObject({
      password: z.string().max(limits.passwordCharactersMax),
      code: factorCodeSchema.optional(),
    }),
    response: { 200: messageAnswer },
  },
  twoFactor: {
    summary: "Whether one's second factor is on, and how many recovery codes are left",
    tags,
    params: ownIdParams,
    response: { 200: dataAnswer(z.object({ isOn: z.boolean(), recoveryCodesLeft: z.number() })) },
  },
} as const satisfies CallSchemas;
