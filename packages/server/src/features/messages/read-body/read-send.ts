/**
 * From the bytes of a body to a send whose shape is right. Pure, because a worker thread runs it for large bodies: this file is
 * what the thread loads. What is allowed (names, countries, units) is decided later, by the send itself.
 */
import {
  DEFAULT_RATES,
  DEFAULT_TIME_ZONE,
  draftBody,
  editScheduledBody,
  limits,
  programSendBody,
  readRecipients,
  wrongNumberWords,
  type Rates,
  scheduleBody,
  scheduleDraftBody,
  sendBody,
  type DraftRequestBody,
  type EditScheduledBody,
  type RecipientsRead,
  type SendBody,
  type SendRequestBody,
} from "@ewebal/contract";
import type { z } from "zod";
import { AppError } from "../../../base/errors.ts";
import { fingerprintOf } from "../../../db/idempotency.ts";
import { checkBody, readJson, type ReadResult, wrongBody } from "../../../http/bounds/read-body.ts";
import { serveBodyTasks } from "../../../http/bounds/serve-body-tasks.ts";

export type SendRequest = Omit<SendBody, "phoneNo"> & {
  /** May hold numbers of other countries, and some never sent to, among the wrong ones; all others were refused. */
  recipients: RecipientsRead;
  /** How many of the numbers follow each other without a gap. */
  longestRun: number;
  /** Of the fields as they came. */
  fingerprint: Uint8Array;
};

/** A send to a catalog, whose numbers are not known here. */
export type CatalogSend = Pick<SendRequest, "senderName" | "message" | "code" | "fingerprint"> & { catalogId: string };

export type SendInput = SendRequest | CatalogSend;
export type TimedInput = SendInput & { time: { sendAt: string; timeZone: string } };

/** These are written as numbers are written; whether they may be sent to is decided later in the order of checks. */
const JUDGED_LATER: ReadonlySet<string> = new Set(["wrong-code", "never-sent"]);

/** JSON of the fields of a send at once. */
export function readSendJson(bytes: Uint8Array, rates: Rates = DEFAULT_RATES): ReadResult<SendInput> {
  const body = readBody(sendBody, bytes, []);
  return body.kind === "wrong" ? body : readSource(body.value, fingerprintOf(body.value), rates);
}

/** JSON of a program's send: now, or at the time that the body names. */
export function readProgramJson(bytes: Uint8Array, rates: Rates = DEFAULT_RATES): ReadResult<SendInput | TimedInput> {
  const body = readBody(programSendBody, bytes);
  if (body.kind === "wrong") return body;
  const { sendAt, timeZone = DEFAULT_TIME_ZONE } = body.value;
  const read = readSource(body.value, fingerprintOf(body.value), rates);
  return read.kind === "wrong" || sendAt === undefined
    ? read
    : { kind: "read", value: { ...read.value, time: { sendAt, timeZone } } };
}

/** JSON of the schedule form: a send and its time. */
export function readScheduleJson(bytes: Uint8Array, rates: Rates = DEFAULT_RATES): ReadResult<TimedInput> {
  return readTimed(scheduleBody, bytes, rates);
}

/** The same of a draft's form. */
export function readScheduleDraftJson(bytes: Uint8Array, rates: Rates = DEFAULT_RATES): ReadResult<TimedInput> {
  return readTimed(scheduleDraftBody, bytes, rates);
}

function readTimed(
  schema: typeof scheduleBody | typeof scheduleDraftBody,
  bytes: Uint8Array,
  rates: Rates,
): ReadResult<TimedInput> {
  const body = readBody(schema, bytes, ["sendAt", "timeZone"]);
  if (body.kind === "wrong") return body;
  const { sendAt, timeZone } = body.value;
  const read = readSource(body.value, fingerprintOf(body.value), rates);
  return read.kind === "wrong" ? read : { kind: "read", value: { ...read.value, time: { sendAt, timeZone } } };
}

/** The four fields of a send to numbers: those of a draft, a catalog, a message that is sent again. */
export function readSendFields(fields: unknown, rates: Rates = DEFAULT_RATES): ReadResult<SendRequest> {
  const checked = checkBody(sendBody, fields);
  if (checked.kind === "wrong") return checked;
  const { phoneNo } = checked.value;
  if (phoneNo === undefined) return wrongBody({ phoneNo: "is required" });
  return readNumbers({ ...checked.value, phoneNo }, fingerprintOf(checked.value), rates);
}

export function readEditScheduledJson(bytes: Uint8Array): ReadResult<EditScheduledBody> {
  return readBody(editScheduledBody, bytes, ["sendAt", "timeZone"]);
}

export function readDraftJson(bytes: Uint8Array): ReadResult<DraftRequestBody> {
  return readBody(draftBody, bytes);
}

function readSource(body: SendRequestBody, fingerprint: Uint8Array, rates: Rates): ReadResult<SendInput> {
  const { phoneNo, catalogId } = body;
  if (phoneNo !== undefined) return readNumbers({ ...body, phoneNo }, fingerprint, rates);
  if (catalogId === undefined) return wrongBody({ phoneNo: "is required" });
  const fault = findSenderNameFault(body.senderName);
  return (
    fault ?? {
      kind: "read",
      value: { senderName: body.senderName, message: body.message, code: body.code, catalogId, fingerprint },
    }
  );
}

