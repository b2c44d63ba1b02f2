/**
 * From the bytes of a body to a send whose shape is right. Pure, because a worker thread runs it for large bodies: this file is
 * what the thread loads. What is allowed (names, countries, units) is decided later, by the send itself.
 */
import {
  DEFAULT_RATES,
  DEFAULT_TIME_ZONE,
  type DndChoice,
  type MessageClass,
  draftBody,
  editScheduledBody,
  FieldedNumbers,
  keptSendBody,
  keysOfPattern,
  limits,
  programEditBody,
  type ProgramKeyMode,
  programSendBody,
  readPattern,
  readRecipients,
  RecipientReader,
  targetsOfPattern,
  toPlainDigits,
  wrongNumberWords,
  type Rates,
  type Repeat,
  scheduleBody,
  scheduleDraftBody,
  triedSendBody,
  type DraftRequestBody,
  type EditScheduledBody,
  type RecipientsRead,
  type SendBody,
  type SendRecipient,
  type SendRequestBody,
} from "@ewebal/contract";
import type { z } from "zod";
import { AppError } from "../../../base/errors.ts";
import { fingerprintOf } from "../../../db/idempotency.ts";
import { checkBody, readJson, type ReadResult, wrongBody } from "../../../http/bounds/read-body.ts";
import { findLinkFault } from "./merge-texts.ts";
import { readMergedTexts, type OnMissing, type PersonalValues } from "./merge-texts.ts";
import { serveBodyTasks } from "../../../http/bounds/serve-body-tasks.ts";

export type SendRequest = Omit<SendBody, "phoneNo"> & {
  /** May hold numbers of other countries, and some never sent to, among the wrong ones; all others were refused. */
  recipients: RecipientsRead;
  /** What is known of the recipients, and their own texts; absent when all get the message as it is written. */
  personal?: PersonalValues | undefined;
  onMissing?: OnMissing | undefined;
  /** Whether each text ends in a link by which its recipient opts out. */
  optOutLink?: boolean | undefined;
  /** With an offset: who is not handed over by then gets nothing. */
  validUntil?: string | undefined;
  /** What the program that sends calls the message. */
  reference?: string | undefined;
  /** How many of the numbers follow each other without a gap. */
  longestRun: number;
  /** Of the fields as they came. */
  fingerprint: Uint8Array;
  /** Answers a message from a phone: `senderName` is the number that it was sent to. */
  isReply?: boolean;
  /** Waits for no quiet hours: somebody wrote within the last day. */
  isAnswer?: boolean;
} & SendChoices;

/** What a body says of how the message is sent. */
export type SendChoices = {
  class?: MessageClass | undefined;
  dnd?: DndChoice | undefined;
  /** Says what would become of it, and changes nothing. */
  dryRun?: boolean | undefined;
};

/** A send to a catalog, whose numbers are not known here. Without a code it is the catalog's. */
export type CatalogSend = Pick<
  SendRequest,
  "senderName" | "message" | "fingerprint" | "onMissing" | "optOutLink" | "validUntil" | "reference" | keyof SendChoices
> & {
  catalogId: string;
  code: string | undefined;
};

export type SendInput = SendRequest | CatalogSend;
export type TimedInput = SendInput & { time: { sendAt: string; timeZone: string; repeat?: Repeat | undefined } };

/** These are written as numbers are written; whether they may be sent to is decided later in the order of checks. */
const JUDGED_LATER: ReadonlySet<string> = new Set(["wrong-code", "never-sent"]);

/** JSON of the fields of a send at once. */
export function readSendJson(bytes: Uint8Array, rates: Rates = DEFAULT_RATES): ReadResult<SendInput> {
  const body = readBody(triedSendBody, bytes, []);
  return body.kind === "wrong" ? body : readSource(body.value, fingerprintOfSend(body.value), rates);
}

export type ProgramInput = (SendInput | TimedInput) & { templateId?: string };

