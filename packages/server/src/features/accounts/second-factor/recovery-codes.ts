import { createHash, randomBytes } from "node:crypto";
import type { FactorOwner } from "./second-factor-store.ts";

const RECOVERY_CODES = 10;
/** Without letters and digits that look alike: these codes are written on paper. 32 of them, so that a byte's low 5 bits choose evenly. */
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
