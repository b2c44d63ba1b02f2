import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { limits } from "@ewebal/contract";

export const OTP_LIFE_MS = 10 * 60_000;
/** After five wrong guesses (of 10,000 codes) the code no longer works. */
export const OTP_WRONG_TRIES_MAX = 5;
/** Wrong guesses allowed over all codes of one registration. */
export const REGISTRATION_WRONG_TRIES_MAX = 10;
/** A registration without guesses left may start again after this time. */
export const REGISTRATION_LIFE_MS = 24 * 60 * 60_000;

/** @returns four digits, each code as likely as any other. */
export function makeOtpCode(): string {
  return String(randomInt(10 ** limits.otpDigits)).padStart(limits.otpDigits, "0");
}

/** Keyed and bound to the person, or a table of all 10,000 hashes would reveal the code. */
export function hashOtpCode(key: Buffer, adminId: string, code: string): Buffer {
  return createHmac("sha256", key).update(`${adminId}:${code}`).digest();
}

export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
