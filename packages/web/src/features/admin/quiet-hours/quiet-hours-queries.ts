import type { AuditEntryAnswer, QuietHoursAnswer } from "@ewebal/contract";
import { adminAccountCalls, quietHoursCalls } from "@ewebal/contract/calls";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useCurrentAdmin } from "../../../shared/account/current-admin.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

/** The topic "admin" refreshes all that begins with it. */
export const quietHoursKey = ["admin", "quiet-hours"] as const;
/** Nobody pushes that a border has passed. */
const BORDER_LOOK_MS = 15_000;
const CHANGES_MAX = 50;

export function useQuietHours() {
  return useQuery({
    queryKey: [...quietHoursKey, "rows"],
    queryFn: async ({ signal }) => (await call(quietHoursCalls.viewQuietHours, { signal })).data,
  });
}

/** What waits for the hours to open, as of `dataUpdatedAt`. */
export function useDeferred() {
  return useQuery({
    queryKey: [...quietHoursKey, "deferred"],
    queryFn: async ({ signal }) => (await call(quietHoursCalls.viewDeferred, { signal })).data,
    refetchInterval: BORDER_LOOK_MS,
  });
}

/** Who set hours last, the newest first; undefined for roles that do not read the audit. */
export function useLastChanges(): readonly AuditEntryAnswer[] | undefined {
  const { data: admin } = useCurrentAdmin();
  const { data } = useQuery({
    queryKey: [...quietHoursKey, "changes"],
    queryFn: async ({ signal }) =>
      (
        await call(adminAccountCalls.viewAuditEntries, {
          query: { action: "set-quiet-hours", limit: String(CHANGES_MAX) },
          signal,
        })
      ).data,
    enabled: admin !== undefined && ["owner", "admin", "viewer"].includes(admin.role),
  });
  return data;
}

/** Asks, removes a country's hours, and shows the result. */
export function useRemoveQuietHours(): (hours: QuietHoursAnswer) => void {
  const { adminId } = useSession();
  const queryClient = useQueryClient();
  const remove = async ({ _id: quietHoursId, code }: QuietHoursAnswer): Promise<void> => {
    if (adminId === null) return;
    const text = "Promotional messages leave at any time, day and night. What waits now goes on at once.";
    if (!(await confirm({ title: `About to remove the quiet hours of +${code}?`, text }))) return;
    try {
      const { message } = await call(quietHoursCalls.removeQuietHours, { params: { adminId, quietHoursId } });
      showNotice({ title: message });
    } catch (error) {
      showNotice({
        tone: "error",
        title: "Unable to remove the hours",
        text: error instanceof Error ? error.message : "",
      });
    }
    await queryClient.invalidateQueries({ queryKey: quietHoursKey });
  };
  return (hours) => void remove(hours);
}
