import type { AnnouncementAnswer } from "@ewebal/contract";
import { announcementCalls } from "@ewebal/contract/calls";
import { durationsMs } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { ApiError, call } from "../../../lib/api/api.ts";
import { explainError } from "../../../lib/texts/catalogue-texts.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { useForm, type FormState } from "../../../ui/forms/form.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

type AnnouncementForm = FormState<{ hint: string; message: string }>;

/** Posts an announcement; how it went is told for the specified three seconds. */
export function useAnnouncementForm(adminId: string): AnnouncementForm {
  const queryClient = useQueryClient();
  const form: AnnouncementForm = useForm({
    initial: { hint: "", message: "" },
    missing: ({ hint, message }) =>
      [hint.trim() === "" && "hint or subject", message.trim() === "" && "message"].filter((name) => name !== false),
    schema: async () => (await import("@ewebal/contract/schemas/admin/announcements")).announcementBody,
    send: async (body) => {
      try {
        const { message } = await call(announcementCalls.makeGeneralAnnouncement, { params: { adminId }, body });
        showNotice({ title: message, durationMs: durationsMs.announcementNotice });
      } catch (error) {
        // What stands at a field stays there for as long as it is wrong.
        if (error instanceof ApiError && Object.keys(error.fields).length > 0) throw error;
        showNotice({ ...explainError("announcement", error), durationMs: durationsMs.announcementNotice });
        return;
      }
      form.set("hint", "");
      form.set("message", "");
      await queryClient.invalidateQueries({ queryKey: ["announcements"] });
    },
  });
  return form;
}

/** Asks, clears, and says how it went. Somebody else may have been quicker; the list is read again in any case. */
export function useClearAnnouncement(adminId: string): (announcement: AnnouncementAnswer) => void {
  const queryClient = useQueryClient();
  const clear = async ({ _id: announcementId, hint }: AnnouncementAnswer): Promise<void> => {
    const isConfirmed = await confirm({
      title: "About to clear out announcement?",
      text: `"${hint}" leaves every user's dashboard.`,
    });
    if (!isConfirmed) return;
    try {
      const { message } = await call(announcementCalls.clearGeneralAnnouncement, {
        params: { adminId, announcementId },
      });
      showNotice({ title: message });
      // The button is gone with its card; the focus must not go with it.
      document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
    } catch (error) {
      showNotice(explainError("announcementDelete", error));
    }
    await queryClient.invalidateQueries({ queryKey: ["announcements"] });
  };
  return (announcement) => void clear(announcement);
}
