/**
 * Codes of an authenticator app, RFC 6238 as every app reads it: SHA-1, six digits, steps of 30 s. A code counts one step
 * early or late, for clocks that differ.
 */
import { Secret, TOTP } from "otpauth";

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
