/** What a carrier over HTTP reports, read by the mapping of its `report`. */
import { readCarrierJson, readText, readValue, type HttpReportMapping } from "@ewebal/contract";
import type { ReportState } from "../carrier.ts";

export type HttpReport = {
  key: string;
  state: ReportState;
  /** As in `CarrierReport`. */
  errorCode: string;
  phoneNo: number | undefined;
  senderName: string;
};

/** Of one call. Providers bring 100 and less. */
export const REPORTS_PER_CALL_MAX = 1_000;
const KEY_CHARACTERS_MAX = 255;
const DETAIL_CHARACTERS_MAX = 40;

/** A message from a phone. */
export type HttpInbound = { from: string; to: string; body: string };

/**
 * @returns undefined for a body that holds neither reports nor messages from phones as the mapping describes them: one element without id or state is
 *   as bad as all.
 */
export function readHttpReports(
  mapping: HttpReportMapping,
  body: { text: string; isForm: boolean },
): { reports: HttpReport[]; inbound: HttpInbound[] } | undefined {
  const value = body.isForm ? Object.fromEntries(new URLSearchParams(body.text)) : readCarrierJson(body.text);
  const items: unknown = mapping.list === undefined ? [value] : readValue(value, mapping.list);
  if (!Array.isArray(items) || items.length === 0 || items.length > REPORTS_PER_CALL_MAX) return undefined;
  const read = items.map((item) => ({ inbound: readInbound(mapping, item), report: readOne(mapping, item) }));
  const inbound = read.flatMap((each) => each.inbound ?? []);
  const reports = read.filter((each) => each.inbound === undefined).map(({ report }) => report);
  return reports.every((report) => report !== undefined) ? { reports, inbound } : undefined;
}

const ADDRESS_CHARACTERS_MAX = 20;
const BODY_CHARACTERS_MAX = 5_000;

function readInbound({ inbound }: HttpReportMapping, item: unknown): HttpInbound | undefined {
  if (inbound === undefined) return undefined;
  const { when } = inbound;
  if (when !== undefined && readText(item, when.path)?.toLowerCase() !== when.equals.toLowerCase()) return undefined;
  const [from, to, body] = [readText(item, inbound.from), readText(item, inbound.to), readText(item, inbound.text)];
  if (from === undefined || to === undefined || body === undefined) return undefined;
  if (from.length > ADDRESS_CHARACTERS_MAX || to.length > ADDRESS_CHARACTERS_MAX) return undefined;
  return { from: from.replace(/^\+/, ""), to: to.replace(/^\+/, ""), body: body.slice(0, BODY_CHARACTERS_MAX) };
}

function readOne(mapping: HttpReportMapping, item: unknown): HttpReport | undefined {
  const key = readText(item, mapping.id);
  const words = mapping.states.flatMap((path) => readText(item, path) ?? []);
  if (key === undefined || key.length > KEY_CHARACTERS_MAX || words.length === 0) return undefined;
  const known = words.find((word) => mapping.meanings.has(word.toLowerCase()));
  const meaning = known === undefined ? "sent" : (mapping.meanings.get(known.toLowerCase()) ?? "sent");
  const to = mapping.to === undefined ? undefined : readText(item, mapping.to);
  const detail = mapping.error === undefined ? undefined : readText(item, mapping.error);
  return {
    key,
    // What the mapping does not name says that the carrier has the message, and nothing final.
    state: meaning === "sent" ? "waiting" : meaning,
    errorCode: meaning === "failed" || meaning === "dnd" ? errorCodeOf(known ?? "", detail) : "",
    phoneNo: readPhoneNo(to),
    senderName: (mapping.from === undefined ? undefined : readText(item, mapping.from))?.slice(0, 18) ?? "",
  };
}

const REPORT_WORDS = new Set(["expired", "deleted", "rejected"]);

/** Digits alone would be read as an error of the network (`reasons.ts`), which another provider's numbers are not. */
function errorCodeOf(word: string, detail: string | undefined): string {
  const state = REPORT_WORDS.has(word.toLowerCase()) ? word.toLowerCase() : "undeliverable";
  const own = (detail ?? word).replaceAll(/[:\0]/g, " ").trim().slice(0, DETAIL_CHARACTERS_MAX);
  if (own === "" || own.toLowerCase() === state) return `report:${state}`;
  return `report:${state}:${/^[0-9]+$/.test(own) ? `code ${own}` : own}`;
}

function readPhoneNo(text: string | undefined): number | undefined {
  const digits = (text ?? "").replace(/^\+/, "").replace(/^0(?=[0-9]{10}$)/, "234");
  return /^[0-9]{1,15}$/.test(digits) ? Number(digits) : undefined;
}