/** JSON of a program's send: now, or at the time that the body names. With a template the text is not known here. */
export function readProgramJson(
  input: { bytes: Uint8Array; template?: string | undefined; mode?: ProgramKeyMode | undefined },
  rates: Rates = DEFAULT_RATES,
): ReadResult<ProgramInput> {
  const body = readBody(programSendBody, input.bytes);
  if (body.kind === "wrong") return body;
  const { sendAt, timeZone = DEFAULT_TIME_ZONE, repeat, reference, ...fields } = body.value;
  const message = fields.message ?? input.template;
  const read = readSource({ ...fields, message, mode: input.mode }, fingerprintOfSend(body.value), rates);
  if (read.kind === "wrong") return read;
  const value = reference === undefined || reference === "" ? read.value : { ...read.value, reference };
  return { kind: "read", value: sendAt === undefined ? value : { ...value, time: { sendAt, timeZone, repeat } } };
}

/** @returns which template the text of a program's send is. */
export function readTemplateId(bytes: Uint8Array): ReadResult<{ templateId: string | undefined }> {
  const body = readBody(programSendBody, bytes);
  return body.kind === "wrong" ? body : { kind: "read", value: { templateId: body.value.templateId } };
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
  const body = readBody(schema, bytes, ["sendAt", "timeZone", "repeat"]);
  if (body.kind === "wrong") return body;
  const { sendAt, timeZone } = body.value;
  const repeat = "repeat" in body.value ? body.value.repeat : undefined;
  const read = readSource(body.value, fingerprintOfSend(body.value), rates);
  return read.kind === "wrong" ? read : { kind: "read", value: { ...read.value, time: { sendAt, timeZone, repeat } } };
}

/**
 * The fields of a send to numbers or recipients: those of a draft, a catalog, a message that is sent again.
 *
 * @param fields with `mode: "test"` the numbers of test mode are taken, too. With `knownKeys` the text may name these; what is known of the numbers is then put beside them by the caller.
 */
export function readSendFields(fields: unknown, rates: Rates = DEFAULT_RATES): ReadResult<SendRequest> {
  const { knownKeys, mode, ...given } = fields as { knownKeys?: readonly string[]; mode?: ProgramKeyMode };
  const checked = checkBody(keptSendBody, given);
  if (checked.kind === "wrong") return checked;
  const { phoneNo, recipients } = checked.value;
  const fingerprint = fingerprintOfSend(checked.value);
  if (recipients === undefined && phoneNo === undefined) return wrongBody({ phoneNo: "is required" });
  const read =
    recipients !== undefined
      ? readRecipientList({ ...checked.value, mode, recipients }, fingerprint, rates)
      : readNumbers({ ...checked.value, mode, phoneNo: phoneNo ?? "", knownKeys: knownKeys ?? [] }, fingerprint, rates);
  return read.kind === "wrong" ? read : { kind: "read", value: { ...read.value, ...choicesOf(checked.value) } };
}

/** Of the fields as they came; what a key names is told from one another to the last recipient. */
function fingerprintOfSend(body: Record<string, unknown>): Uint8Array {
  const { recipients, repeat, ...rest } = body;
  const [list, times] = [recipients, repeat].map((value) => (value === undefined ? undefined : JSON.stringify(value)));
  const flat = rest as Record<string, string | boolean | undefined>;
  return fingerprintOf({ ...flat, recipients: list, repeat: times });
}

export function readEditScheduledJson(bytes: Uint8Array): ReadResult<EditScheduledBody> {
  return readBody(editScheduledBody, bytes, ["sendAt", "timeZone", "repeat"]);
}

export function readProgramEditJson(bytes: Uint8Array): ReadResult<EditScheduledBody> {
  return readBody(programEditBody, bytes);
}

export function readDraftJson(bytes: Uint8Array): ReadResult<DraftRequestBody> {
  return readBody(draftBody, bytes);
}

type SourceBody = Omit<SendRequestBody, "code"> & { code?: string | undefined; mode?: ProgramKeyMode | undefined };

