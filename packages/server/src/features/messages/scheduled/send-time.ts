import { SCHEDULE_AHEAD_DAYS_MAX } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { fieldError } from "../../../base/errors.ts";

const DAY_MS = 24 * 3_600_000;

/** When a scheduled message is sent, and the zone in which its customer thinks of that moment. */
export type SendTime = { sendAt: Date; timeZone: string };

/**
 * Any moment from now on, to the second: a message that is due when it is stored goes out at once.
 *
 * @throws AppError `VALIDATION`.
 */
export function checkSendAt(deps: Pick<Deps, "clock">, sendAt: Date): void {
  const aheadMs = sendAt.getTime() - deps.clock.now().getTime();
  if (aheadMs <= 0) throw fieldError("sendAt", "must be in the future");
  if (aheadMs > SCHEDULE_AHEAD_DAYS_MAX * DAY_MS)
    throw fieldError("sendAt", `is more than ${SCHEDULE_AHEAD_DAYS_MAX} days ahead`);
}
