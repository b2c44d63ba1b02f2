import { limits } from "../../limits.ts";

/** `specified`: the forms accept the addresses that the specification names. `any`: every valid address. */
export type EmailRule = "specified" | "any";

export type EmailForm = "login" | "reset" | "contact";

/** The form rules of the specification, section 5, on a normalised address, and the words for a person who meets them. */
const SPECIFIED: Readonly<Record<EmailForm, { accepts: (email: string) => boolean; hint: string }>> = {
  login: {
    accepts: (email) => email.includes("@gmail.com"),
    hint: "Sign in with a gmail.com address",
  },
  reset: {
    accepts: (email) => ["@gmail.com", ".ng", ".com"].some((part) => email.includes(part)),
    hint: "Use a gmail.com, .com or .ng address",
  },
  contact: {
    accepts: (email) => email.endsWith(".com"),
    hint: "Use an address that ends with .com",
  },
};

/** One local part of dot-separated atoms (RFC 5322, unquoted) and a host name with at least one dot. Linear time. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** The form in which addresses are stored and compared: trimmed, lower case. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** @param email as typed or normalised. @returns whether it has the form of an address that mail can be sent to. */
export function isEmailAddress(email: string): boolean {
  const normalized = normalizeEmail(email);
  if (normalized.length > limits.emailCharactersMax) return false;
  const at = normalized.lastIndexOf("@");
  const local = normalized.slice(0, Math.max(at, 0));
  const labels = normalized.slice(at + 1).split(".");
  const isHost = labels.length >= 2 && labels.every((label) => label.length <= 63 && HOST_LABEL.test(label));
  return local.length <= 64 && LOCAL_PART.test(local) && isHost && /^[a-z]/.test(labels.at(-1) ?? "");
}

/** @returns whether a form's button may become active with this address; the server asks the same function. */
export function isEmailAccepted(form: EmailForm, email: string, rule: EmailRule): boolean {
  if (!isEmailAddress(email)) return false;
  return rule === "any" || SPECIFIED[form].accepts(normalizeEmail(email));
}

/** @returns what the form says beforehand about the addresses it takes, or undefined when it takes all. */
export function emailHint(form: EmailForm, rule: EmailRule): string | undefined {
  return rule === "any" ? undefined : SPECIFIED[form].hint;
}