function readNumbers(
  { senderName, message, phoneNo, code }: SendBody,
  fingerprint: Uint8Array,
  rates: Rates,
): ReadResult<SendRequest> {
  const fault = findSenderNameFault(senderName);
  if (fault !== undefined) return fault;
  const recipients = readRecipients(phoneNo, code, rates);
  if (recipients.receivedCount === 0) return wrongBody({ phoneNo: "has no number" });
  if (recipients.receivedCount > limits.recipientsMax) {
    return wrongBody({ phoneNo: `has more than ${limits.recipientsMax.toLocaleString("en")} numbers` });
  }
  if (recipients.wrong.some(({ reason }) => !JUDGED_LATER.has(reason)))
    return wrongBody({ phoneNo: describeWrongNumbers(recipients) });
  const longestRun = longestConsecutiveRun(recipients.valid);
  return { kind: "read", value: { senderName, message, code, recipients, longestRun, fingerprint } };
}

/** The pages let people type longer sender names; a longer one is refused and never cut. */
function findSenderNameFault(senderName: string): { kind: "wrong"; fields: Record<string, string> } | undefined {
  if (senderName.length <= limits.senderNameCharactersMax) return undefined;
  return wrongBody({ senderName: `has more than ${limits.senderNameCharactersMax} characters` });
}

/** @param timeFields which fields about a time the call takes, when it spends: others of them are refused, all else unknown is ignored. */
function readBody<Schema extends z.ZodType>(
  schema: Schema,
  bytes: Uint8Array,
  timeFields?: readonly string[],
): ReadResult<z.infer<Schema>> {
  const json = readJson(bytes);
  if (json.kind === "wrong") return json;
  const refused = timeFields === undefined ? {} : findTimeFields(json.value, timeFields);
  const checked = checkBody(schema, json.value);
  if (Object.keys(refused).length === 0) return checked;
  return wrongBody({ ...(checked.kind === "wrong" && checked.fields), ...refused });
}

/** How programs name a time, in the words of this and other services; compared without case, spaces and underscores. */
const TIME_FIELDS: ReadonlySet<string> = new Set(
  [
    "sendAt",
    "sendTime",
    "sendDate",
    "sendOn",
    "timeZone",
    "schedule",
    "scheduleAt",
    "scheduled",
    "scheduledAt",
    "scheduleTime",
    "scheduledTime",
    "scheduleDate",
    "scheduledFor",
    "deliverAt",
    "deliveryTime",
    "startAt",
    "delay",
    "delaySeconds",
    "repeat",
  ].map((name) => name.toLowerCase()),
);

/**
 * Most calls ignore fields that they do not know. A call that spends units refuses fields about a time: who sends one means
 * later, and would pay for now.
 *
 * @returns what is wrong with each such field that is not among `taken`.
 */
function findTimeFields(value: unknown, taken: readonly string[] = []): Record<string, string> {
  if (typeof value !== "object" || value === null) return {};
  const refused = Object.keys(value).filter(
    (name) => !taken.includes(name) && TIME_FIELDS.has(name.toLowerCase().replaceAll(/[_ -]/g, "")),
  );
  return Object.fromEntries(refused.map((name) => [name, "is not a field of this call; schedule-sms sends later"]));
}

/** @throws AppError `VALIDATION` for a field about a time. */
export function refuseTimes(value: unknown): void {
  const fields = findTimeFields(value);
  if (Object.keys(fields).length > 0) throw new AppError("VALIDATION", { fields });
}

/** Enough to find them in the list; the pages show all of them before anything is sent. */
const NAMED_MAX = 5;

/** @returns the end of a sentence that begins with the field's name: how many numbers are wrong, and the first of them. */
export function describeWrongNumbers({
  wrong,
  wrongCount,
  receivedCount,
}: Pick<RecipientsRead, "wrong" | "wrongCount" | "receivedCount">): string {
  const named = wrong
    .slice(0, NAMED_MAX)
    .map(({ index, value, reason }) => `number ${index + 1} "${value}" ${wrongNumberWords[reason]}`);
  const rest = wrongCount > named.length ? `; and ${(wrongCount - named.length).toLocaleString("en")} more` : "";
  return `has ${wrongCount.toLocaleString("en")} wrong of ${receivedCount.toLocaleString("en")}: ${named.join("; ")}${rest}`;
}

/** @returns the length of the longest run of numbers without a gap; 1,000,000 numbers take 0.1 s. */
function longestConsecutiveRun(numbers: Float64Array): number {
  const sorted = numbers.toSorted();
  let longest = 0;
  let run = 0;
  for (let index = 0; index < sorted.length; index += 1) {
    run = index > 0 && sorted[index] === (sorted[index - 1] ?? 0) + 1 ? run + 1 : 1;
    if (run > longest) longest = run;
  }
  return longest;
}

/** What the body of a call can be read as. */
export const bodyTasks = {
  "send-json": readSendJson,
  "program-json": readProgramJson,
  "schedule-json": readScheduleJson,
  "schedule-draft-json": readScheduleDraftJson,
  "edit-scheduled-json": readEditScheduledJson,
  "send-fields": readSendFields,
  "draft-json": readDraftJson,
};

export const bodyTasksUrl = new URL(import.meta.url);
serveBodyTasks(bodyTasksUrl, bodyTasks);
