import { isFinalMessageState, type MessageState } from "@ewebal/smpp";
import type { ReportState } from "../carrier.ts";

/**
 * What a receipt means for the recipient.
 *
 * @param dndErrorCodes compared without regard to case and leading zeros.
 * @returns errorCode as `report:<state>[:<carrier's code>]` for failures, else empty.
 */
export function readReportState(
  receipt: { state: MessageState; errorCode: string },
  dndErrorCodes: ReadonlySet<string>,
): { state: ReportState; errorCode: string } {
  if (receipt.state === "delivered") return { state: "delivered", errorCode: "" };
  // Carriers send it before the real one; it says that they have the message and nothing else.
  if (receipt.state === "unknown") return { state: "lost", errorCode: "" };
  if (!isFinalMessageState(receipt.state)) return { state: "waiting", errorCode: "" };
  const own = receipt.errorCode.trim();
  const errorCode = /^0*$/.test(own) ? `report:${receipt.state}` : `report:${receipt.state}:${own.slice(0, 40)}`;
  return { state: dndErrorCodes.has(normalErrorCode(own)) ? "dnd" : "failed", errorCode };
}

/** The form in which `dndErrorCodes` are listed. */
export function normalErrorCode(errorCode: string): string {
  return errorCode
    .trim()
    .toLowerCase()
    .replace(/^0+(?=.)/, "");
}
