import type { AlarmAnswer } from "@ewebal/contract";
import type { AlarmRow } from "./alarm-store.ts";

export function isSilenced({ silencedUntil }: Pick<AlarmRow, "silencedUntil">, now: Date): boolean {
  return silencedUntil !== null && silencedUntil > now;
}

/** An alarm as calls and posts tell of it. */
export function presentAlarm(alarm: AlarmRow, now: Date): AlarmAnswer {
  const { alarmId, kind, subject, detail, openedAt, closedAt, silencedUntil } = alarm;
  return {
    _id: alarmId,
    kind,
    subject,
    detail,
    state: closedAt !== null ? "closed" : isSilenced(alarm, now) ? "silenced" : "open",
    openedAt: openedAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
    silencedUntil: silencedUntil?.toISOString() ?? null,
  };
}
