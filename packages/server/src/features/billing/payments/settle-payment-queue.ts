import type { JobQueue } from "../../../jobs/job-queue.ts";
import { findPaymentByReference } from "./payment-store.ts";
import { settlePayment } from "./settle-payment.ts";

export const SETTLE_PAYMENT = "settle-payment";

/** After the provider's event: asks the provider itself, because an event alone credits nothing. */
export const settlePaymentQueue: JobQueue = {
  name: SETTLE_PAYMENT,
  retriesMax: 8,
  retryDelaySeconds: 5,
  retryDelaySecondsMax: 600,
  runSecondsMax: 60,
  concurrency: 4,
  handle: async (deps, { reference = "" }) => {
    const payment = await findPaymentByReference(deps.db, reference);
    if (payment !== undefined) await settlePayment(deps, payment);
  },
};