/** @returns those of the fields that say how the message is sent; those that are absent are not in it. */
export function choicesOf({ class: messageClass, dnd, dryRun }: SendChoices): SendChoices {
  return { ...(messageClass && { class: messageClass }), ...(dnd && { dnd }), ...(dryRun === true && { dryRun }) };
}

/** The source of a send with what the body says of how it is sent. */
function readSource(body: SourceBody, fingerprint: Uint8Array, rates: Rates): ReadResult<SendInput> {
  const read = readNumbersOrCatalog(body, fingerprint, rates);
  if (read.kind === "wrong") return read;
  const { validUntil } = body;
  return {
    kind: "read",
    value: { ...read.value, ...choicesOf(body), ...(validUntil !== undefined && { validUntil }) },
  };
}

function readNumbersOrCatalog(body: SourceBody, fingerprint: Uint8Array, rates: Rates): ReadResult<SendInput> {
  const { phoneNo, catalogId, recipients, code, senderName, onMissing, optOutLink, message = "" } = body;
  if (catalogId !== undefined) {
    const fault = findSenderNameFault(senderName);
    return (
      fault ?? { kind: "read", value: { senderName, message, code, catalogId, onMissing, optOutLink, fingerprint } }
    );
  }
  const first = phoneNo ?? recipients?.[0]?.to;
  if (first === undefined) return wrongBody({ phoneNo: "is required" });
  const known = code ?? findCode(first, rates);
  if (known === undefined)
    return wrongBody({ code: "is required, because the first number does not begin with a country's code" });
  const coded = { senderName, message, onMissing, optOutLink, code: known, mode: body.mode };
  if (recipients !== undefined) return readRecipientList({ ...coded, recipients }, fingerprint, rates);
  return readNumbers({ ...coded, phoneNo: first, knownKeys: [] }, fingerprint, rates);
}

/** The longest code of the rates that the first number of a text begins with. */
export function findCode(text: string, rates: Rates): string | undefined {
  const [first = ""] = toPlainDigits(text.slice(0, 200)).split(/[,;\n\t|/]/);
  const digits = first.replaceAll(/[^0-9]/g, "").replace(/^00/, "");
  for (let { length } = digits; length > 0; length -= 1) {
    const code = digits.slice(0, length);
    if (rates.has(code)) return code;
  }
  return undefined;
}

type Written = SendChoices &
  Omit<SendBody, "phoneNo" | "message"> & {
    message?: string | undefined;
    onMissing?: OnMissing | undefined;
    optOutLink?: boolean | undefined;
    mode?: ProgramKeyMode | undefined;
  };

export function readNumbers(
  {
    senderName,
    message = "",
    phoneNo,
    code,
    knownKeys,
    onMissing,
    optOutLink,
    mode,
  }: Written & { phoneNo: string; knownKeys: readonly string[] },
  fingerprint: Uint8Array,
  rates: Rates,
): ReadResult<SendRequest> {
  const fault = findSenderNameFault(senderName) ?? findTextFault(message, knownKeys);
  if (fault !== undefined) return fault;
  const recipients = readRecipients(phoneNo, code, rates, { hasTestNumbers: mode === "test" });
  if (recipients.receivedCount === 0) return wrongBody({ phoneNo: "has no number" });
  if (recipients.receivedCount > limits.recipientsMax) {
    return wrongBody({ phoneNo: `has more than ${limits.recipientsMax.toLocaleString("en")} numbers` });
  }
  if (recipients.wrong.some(({ reason }) => !JUDGED_LATER.has(reason)))
    return wrongBody({ phoneNo: describeWrongNumbers(recipients) });
  const longestRun = longestConsecutiveRun(recipients.valid);
  return {
    kind: "read",
    value: { senderName, message, code, recipients, onMissing, optOutLink, longestRun, fingerprint },
  };
}

