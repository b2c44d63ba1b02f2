/**
 * From the bytes of a body to a send whose shape is right. Pure, because it runs in a worker thread for large bodies;
 * what is allowed (names, countries, units) is decided later, by the send itself.
 */
import { draftBody, limits, readRecipients, sendBody, type DraftBody, type RecipientsRead, type SendBody } from "@ewebal/contract";
import type { z } from "zod";
import { fingerprintOf } from "../../db/idempotency.ts";
import { longestConsecutiveRun } from "./consecutive-run.ts";
import { describeWrongNumbers } from "./wrong-numbers.ts";

export type SendRequest = Omit<SendBody, "phoneNo"> & {
  /** May hold numbers of other countries, and some never sent to, among the wrong ones; all others were refused. */
  recipients: RecipientsRead;
  /** How many of the numbers follow each other without a gap. */
  longestRun: number;
  /** Of the four fields as they came. */
  fingerprint: Uint8Array;
};

/** `wrong` carries what is wrong with each field. */
export type ReadResult<Value> = { kind: "read"; value: Value } | { kind: "wrong"; fields: Record<string, string> };

/** Written as numbers are written; whether they may be sent to has its own places in the order of checks. */
const JUDGED_LATER: ReadonlySet<string> = new Set(["wrong-code", "lost-leading-zero", "never-sent"]);

/** JSON of the four fields. */
export function readSendJson(bytes: Uint8Array): ReadResult<SendRequest> {
  const json = readJson(bytes);
  return json.kind === "wrong" ? json : readSendFields(json.value);
}

export function readSendFields(fields: unknown): ReadResult<SendRequest> {
  const checked = check(sendBody, fields);
  if (checked.kind === "wrong") return checked;
  const { senderName, message, phoneNo, code } = checked.value;
  if (phoneNo === undefined) return wrong({ phoneNo: "is required" });
  if (senderName.length > limits.senderNameCharactersMax) {
    return wrong({ senderName: `has more than ${limits.senderNameCharactersMax} characters` });
  }
  const recipients = readRecipients(phoneNo, code);
  if (recipients.receivedCount === 0) return wrong({ phoneNo: "has no number" });
  if (recipients.receivedCount > limits.recipientsMax) {
    return wrong({ phoneNo: `has more than ${limits.recipientsMax.toLocaleString("en")} numbers` });
  }
  if (recipients.wrong.some(({ reason }) => !JUDGED_LATER.has(reason))) return wrong({ phoneNo: describeWrongNumbers(recipients) });
  const longestRun = longestConsecutiveRun(recipients.valid);
  const fingerprint = fingerprintOf({ senderName, message, phoneNo, code });
  return { kind: "read", value: { senderName, message, code, recipients, longestRun, fingerprint } };
}

export function readDraftJson(bytes: Uint8Array): ReadResult<DraftBody> {
  const json = readJson(bytes);
  if (json.kind === "wrong") return json;
  const checked = check(draftBody, json.value);
  if (checked.kind === "wrong") return checked;
  const { phoneNo, ...fields } = checked.value;
  return phoneNo === undefined ? wrong({ phoneNo: "is required" }) : { kind: "read", value: { ...fields, phoneNo } };
}

/** Keys that would change what an object is, instead of what it holds. */
const FORBIDDEN_KEYS = ["__proto__", "constructor", "prototype"];

function readJson(bytes: Uint8Array): ReadResult<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return wrong({ body: "is not JSON in UTF-8" });
  }
  if (typeof value === "object" && value !== null && FORBIDDEN_KEYS.some((key) => Object.hasOwn(value, key))) {
    return wrong({ body: "has a key that is not allowed" });
  }
  return { kind: "read", value };
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown): ReadResult<z.infer<Schema>> {
  const checked = schema.safeParse(value);
  if (checked.success) return { kind: "read", value: checked.data };
  const fields: Record<string, string> = {};
  for (const issue of checked.error.issues) fields[issue.path.join(".") || "body"] ??= issue.message;
  return wrong(fields);
}

function wrong(fields: Record<string, string>): { kind: "wrong"; fields: Record<string, string> } {
  return { kind: "wrong", fields };
}
