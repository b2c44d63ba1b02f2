import assert from "node:assert/strict";
import { encodeGsm7Unpacked, encodeUtf16Be, isGsmText } from "@ewebal/gsm";
import {
  buildReceipt,
  dataCoding,
  messageStateFromNumber,
  numberingPlan,
  sourceAddress,
  typeOfNumber,
  type Deliver,
} from "@ewebal/smpp";
import { writeSubmitId } from "../submits/submit-queue.ts";
import type { LeasedDelivery } from "./delivery-store.ts";

/** A receipt, or a message from a phone: in GSM 03.38 where that has its characters, in message_payload when it is long. */
export function buildDeliver(delivery: LeasedDelivery): Deliver {
  const { body, fromAddress, toAddress } = delivery;
  if (body === null) return receiptOf(delivery);
  const isGsm = isGsmText(body);
  return {
    source: { ton: typeOfNumber.international, npi: numberingPlan.isdn, address: fromAddress ?? "" },
    destination: sourceAddress(toAddress ?? ""),
    esmClass: 0,
    dataCoding: isGsm ? dataCoding.carrierDefault : dataCoding.ucs2,
    body: isGsm ? encodeGsm7Unpacked(body) : encodeUtf16Be(body),
  };
}

function receiptOf(delivery: LeasedDelivery): Deliver {
  const { submitId, submittedAt } = delivery;
  const state = messageStateFromNumber(delivery.state ?? -1);
  assert(submitId !== null && submittedAt !== null && state !== undefined, "a receipt names its submit");
  return buildReceipt({
    messageId: writeSubmitId(submitId),
    state,
    source: { ton: delivery.sourceTon ?? 0, npi: delivery.sourceNpi ?? 0, address: delivery.source ?? "" },
    destination: {
      ton: delivery.destinationTon ?? 0,
      npi: delivery.destinationNpi ?? 0,
      address: delivery.destination ?? "",
    },
    submittedAt,
    doneAt: delivery.happenedAt,
    errorCode: errorDigits(delivery.errorCode),
    text: delivery.textStart ?? "",
  });
}

/** `err:` has three digits: those of the carrier's own code or command status where there are some, else 000. */
function errorDigits(code: string | null): string {
  const digits = /([0-9]{1,3})$/.exec(code ?? "")?.[1] ?? "0";
  return digits.padStart(3, "0");
}
