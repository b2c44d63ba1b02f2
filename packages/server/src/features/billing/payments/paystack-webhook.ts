import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { findCardProvider } from "./card-provider.ts";
import { applyChargebackEvent } from "./chargebacks/apply-chargeback.ts";
import { readChargebackEvent } from "./chargebacks/read-chargeback-event.ts";
import { findPaymentByReference } from "./payment-store.ts";
import { chargeEventSchema, eventSchema, readReceiver } from "./paystack/paystack-answers.ts";
import { SETTLE_TRANSFER } from "../virtual-account/settle-transfer.ts";
import { findAccountOwner } from "../virtual-account/virtual-account-store.ts";
import { SETTLE_PAYMENT } from "./settle-payment.ts";

/**
 * Accepts an event of the provider. The provider waits for the answer, so no call is made here: a job asks the provider whether
 * the event is true before anything is credited. Events that do not concern us are accepted too, or the provider would repeat
 * them for days.
 *
 * @param body the bytes as they came: the signature is over these.
 * @throws AppError `SIGNATURE_WRONG`; then nothing was read.
 */
export async function takeProviderEvent(deps: Deps, body: Buffer, signature: unknown): Promise<void> {
  const provider = await findCardProvider(deps);
  if (provider === undefined || !provider.isSigned(body, signature)) throw new AppError("SIGNATURE_WRONG");
  const event = eventSchema.safeParse(parseJson(body));
  if (!event.success) return deps.log.warn("an event of the card provider cannot be read");
  const { event: name, data } = event.data;
  if (name === "charge.success") return await enqueueSettling(deps, data, provider.isSandbox);
  const chargeback = readChargebackEvent(name, data);
  if (chargeback !== undefined) return await applyChargebackEvent(deps, chargeback, provider.mode);
  deps.log.info({ event: name.slice(0, 60) }, "an event of the card provider says nothing to us");
}

async function enqueueSettling(deps: Deps, data: unknown, isSandbox: boolean): Promise<void> {
  const charge = chargeEventSchema.safeParse(data);
  if (!charge.success) return;
  const { reference } = charge.data;
  const receiver = readReceiver(charge.data);
  if (receiver !== undefined) {
    const userId = await findAccountOwner(deps.db, { accountNumber: receiver, isSandbox });
    if (userId !== undefined) await deps.jobs.enqueue(deps.db, SETTLE_TRANSFER, { userId, reference });
    return;
  }
  // The provider's account may serve other shops as well.
  const payment = await findPaymentByReference(deps.db, reference);
  if (payment !== undefined) await deps.jobs.enqueue(deps.db, SETTLE_PAYMENT, { reference: payment.reference });
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
