/**
 * Why a recipient's message failed: a short code in the row, and what it means.
 *
 * `status:<number>` is the command status of a carrier over SMPP, `http:<status>:<carrier's own word>` the answer of one over HTTP, and
 * `report:<state>:<carrier's own code>` a delivery report. The other codes are ours. The words are in the contract (`outcomeReasons`).
 */
import { outcomeReasons, type ListedState, type OutcomeReason } from "@ewebal/contract";
import { commandStatus, commandStatusName } from "@ewebal/smpp";

const ownReasons = new Map<string, OutcomeReason>([
  ["dnd-listed", "dndListed"],
  ["opted-out", "optedOut"],
  ["expired", "expired"],
  ["validity-over", "validityOver"],
  ["no-route", "noRoute"],
  ["not-encodable", "notEncodable"],
  ["answer-lost", "answerLost"],
  ["not-kept", "notKept"],
  ["unreadable", "unreadable"],
]);

const statusReasons = new Map<number, OutcomeReason>([
  [commandStatus.ESME_RINVDSTADR, "unknownNumber"],
  [commandStatus.ESME_RINVSRCADR, "senderRefused"],
  [commandStatus.ESME_RINVDSTTON, "unknownNumber"],
  [commandStatus.ESME_RINVDSTNPI, "unknownNumber"],
  [commandStatus.ESME_RSUBMITFAIL, "carrierFailed"],
]);

const reportReasons = new Map<string, OutcomeReason>([
  ["expired", "outOfReach"],
  ["deleted", "deleted"],
  ["undeliverable", "undeliverable"],
  ["rejected", "rejected"],
  ["skipped", "skipped"],
]);

/**
 * The network errors of GSM MAP (3GPP TS 29.002, 17.6.6), which carriers pass on behind `err:` of an undeliverable message. Those that
 * may mean another thing elsewhere are left out: the advice for them would be wrong.
 */
const networkErrors = new Map<number, OutcomeReason>([
  [1, "notInService"],
  [5, "notInService"],
  [6, "outOfReach"],
  [9, "notInService"],
  [13, "barred"],
  [27, "outOfReach"],
  [31, "outOfReach"],
  [32, "phoneFull"],
]);

type ReadReason = {
  kind: OutcomeReason;
  /** What the carrier answered or reported, in its own terms; empty for a reason of ours. */
  carrierCode: string;
};

/** @returns what a row's code means; undefined for null. */
export function readReason(code: string | null, state: ListedState): ReadReason | undefined {
  if (code === null) return undefined;
  const own = ownReasons.get(code);
  if (own !== undefined) return { kind: own, carrierCode: "" };
  const [source, detail = "", ...rest] = code.split(":");
  if (source === "status") {
    const status = Number(detail);
    return { kind: statusReasons.get(status) ?? "carrierRefused", carrierCode: commandStatusName(status) };
  }
  if (source === "http") return { kind: "carrierRefused", carrierCode: ["HTTP", detail, ...rest].join(" ") };
  if (source !== "report") return { kind: "notDelivered", carrierCode: "" };
  const carriersOwn = rest.join(":");
  return {
    kind: state === "dnd" ? "dndReported" : reportedKind(detail, carriersOwn),
    carrierCode: carriersOwn === "" ? detail : `${detail} ${carriersOwn}`,
  };
}

function reportedKind(reported: string, carriersOwn: string): OutcomeReason {
  const isNetworkError = reported === "undeliverable" && /^[0-9]{1,3}$/.test(carriersOwn);
  const known = isNetworkError ? networkErrors.get(Number(carriersOwn)) : undefined;
  return known ?? reportReasons.get(reported) ?? "notDelivered";
}

/** What a recipient's page, file and answer say; all empty while nothing went wrong. */
export type ReasonTexts = { reason: string; advice: string; carrierCode: string };

export function reasonTexts(code: string | null, state: ListedState): ReasonTexts {
  const read = readReason(code, state);
  if (read === undefined) return { reason: "", advice: "", carrierCode: "" };
  return { ...outcomeReasons[read.kind], carrierCode: read.carrierCode };
}
