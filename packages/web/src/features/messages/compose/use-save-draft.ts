import { useMutation, useQueryClient } from "@tanstack/react-query";
import { paths } from "../../../lib/paths.ts";
import type { SendForm } from "./send-form.ts";
import { useLeaveTo } from "./use-leave-to.ts";

type SaveDraft = {
  save: () => void;
  isSaving: boolean;
  refusal: Error | null;
};

/** Keeps what is composed as a draft, and goes to the drafts; a failure leaves everything as it is. */
export function useSaveDraft({ composer, saveDraft }: SendForm): SaveDraft {
  const queryClient = useQueryClient();
  const leaveTo = useLeaveTo();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => await saveDraft?.(composer.readDraft()),
    onSuccess: (answer) => {
      composer.startNext();
      for (const name of ["user", "drafts"]) void queryClient.invalidateQueries({ queryKey: [name] });
      if (answer !== undefined) leaveTo({ tone: "ok", title: answer.message, goTo: paths.draftedSms });
    },
  });
  return {
    save: () => {
      if (!isPending) mutate();
    },
    isSaving: isPending,
    refusal: error,
  };
}
