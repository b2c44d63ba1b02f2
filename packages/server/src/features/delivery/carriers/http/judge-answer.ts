/**
 * What an HTTP carrier's answer means for the message. A `success` that was found where its path leads decides first: a customer's text that the answer
 * repeats must not be read as an error, and the message be sent again. Then `errors`, then a `success` by status alone, then the status by what HTTP
 * says of it (RFC 9110, RFC 6585):
 *
 * | answer | meaning |
 * |---|---|
 * | 2xx that `success` describes | accepted |
 * | 2xx that it does not describe | refused; unknown where the answer cannot be read |
 * | 400, 406 and other 4xx | refused |
 * | 401, 403, 404, 405, 407, 3xx | nobody's message: the carrier takes none of our requests. All wait, and the link counts as down |
 * | 402, 408, 425, 503 | not taken now; tried again |
 * | 429 | too fast; tried again, slower |
 * | 500, 502, 504 and other 5xx | unknown: a gateway answers so also for a message that went through behind it |
 */
import { readCarrierJson, readText, readValue, type HttpLink } from "@ewebal/contract";
import type { HttpOutcome } from "./http-client.ts";

type Answered = Extract<HttpOutcome, { kind: "answered" }>;
type Condition = HttpLink["success"];

export type Verdict =
  /** `key` empty when the carrier names none. */
  | { kind: "accepted"; key: string }
  | { kind: "refused"; reason: string }
  | { kind: "throttled"; reason: string }
  | { kind: "retry"; reason: string }
  /** The carrier turns all of our requests away. */
  | { kind: "shut"; reason: string }
  | { kind: "unknown"; reason: string };

/** Ids are looked up by an index, whose entries must not be longer than a third of a page; a carrier's has some dozen characters. */
const KEY_CHARACTERS_MAX = 255;
const DETAIL_CHARACTERS_MAX = 40;
const SHUT = new Set([401, 403, 404, 405, 407]);
const AGAIN = new Set([402, 408, 425, 503]);

/** @param ownId what `{{id}}` stood for: the key where the carrier gives none of its own. */
export function judgeAnswer(link: HttpLink, answer: Answered, ownId: string): Verdict {
  const { status, text, isWhole } = answer;
  const json = isWhole ? readCarrierJson(text) : undefined;
  const detail = link.success.path === undefined ? undefined : readText(json, link.success.path);
  const reason = `http:${status}${detail === undefined ? "" : `:${detail.slice(0, DETAIL_CHARACTERS_MAX)}`}`;
  const isSuccess = meets(link.success, status, json) && (link.success.statuses !== undefined || isTwoHundred(status));
  const isCertain = isSuccess && link.success.path !== undefined;
  const error = isCertain ? undefined : link.errors.find(({ match }) => matchesError(match, status, text, json));
  if (error !== undefined) return { kind: error.meaning, reason };
  if (isSuccess) {
    if (link.idPath === undefined) return { kind: "accepted", key: ownId };
    if (json === undefined) return { kind: "unknown", reason };
    const key = readText(json, link.idPath) ?? "";
    return { kind: "accepted", key: key.length > KEY_CHARACTERS_MAX ? "" : key };
  }
  if (isTwoHundred(status)) {
    const isReadable = link.success.path === undefined || json !== undefined;
    return isReadable ? { kind: "refused", reason } : { kind: "unknown", reason };
  }
  if (status === 429) return { kind: "throttled", reason };
  if (AGAIN.has(status)) return { kind: "retry", reason };
  if (SHUT.has(status) || status < 400) return { kind: "shut", reason };
  return status < 500 ? { kind: "refused", reason } : { kind: "unknown", reason };
}

function isTwoHundred(status: number): boolean {
  return status >= 200 && status < 300;
}

function meets({ statuses, path, equals }: Condition, status: number, json: unknown): boolean {
  if (statuses !== undefined && !statuses.includes(status)) return false;
  if (path === undefined) return true;
  if (equals === undefined) return readValue(json, path) !== undefined && readValue(json, path) !== null;
  const found = readText(json, path);
  return found !== undefined && equals.includes(found);
}

function matchesError(
  match: HttpLink["errors"][number]["match"],
  status: number,
  text: string,
  json: unknown,
): boolean {
  if (match.kind !== undefined && Math.floor(status / 100) !== match.kind) return false;
  if (match.contains !== undefined && !text.toLowerCase().includes(match.contains)) return false;
  return meets(match, status, json);
}

/** The longest that a carrier may ask us to wait by `Retry-After`. */
const RETRY_AFTER_MS_MAX = 60_000;

/** @returns what `Retry-After` asks for, in milliseconds; undefined without it, and for a date, whose clock may be another. */
export function readRetryAfterMs(retryAfter: string | undefined): number | undefined {
  return /^[0-9]{1,6}$/.test(retryAfter ?? "") ? Math.min(Number(retryAfter) * 1_000, RETRY_AFTER_MS_MAX) : undefined;
}
