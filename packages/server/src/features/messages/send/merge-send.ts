import {
  type ContentRule,
  countPages,
  keysOfPattern,
  mergePattern,
  personalLimits,
  readPattern,
  targetsOfPattern,
  valuesAt,
  type PageRule,
} from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import type { QueueMessageInput } from "../../delivery/index.ts";
import type { BodyReader } from "../../../http/bounds/body-reader.ts";
import { findFault, isOfTooManyParts, writerOf, type LinkOptions } from "../read-body/merge-texts.ts";
import { selectContentRules } from "../rules/content-rule-store.ts";
import { isForCode } from "../rules/content-rules.ts";
import type { bodyTasks, SendRequest } from "../read-body/read-send.ts";

type MergeDeps = Pick<Deps, "config" | "db"> & { bodies: BodyReader<typeof bodyTasks> };

/** `shown` stands wherever the message is listed; the text itself is sealed. */
export type SecretText = { shown: string; seal: (messageId: string, text: string) => Buffer };

/** A request whose texts are made and counted, where they differ. */
export type PricedRequest = Omit<SendRequest, "personal"> & {
  /** Its text holds a code, which the person asked for: it is transactional without permission, and only the phone shows it. */
  secret?: SecretText;

  merged?: NonNullable<QueueMessageInput["merge"]> & {
    hasTooManyParts: boolean;
    missingCount: number;
    /** Rules that some text breaks; absent where all get one text but for its links. */
    brokenRules?: readonly ContentRule[];
    /** False where recipients have no more than references of their own. */
    haveTextsDiffered: boolean;
  };
};

/**
 * Makes each recipient's text, counts its pages, and leaves out who has no value for a field, when that was asked for.
 *
 * @throws AppError `FIELD_MISSING` with the first 100 numbers, `VALIDATION` for a text that is too long.
 */
export async function mergeTexts(deps: MergeDeps, request: SendRequest): Promise<PricedRequest> {
  const { personal, ...rest } = request;
  const { message, recipients, onMissing = "refuse", optOutLink: hasOptOutLink = false } = request;
  const numbers = recipients.valid;
  const { pageRule, publicUrl } = deps.config;
  const links = { publicUrl, hasOptOutLink };
  if (personal === undefined) return linkTexts(rest, links, pageRule);
  const byteLength = Math.max(personal.rows.bytes.byteLength, numbers.length * ROW_WORK_BYTES);
  const rules = (await selectContentRules(deps.db)).filter((rule) => isForCode(rule, request.code));
  const { places, pageCounts, missing, hasTooManyParts, linkCount, brokenRules } = await deps.bodies.read(
    "merge-texts",
    { message, personal, numbers, onMissing, pageRule, links, rules },
    byteLength,
  );
  if (missing.length > 0 && (onMissing === "refuse" || places.length === 0)) throw missingFields(numbers, missing);
  const valid = missing.length === 0 ? numbers : places.map((place) => numbers[place] ?? 0);
  const haveTextsDiffered = keysOfPattern(readPattern(message)).length > 0 || hasOwnTexts(personal);
  return {
    ...rest,
    recipients: { ...recipients, valid },
    merged: {
      ...personal,
      places,
      pageCounts,
      hasTooManyParts,
      missingCount: missing.length,
      haveTextsDiffered,
      brokenRules: brokenRules.flatMap((place) => rules[place] ?? []),
      ...(linkCount + Number(hasOptOutLink) > 0 && { links: { ...links, linkCount } }),
    },
  };
}

/** Every recipient's row is the first, which is empty. */
const NO_ROWS = { bytes: new Uint8Array(), places: new Float64Array(2) };

/**
 * One text for all but for the codes in it, so that one count holds for all.
 *
 * @throws AppError `VALIDATION` for a text that is too long with its links.
 */
export function linkTexts(request: PricedRequest, links: LinkOptions, pageRule: PageRule): PricedRequest {
  const pattern = readPattern(request.message);
  const linkCount = targetsOfPattern(pattern).length;
  if (linkCount === 0 && !links.hasOptOutLink) return request;
  const write = writerOf(links);
  const merged = mergePattern(pattern, () => undefined, write.linkOf);
  const text = (merged.kind === "text" ? merged.text : request.message) + write.ending;
  const fault = findFault(text);
  if (fault !== undefined) throw fieldError("message", `${fault}, its links counted`);
  const count = request.recipients.valid.length;
  return {
    ...request,
    merged: {
      keys: [],
      rows: NO_ROWS,
      places: new Float64Array(count),
      pageCounts: new Uint8Array(count).fill(countPages(text, pageRule)),
      hasTooManyParts: isOfTooManyParts(text),
      missingCount: 0,
      haveTextsDiffered: false,
      links: { ...links, linkCount },
    },
  };
}

/** A row is merged as fast as so many bytes of a body are read. */
const ROW_WORK_BYTES = 64;

function hasOwnTexts({ keys, rows }: NonNullable<SendRequest["personal"]>): boolean {
  for (let place = 0; place * 2 < rows.places.length; place += 1)
    if (typeof valuesAt(rows, place)[keys.length] === "string") return true;
  return false;
}

function missingFields(numbers: Float64Array, missing: Float64Array): AppError {
  const named = Array.from(missing.subarray(0, personalLimits.missingNamedMax), (place) => String(numbers[place]));
  return new AppError("FIELD_MISSING", { extra: { missing: { count: missing.length, phoneNo: named } } });
}