/** Numbers with what is known of each. A number that is given twice is sent to once, with what stands first. */
function readRecipientList(
  {
    senderName,
    message = "",
    code,
    recipients: given,
    onMissing,
    optOutLink,
    mode,
  }: Written & { recipients: readonly SendRecipient[] },
  fingerprint: Uint8Array,
  rates: Rates,
): ReadResult<SendRequest> {
  const keys = [...new Set(given.flatMap(({ fields }) => Object.keys(fields ?? {})))];
  const textFault = findTextFault(message, keys) ?? findFaultOfTexts(given, keys);
  const fault = findSenderNameFault(senderName) ?? textFault;
  if (fault !== undefined) return fault;
  const fielded = new FieldedNumbers({ repeats: "first" });
  let values: (string | null)[] = [];
  const options = { hasTestNumbers: mode === "test" };
  const reader = new RecipientReader(code, rates, undefined, (number) => fielded.put(number, values), options);
  const wrongPlaces: Record<string, string> = {};
  for (const [index, { to, fields, text, reference }] of given.entries()) {
    values = [...keys.map((key) => fields?.[key] ?? null), text ?? null, reference ?? null];
    const before = reader.validCount + reader.duplicateCount + reader.wrongCount;
    const wrongBefore = reader.wrong.length;
    reader.add(to);
    const wrong = reader.wrong[wrongBefore];
    const words = wrong && !JUDGED_LATER.has(wrong.reason) ? wrongNumberWords[wrong.reason] : undefined;
    const count = reader.validCount + reader.duplicateCount + reader.wrongCount - before;
    if (words !== undefined || count !== 1) wrongPlaces[`recipients.${index}.to`] = words ?? "is not one number";
    if (Object.keys(wrongPlaces).length >= WRONG_PLACES_MAX) break;
  }
  if (Object.keys(wrongPlaces).length > 0) return wrongBody(wrongPlaces);
  const recipients = reader.finish();
  const longestRun = longestConsecutiveRun(recipients.valid);
  const isPersonal =
    keysOfPattern(readPattern(message)).length > 0 ||
    given.some(({ text, reference }) => text !== undefined || reference !== undefined);
  const personal = isPersonal ? { keys, rows: fielded.finish() } : undefined;
  return {
    kind: "read",
    value: { senderName, message, code, recipients, personal, onMissing, optOutLink, longestRun, fingerprint },
  };
}

const WRONG_PLACES_MAX = 20;

/** A field of which nothing is known, or a link that may not be shortened. */
function findTextFault(text: string, known: readonly string[], field = "message") {
  const pattern = readPattern(text);
  const unknown = keysOfPattern(pattern).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    const names = unknown.map((key) => `{{${key}}}`).join(", ");
    return wrongBody({ [field]: `names ${names}, of which nothing is known for these recipients` });
  }
  const linkFault = findLinkFault(targetsOfPattern(pattern));
  return linkFault === undefined ? undefined : wrongBody({ [field]: linkFault });
}

function findFaultOfTexts(given: readonly SendRecipient[], known: readonly string[]) {
  for (const [index, { text }] of given.entries()) {
    const fault = text === undefined ? undefined : findTextFault(text, known, `recipients.${index}.text`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** @throws AppError `VALIDATION` for a field of the text that is none of the keys, and for a link that may not be shortened. */
export function refuseUnknownKeys(message: string, keys: readonly string[]): void {
  const fault = findTextFault(message, keys);
  if (fault !== undefined) throw new AppError("VALIDATION", { fields: fault.fields });
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
  "template-id": readTemplateId,
  "merge-texts": readMergedTexts,
  "schedule-json": readScheduleJson,
  "schedule-draft-json": readScheduleDraftJson,
  "edit-scheduled-json": readEditScheduledJson,
  "program-edit-json": readProgramEditJson,
  "send-fields": readSendFields,
  "draft-json": readDraftJson,
};

export const bodyTasksUrl = new URL(import.meta.url);
serveBodyTasks(bodyTasksUrl, bodyTasks);
