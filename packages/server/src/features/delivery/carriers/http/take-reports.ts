import { createHmac, timingSafeEqual } from "node:crypto";
import type { HttpReportMapping, HttpSignature } from "@ewebal/contract";
import type { Deps } from "../../../../base/deps.ts";
import { AppError } from "../../../../base/errors.ts";
import { SharedWork } from "../../../../http/bounds/shared-work.ts";
import { getSecretsKeys } from "../../../../secrets/secrets-key.ts";
import { findCarrierId } from "../carrier-store.ts";
import { hashOfSecret, openHttpLink } from "../kept/kept-http-carriers.ts";
import { findKeptHttpByReport } from "../kept/kept-http-store.ts";
import { insertHttpReports } from "./http-report-store.ts";
import { storeInbound, type InboundItem, type TellInbox } from "../../inbound/store-inbound.ts";
import { readHttpReports, type HttpInbound, type HttpReport } from "./read-http-report.ts";

type Reporter = { carrierId: number; mapping: HttpReportMapping };
type ReportedHttp = HttpReport & { carrierId: number };
type ReportCall = {
  secret: string;
  text: string;
  isForm: boolean;
  /** As it came: a signature is over these bytes. */
  bytes: Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
};

/** How many calls' reports one statement writes, and how many calls may wait for it. */
const CALLS_PER_STATEMENT = 200;
const CALLS_WAITING_MAX = 5_000;
/** The data coding of SMPP. */
const UCS2 = 8;

/**
 * Takes what a carrier over HTTP reports, and messages from phones that it brings: resolves once they are stored. A worker records the reports
 * (`http-report-inbox.ts`); messages are in their inboxes then.
 *
 * @throws AppError `NOT_FOUND` for a secret of no carrier; `SIGNATURE_WRONG` where the carrier signs; `VALIDATION` for a body without a report; `UNAVAILABLE` when the carrier is to come again.
 */
export function createReportTaker(deps: Deps, tellInbox: TellInbox | undefined): (call: ReportCall) => Promise<void> {
  const store = new SharedWork<readonly ReportedHttp[], undefined>({
    work: async (calls) => {
      await insertHttpReports(deps.db, calls.flat());
      return calls.map(() => undefined);
    },
    itemsMax: CALLS_PER_STATEMENT,
    waitingMax: CALLS_WAITING_MAX,
  });
  const findReporter = createReporterFinder(deps);
  return async ({ secret, ...body }) => {
    const reporter = await findReporter(secret);
    if (reporter === undefined) throw new AppError("NOT_FOUND");
    const { carrierId, mapping } = reporter;
    if (mapping.signature !== undefined && !isSigned(mapping.signature, body)) throw new AppError("SIGNATURE_WRONG");
    const read = readHttpReports(mapping, body);
    if (read === undefined)
      throw new AppError("VALIDATION", { message: "The body holds no report as this carrier's mapping describes it" });
    const reports = read.reports.map((report) => ({ ...report, carrierId }));
    if (reports.length > 0) await store.ask("reports", reports);
    // At least once each, as over SMPP: a carrier whose answer was lost brings a message a second time.
    if (read.inbound.length > 0) await storeInbound(deps.db, toItems(carrierId, read.inbound), tellInbox);
  };
}

/** UCS-2 as a carrier over SMPP brings it: one way into inboxes. */
function toItems(carrierId: number, messages: readonly HttpInbound[]): InboundItem[] {
  const nothing = (): void => undefined;
  return messages.map(({ from, to, body }) => ({
    carrierId,
    text: {
      from,
      to,
      dataCoding: UCS2,
      octets: Buffer.from(body, "utf16le").swap16(),
      place: undefined,
      acknowledge: nothing,
      refuse: nothing,
    },
  }));
}

/** Compares in constant time, over the bytes as they came. */
function isSigned(
  { header, algorithm, encoding, key }: HttpSignature,
  { bytes, headers }: Pick<ReportCall, "bytes" | "headers">,
): boolean {
  const given = headers[header];
  if (typeof given !== "string") return false;
  const expected = createHmac(algorithm, key).update(bytes).digest();
  // Some name the algorithm before the signature.
  const signature = Buffer.from(given.trim().replace(/^sha(1|256|512)=/i, ""), encoding);
  return signature.byteLength === expected.byteLength && timingSafeEqual(signature, expected);
}

/** Opening a kept carrier's mapping costs a decryption; it is the same until the row changes. */
function createReporterFinder(deps: Deps): (secret: string) => Promise<Reporter | undefined> {
  const opened = new Map<string, { sealed: Buffer; mapping: HttpReportMapping | undefined }>();
  const carrierIds = new Map<string, number>();
  const idOf = async (name: string): Promise<number> => {
    const carrierId = carrierIds.get(name) ?? (await findCarrierId(deps.db, name));
    // A worker writes it before it sends the first message.
    if (carrierId === undefined) throw new AppError("UNAVAILABLE");
    carrierIds.set(name, carrierId);
    return carrierId;
  };
  return async (secret) => {
    for (const carrier of deps.config.carriers ?? [])
      if (carrier.kind === "http" && carrier.link.report?.secret === secret)
        return { carrierId: await idOf(carrier.name), mapping: carrier.link.report };
    const row = await findKeptHttpByReport(deps.db, hashOfSecret(secret));
    if (row === undefined) return undefined;
    let known = opened.get(row.keptCarrierId);
    if (known?.sealed.equals(row.sealedLink) !== true) {
      known = { sealed: row.sealedLink, mapping: openHttpLink(row, await getSecretsKeys(deps.config))?.report };
      opened.set(row.keptCarrierId, known);
    }
    // Locked: the carrier is to come again when its secrets can be read.
    if (known.mapping === undefined) throw new AppError("UNAVAILABLE");
    return { carrierId: await idOf(row.name), mapping: known.mapping };
  };
}
