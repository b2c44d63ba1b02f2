import { readFileSync } from "node:fs";
import { hash, verify } from "@node-rs/argon2";
import { PROGRAM_NAME } from "../../../base/config.ts";
import { fieldError } from "../../../base/errors.ts";
import { Gate } from "../../../http/bounds/gate.ts";

/**
 * Argon2id with the least parameters that OWASP recommends (19 MiB, two passes, one lane): 65 ms of one core here.
 * Hashes carry their own parameters, so raising these leaves the stored ones valid.
 */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Three hashes at a time (57 MiB) leave one of the pool's four threads for files and names. The last in the queue waits seven
 * seconds on two slow cores; more are refused. Each address runs one hash at a time, so that it never delays the others: that
 * is still fifteen people a second behind one address.
 */
export const hashTurns = new Gate({ placesMax: 3, waitingMax: 200, placesPerKeyMax: 1, waitingPerKeyMax: 60 });

/** The hash of no password, for refusals that must take as long as a wrong password. */
const NOBODYS_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$gs8bsCRGzjN3s1vuHytlgA$+VMUCCaL70lLyZ2ZHE6+FbQvir1OXOvgpLTqGZZM3Q0";

const commonPasswords = new Set(
  readFileSync(new URL("./common-passwords.txt", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .flatMap((line) => line.split(" ")),
);

/**
 * @param turn the address that asks, also in the two functions below; undefined when no address asks.
 * @throws AppError `UNAVAILABLE` when too many wait, also in the two functions below. Check every limit first.
 */
export async function hashPassword(password: string, turn?: string): Promise<string> {
  return await hashTurns.run(async () => await hash(normalize(password), ARGON2ID), turn);
}

export async function isPasswordRight(passwordHash: string, password: string, turn?: string): Promise<boolean> {
  return await hashTurns.run(async () => await verify(passwordHash, normalize(password)), turn);
}

/** Takes as long as `isPasswordRight`. */
export async function pretendToCheckPassword(password: string, turn?: string): Promise<void> {
  await hashTurns.run(async () => await verify(NOBODYS_HASH, normalize(password)), turn);
}

/**
 * @param words what is known of the person and of the product: names, mailboxes.
 * @throws AppError `VALIDATION` on the field `password` for one that guessers try first. The contract checks its length.
 */
export function assertPasswordAllowed(password: string, words: readonly string[]): void {
  if (isCommon(password)) throw fieldError("password", "is one of the most common passwords. Choose another");
  const core = coreOf(password);
  if (core !== "" && [PROGRAM_NAME, ...words].some((word) => core === coreOf(word) || core === coreOf(mailboxOf(word))))
    throw fieldError("password", "is a name with little round it. Choose another");
}

/** `Ada.Obi_1987!` is `adaobi`: digits and marks round a name, and in it, are what guessers try as well. */
function coreOf(text: string): string {
  const characters =
    normalize(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]/gu) ?? [];
  const isLetter = (character: string): boolean => /\p{L}/u.test(character);
  // Not by a pattern that ends with `$`: it would look at a long row of digits once for each of them.
  const first = characters.findIndex(isLetter);
  return first === -1 ? "" : characters.slice(first, characters.findLastIndex(isLetter) + 1).join("");
}

function mailboxOf(email: string): string {
  return email.split("@", 1)[0] ?? "";
}

function isCommon(password: string): boolean {
  const plain = normalize(password).toLowerCase();
  return commonPasswords.has(plain) || isRun(plain);
}

/** `aaaaaa`, `123456`, `fedcba`: every step from one character to the next is the same, and is 0, 1 or -1. */
function isRun(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const step = (codes[1] ?? 0) - (codes[0] ?? 0);
  // 1234567890 goes on after 9 with 0.
  return (
    Math.abs(step) <= 1 &&
    codes.slice(1).every((code, index) => code - (codes[index] ?? 0) === step || (code === 48 && codes[index] === 57))
  );
}

/** One password typed on two systems may arrive composed or decomposed; both must open the account. */
function normalize(password: string): string {
  return password.normalize("NFKC");
}
