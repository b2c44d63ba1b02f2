import type { CarrierTestAnswer, HttpLink, TestHttpCarrierBody } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { isPublicAddress } from "../../../../http/outbound/public-address.ts";
import { lookupCarrier } from "../kept/check-host.ts";
import { HttpClient } from "./http-client.ts";
import { buildRequest, shutInWords } from "./http-carrier.ts";
import { judgeAnswer, type Verdict } from "./judge-answer.ts";

const TEST_TIMEOUT_MS_MAX = 15_000;
const ANSWER_CHARACTERS_MAX = 500;

/**
 * Sends one message through a carrier over HTTP, as a worker would, and says what its answer means. The answer itself is shown only when it came from
 * the public internet: within our own network it would read what other programs say to whoever asks.
 */
export async function testHttpCarrier(link: HttpLink, message: TestHttpCarrierBody): Promise<CarrierTestAnswer> {
  const startedAtMs = performance.now();
  const { to, from, text } = message;
  const id = `${uuidv7()}-0`;
  const timeoutMs = Math.min(link.timeoutMs, TEST_TIMEOUT_MS_MAX);
  const client = new HttpClient({ connectionsMax: 1, timeoutMs, lookup: lookupCarrier });
  const outcome = await client.send(buildRequest(link, { to, from, text, id }));
  client.close();
  const durationMs = Math.round(performance.now() - startedAtMs);
  if (outcome.kind === "notWritten")
    return { isBound: false, text: `${outcome.reason}. Nothing was sent.`, durationMs };
  if (outcome.kind === "lost")
    return { isBound: false, text: `${outcome.reason}. The carrier may have the message.`, durationMs };
  const verdict = judgeAnswer(link, outcome, id);
  const isShown = outcome.address !== undefined && isPublicAddress(outcome.address);
  const answer = outcome.text.slice(0, ANSWER_CHARACTERS_MAX).replaceAll("\0", "\uFFFD").toWellFormed();
  return {
    isBound: verdict.kind === "accepted",
    text: inWords(verdict, outcome.status),
    durationMs,
    ...(isShown && answer !== "" && { answer }),
  };
}

function inWords(verdict: Verdict, status: number): string {
  switch (verdict.kind) {
    case "accepted":
      return verdict.key === ""
        ? `The carrier accepted the message (${status}), and named no id: its reports cannot be told apart.`
        : `The carrier accepted the message (${status}). Its id there is ${verdict.key.slice(0, 80)}.`;
    case "refused":
      return `The carrier refused the message (${verdict.reason}).`;
    case "throttled":
      return `The carrier asks for fewer messages (${verdict.reason}).`;
    case "retry":
      return `The carrier does not take the message now (${verdict.reason}).`;
    case "shut":
      return `${shutInWords(status)}. Nothing was sent.`;
    case "unknown":
      return `The answer does not say whether the carrier has the message (${verdict.reason}).`;
    default:
      return verdict satisfies never;
  }
}
