/** What administrators do with alarms: read them, and silence them. */
import type { ListQuery } from "@ewebal/contract";
import type { Deps } from "../../base/deps.ts";
import { AppError, fieldError } from "../../base/errors.ts";
import { assertIdCursor, readPage } from "../../db/cursor-page.ts";
import { withTransaction } from "../../db/transaction.ts";
import { alarmsChanged, publishChange } from "../../events/index.ts";
import { selectAlarms, setSilenced, type AlarmRow } from "./alarm-store.ts";

const DAY_MS = 86_400_000;
/** A longer silence would hide what should be mended. */
const SILENCE_DAYS_MAX = 365;

/** Those that opened last first. */
export async function viewAlarms(
  { db }: Pick<Deps, "db">,
  { limit, after, state }: ListQuery & { state?: "open" | "closed" | undefined },
): Promise<{ rows: AlarmRow[]; next: string | null }> {
  assertIdCursor(after);
  return await readPage(
    limit,
    async (count) => await selectAlarms(db, { limit: count, after, state }),
    ({ alarmId }) => alarmId,
  );
}

/**
 * Silences an alarm: until the given moment nobody is told of it, or of the next one of its kind and subject.
 *
 * @throws AppError `NOT_FOUND`; `VALIDATION` for a moment that is over, or further away than a year.
 */
export async function silenceAlarm(
  deps: Deps,
  { alarmId, until }: { alarmId: string; until: Date },
  act: { adminId: string; clientAddress: string },
): Promise<AlarmRow> {
  const aheadMs = until.getTime() - deps.clock.now().getTime();
  if (aheadMs <= 0) throw fieldError("until", "is over");
  if (aheadMs > SILENCE_DAYS_MAX * DAY_MS) throw fieldError("until", `is more than ${SILENCE_DAYS_MAX} days away`);
  return await withTransaction(deps.db, async (tx) => {
    const alarm = await setSilenced(tx, alarmId, until);
    if (alarm === undefined) throw new AppError("NOT_FOUND");
    await publishChange(tx, alarmsChanged());
    const { kind, subject } = alarm;
    const after = { kind, subject, until: until.toISOString() };
    await deps.recordAudit(tx, { ...act, action: "silence-alarm", subjectId: alarmId, after });
    return alarm;
  });
}
