import { programSendBody, type MessageClass, type ProgramKeyMode, type Rates } from "@ewebal/contract";
import { checkBody, wrongBody, type ReadResult } from "../../../http/bounds/read-body.ts";
import { choicesOf, findCode, readNumbers, type SendRequest } from "./read-send.ts";

/** Nothing is told from it: such a send has no key. */
const NO_FINGERPRINT = new Uint8Array();

/**
 * A send to one number, from a way in that has no bodies and repeats nothing (SMPP).
 *
 * @param fields without a code it is the one that the number begins with.
 * @param mode with `test` the numbers of test mode are taken, too.
 */
export function readSendToOne(
  fields: { senderName: string; message: string; phoneNo: string; code?: string; class?: MessageClass },
  rates: Rates,
  mode: ProgramKeyMode,
): ReadResult<SendRequest> {
  const checked = checkBody(programSendBody, fields);
  if (checked.kind === "wrong") return checked;
  const { senderName, message, phoneNo = "" } = checked.value;
  const code = checked.value.code ?? findCode(phoneNo, rates);
  if (code === undefined) return wrongBody({ phoneNo: "does not begin with a country's code" });
  const read = readNumbers({ senderName, message, phoneNo, code, knownKeys: [], mode }, NO_FINGERPRINT, rates);
  if (read.kind === "read" && read.value.recipients.receivedCount !== 1)
    return wrongBody({ phoneNo: "is not one number" });
  return read.kind === "wrong" ? read : { kind: "read", value: { ...read.value, ...choicesOf(checked.value) } };
}
