import type { AlarmAnswer } from "@ewebal/contract";
import { alarmCalls } from "@ewebal/contract/calls";
import { call } from "../../../lib/api/api.ts";
import { useCursorList, type CursorList } from "../../../lib/api/use-cursor-list.ts";

/** The topic "admin" refreshes both lists. */
export const alarmsKey = ["admin", "alarms"] as const;

/** Open ones, silenced or not, or those that are over; in each list the one that opened last first. */
export function useAlarms(state: "open" | "closed"): CursorList<AlarmAnswer> {
  return useCursorList<AlarmAnswer>({
    queryKey: [...alarmsKey, state],
    read: async (after, signal) =>
      await call(alarmCalls.viewAlarms, { query: { state, ...(after !== undefined && { after }) }, signal }),
  });
}
