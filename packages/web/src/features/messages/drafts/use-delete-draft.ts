import type { DraftAnswer } from "@ewebal/contract";
import { draftCalls } from "@ewebal/contract/calls";
import { durationsMs } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { call } from "../../../lib/api/api.ts";
import { forgetCarried } from "../resend/carried-messages.ts";
import { fixedTexts } from "../../../lib/texts/catalogue-texts.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { explainFailure } from "../explain-failure.ts";
import { focusMain } from "../focus-main.ts";

/** Asks, deletes, and says how it went. */
export function useDeleteDraft(userId: string): (draft: DraftAnswer) => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(
    async ({ _id: draftId, senderName }) => {
      const isConfirmed = await confirm({
        title: "Delete this draft?",
        text: `What you wrote as ${senderName} is then gone for good.`,
      });
      if (!isConfirmed) return;
      try {
        await call(draftCalls.deleteDraft, { params: { userId, draftId } });
      } catch (error) {
        showNotice(explainFailure(error));
        return;
      }
      forgetCarried("draft-history");
      showNotice({ title: fixedTexts.deleted, durationMs: durationsMs.draftDeleteNotice });
      await queryClient.invalidateQueries({ queryKey: ["drafts", userId] });
      focusMain();
    },
    [queryClient, userId],
  );
}
