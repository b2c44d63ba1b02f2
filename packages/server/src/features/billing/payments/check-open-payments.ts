import type { Deps } from "../../../base/deps.ts";
import type { JobQueue } from "../../../jobs/job-queue.ts";
import { CHECK_DELAY_MAX_MS, FIRST_CHECK_DELAY_MS, PAYMENT_OPEN_MS, PAYMENT_UNKNOWN_MS } from "./payment-states.ts";
import { findPayment, takeDuePayments, type DuePayment } from "./payment-store.ts";
import { ProviderUnclearError } from "./paystack/paystack-client.ts";
import { endPayment, settlePayment } from "./settle-payment.ts";

/** Payments that are checked at the same time. */
const GROUP_SIZE = 8;
/** Groups in one run; the next run starts a minute later. */
const GROUPS_MAX = 50;

/** Every minute: asks the provider about open payments, so that money arrives even when the browser and the event are lost. */
export const checkPaymentsQueue: JobQueue = {
  name: "check-payments",
  retriesMax: 1,
  retryDelaySeconds: 5,
  retryDelaySecondsMax: 10,
  runSecondsMax: 600,
  concurrency: 2,
  cron: "* * * * *",
  handle: checkOpenPayments,
};

/** Stops early when the provider does not answer; every payment that was taken already has its next check time. */
export async function checkOpenPayments(deps: Deps): Promise<void> {
  for (let group = 0; group < GROUPS_MAX; group += 1) {
    const due = await takeDuePayments(deps.db, {
      now: deps.clock.now(),
      limit: GROUP_SIZE,
      firstDelayMs: FIRST_CHECK_DELAY_MS,
      delayMaxMs: CHECK_DELAY_MAX_MS,
    });
    const answers = await Promise.allSettled(due.map((payment) => checkPayment(deps, payment)));
    const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
    const defect = failures.find((failure) => !(failure instanceof ProviderUnclearError));
    if (defect !== undefined) throw defect;
    if (failures.length > 0)
      return deps.log.warn({ err: failures[0], count: failures.length }, "the card provider could not be asked");
    if (due.length < GROUP_SIZE) return;
  }
}

async function checkPayment(deps: Deps, due: DuePayment): Promise<void> {
  const payment = await findPayment(deps.db, due);
  if (payment === undefined) return;
  const outcome = await settlePayment(deps, payment);
  const ageMs = deps.clock.now().getTime() - due.createdAt.getTime();
  if (outcome !== "paid" && ageMs >= (outcome === "unknown" ? PAYMENT_UNKNOWN_MS : PAYMENT_OPEN_MS))
    await endPayment(deps, payment);
}
