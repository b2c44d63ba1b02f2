/**
 * The two kinds of codes that show a second factor. An authenticator app makes codes as RFC 6238 says and every app reads it:
 * SHA-1, six digits, steps of 30 s; a code counts one step early or late, for clocks that differ. Recovery codes are written
 * on paper and work once each.
 */
import { createHash, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { FactorOwner } from "./second-factor-store.ts";

const STEP_SECONDS = 30;
const SETTINGS = { algorithm: "SHA1", digits: 6, period: STEP_SECONDS } as const;
/** Steps before and after the present one whose code is taken. */
const WINDOW_STEPS = 1;

/** @returns 160 random bits in base32, as RFC 4226 section 4 recommends. */
export function makeTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** @returns the address that a QR code carries to the app. */
export function otpauthAddress(secret: string, of: { issuer: string; email: string }): string {
  return new TOTP({ ...SETTINGS, issuer: of.issuer, label: of.email, secret: Secret.fromBase32(secret) }).toString();
}

/** @returns the step that a code belongs to, so that it can be taken once; undefined for a wrong or old one. */
export function findTotpStep(secret: string, code: string, now: Date): number | undefined {
  // The library compares digits of any alphabet, and texts of as many characters but other bytes break it.
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const timestamp = now.getTime();
  const delta = TOTP.validate({
    ...SETTINGS,
    token: code,
    secret: Secret.fromBase32(secret),
    timestamp,
    window: WINDOW_STEPS,
  });
  return delta === null ? undefined : TOTP.counter({ period: STEP_SECONDS, timestamp }) + delta;
}

const RECOVERY_CODES = 10;
/** No letters or digits that look alike, because people copy these codes from paper; 32 of them, so that the low 5 bits of a byte choose evenly. */
const ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz";
/** 80 bits: with so many a plain hash gives nothing away. */
const CHARACTERS = 16;

/** @returns ten codes in four groups of four, each good for one sign-in without the phone. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte & 31]).join("");
    return letters.replaceAll(/(.{4})(?=.)/g, "$1-");
  });
}

/** @param code as typed: case, blanks and dashes do not count. */
export function hashRecoveryCode({ kind, actorId }: FactorOwner, code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[^0-9a-z]/g, "");
  return createHash("sha256").update(`${kind} ${actorId} ${plain}`).digest();
}
