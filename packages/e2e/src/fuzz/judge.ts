/** What is wrong with an answer. Nothing here asks anybody, so that each rule can be shown to notice when it is broken. */
import { errorTable } from "@ewebal/contract";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { FuzzedCall, Schema } from "./calls.ts";
import type { Exchange } from "./exchange.ts";
import { CANARY } from "./people.ts";
import type { FuzzRequest } from "./requests.ts";

/** A refusal with a status of 5xx that the specification names, by its code. */
export const specifiedCodes: ReadonlySet<string> = new Set(["NO_ROUTE", "NOT_SENDABLE", "CARDS_OFF"]);

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const validators = new WeakMap<object, ValidateFunction>();
const traces = /\bat [\w.<>]+ \(|node_modules\/|\.ts:\d+|select .{1,80} from |ECONNREFUSED|stack"?:/;

type Refusal = { message?: unknown; code?: unknown; fields?: unknown; requestId?: unknown };

/** @param spentMs how long it took each time that it was tried. */
export function judgeAnswer(asked: FuzzRequest, answer: Exchange, hangMsMax: number): string[] {
  const { status, body, error } = answer;
  if (status === undefined) return asked.isTruncated || error === "upgraded" ? [] : [`no answer: ${error}`];
  const wrong: string[] = [];
  if (answer.ms > hangMsMax) wrong.push(`took longer than ${(hangMsMax / 1_000).toFixed(1)} s`);
  if (status >= 500 && !isSpecified(status, body)) wrong.push(`answered ${status} ${codeOf(body)}`);
  if (mayNotSeeCanary(asked) && body.includes(CANARY)) wrong.push("shows another account's data");
  if (status >= 400 && traces.test(body)) wrong.push("shows what is inside");
  if (asked.method === "HEAD" || asked.isTruncated || body === "") return wrong;
  return [...wrong, ...judgeShape(asked, answer)];
}

/** Administrators see every customer, and kept mails stand in for every mailbox. */
function mayNotSeeCanary({ person, path }: FuzzRequest): boolean {
  return person?.kind !== "admin" && !/^\/+(?:mailbox|api\/virtual-phones)/.test(path);
}

function judgeShape({ call, method, faults }: FuzzRequest, { status = 0, type, body }: Exchange): string[] {
  // A file of lines in JSON is another type.
  if (!/^application\/json(?:;|$)/.test(type))
    return status >= 400 && call.manner === "ours" && !type.includes("html") ? [`refuses as ${type}`] : [];
  const value = readJson(body);
  if (value === undefined) return ["is not the JSON that it says it is"];
  if (status >= 400 && !isSpecified(status, body))
    return isRefusal(value) || isTwilioRefusal(value) ? [] : ["is no refusal of the one shape"];
  // Another method or address is another call, whose answer is not this one's.
  if (call.answers === undefined || method !== call.method || faults.includes("odd path")) return [];
  if (!(status in call.answers)) return status < 400 ? [`answers ${status}, which is not described`] : [];
  const schema = call.answers[status];
  return schema === undefined ? [] : judgeSchema(schema, value);
}

function judgeSchema(schema: Schema, value: unknown): string[] {
  let validate = validators.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(withoutReferences(schema));
    validators.set(schema, validate);
  }
  if (validate(value)) return [];
  const [first] = validate.errors ?? [];
  return [`is not as described: ${first?.instancePath ?? ""} ${first?.message ?? ""}`];
}

/** A refusal beside an answer of the same status is judged by its shape; what the file refers to is that shape alone. */
function withoutReferences(schema: Schema): Schema {
  const text = JSON.stringify(schema, (_key, part: unknown) =>
    typeof part === "object" && part !== null && "$ref" in part ? {} : part,
  );
  return JSON.parse(text) as Schema;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function codeOf(body: string): string {
  const { code } = (readJson(body) ?? {}) as Refusal;
  return typeof code === "string" || typeof code === "number" ? String(code) : "";
}

function isSpecified(status: number, body: string): boolean {
  const value = readJson(body) as { dnd?: unknown; code?: unknown; unitDetails?: unknown } | undefined;
  if (status === 503 && value?.dnd === true) return true;
  return status >= 500 && specifiedCodes.has(codeOf(body));
}

function isRefusal(value: unknown): boolean {
  const { message, code, fields = {}, requestId = "" } = value as Refusal;
  if (typeof message !== "string" || message === "" || typeof code !== "string" || typeof requestId !== "string")
    return false;
  return (
    code in errorTable &&
    typeof fields === "object" &&
    Object.values(fields as object).every((text) => typeof text === "string")
  );
}

function isTwilioRefusal(value: unknown): boolean {
  const { code, message, more_info, status } = value as Record<string, unknown>;
  return (
    typeof code === "number" &&
    typeof message === "string" &&
    typeof more_info === "string" &&
    typeof status === "number"
  );
}

/** Of the call, not of the request: the same fault of one call is one finding. */
export function nameFinding({ method, path }: Pick<FuzzedCall, "method" | "path">, wrong: string): string {
  return `${method} ${path} ${wrong.replaceAll(/\/\d+/g, "/n")}`;
}
