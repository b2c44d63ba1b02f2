import type { MessageAnswer } from "@ewebal/contract";
import { scheduledCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { call } from "../../../lib/api/api.ts";
import { formatUnits } from "../../../lib/texts/format.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { explainFailure } from "../explain-failure.ts";
import { focusMain } from "../focus-main.ts";

/** Asks, deletes, and says that the units came back. */
export function useDeleteScheduled(userId: string): (message: MessageAnswer) => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(
    async ({ _id: messageId, counts, price }) => {
      const units = formatUnits(counts.waiting * price);
      const isConfirmed = await confirm({
        title: "Delete this message?",
        text: `It will not be sent, and the ${units} units set aside for it come back.`,
      });
      if (!isConfirmed) return;
      try {
        const { message } = await call(scheduledCalls.deleteScheduledSms, { params: { userId, messageId } });
        showNotice({ title: message, text: `${units} units are free again` });
      } catch (error) {
        // It may have started meanwhile; the list must not go on offering it.
        showNotice(explainFailure(error));
      }
      for (const name of ["scheduled", "user"]) void queryClient.invalidateQueries({ queryKey: [name] });
      focusMain();
    },
    [queryClient, userId],
  );
}
