import { useMutation } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { showNotice } from "../../ui/notices.tsx";
import type { Composer } from "./composer.ts";
import { messageAddresses } from "./message-addresses.ts";

interface DraftSms {
  save: () => void;
  isSaving: boolean;
  refusal: Error | null;
}

/** Keeps what is composed as a draft. The page stays as it is, so that it can still be sent. */
export function useDraftSms(composer: Composer): DraftSms {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(messageAddresses.draftMessage, { params: { userId: composer.userId }, body: composer.readDraft() }),
    onSuccess: ({ message }) => showNotice({ title: message }),
  });
  return {
    save: () => {
      if (!isPending) mutate();
    },
    isSaving: isPending,
    refusal: error,
  };
}
