import type { Queryable } from "../../../db/pool.ts";
import { deliveryTimesMs } from "../delivery-limits.ts";
import { smallestIdOf } from "../states.ts";
import { selectOldestLateStart } from "./early-report-store.ts";

/**
 * The smallest message id that a report of today may be about. Usually that is an id of `reportAge` ago; but a message that
 * was scheduled and moved to later, or waited while its customer was blocked, was handed over long after its id was made.
 */
export class ReportHorizon {
  #lateId: string | undefined;

  /** A report that comes before the first look is tried again for some minutes. */
  async refresh(db: Queryable): Promise<void> {
    this.#lateId = await selectOldestLateStart(db, new Date(Date.now() - deliveryTimesMs.reportAge));
  }

  get oldestMessageId(): string {
    const usual = smallestIdOf(Date.now() - deliveryTimesMs.reportAge);
    return this.#lateId !== undefined && this.#lateId < usual ? this.#lateId : usual;
  }
}
