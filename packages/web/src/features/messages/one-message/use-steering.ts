import type { MessageAnswer } from "@ewebal/contract";
import { messageCalls } from "@ewebal/contract/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { formatCount } from "../../../lib/texts/format.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { explainFailure } from "../explain-failure.ts";
import { messageQuery } from "../message-queries.ts";

type Step = "pause" | "resume" | "cancel";

type Steering = {
  /** The step that is on its way. */
  running: Step | undefined;
  pause: () => void;
  resume: () => void;
  cancel: () => void;
};

/** Pausing, resuming and cancelling a running send. Only cancelling cannot be taken back, so only it asks. */
export function useSteering(userId: string, { _id: messageId, counts }: MessageAnswer): Steering {
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (step: Step) => await call(messageCalls[step], { params: { userId, messageId } }),
    onSuccess: ({ message }) => showNotice({ title: message }),
    onError: (error) => showNotice(explainFailure(error)),
    onSettled: async () => await queryClient.invalidateQueries({ queryKey: messageQuery(userId, messageId).queryKey }),
  });
  const cancel = async (): Promise<void> => {
    const waiting = counts.waiting === 1 ? "1 number that is" : `${formatCount(counts.waiting)} numbers that are`;
    const isConfirmed = await confirm({
      title: "Cancel the rest?",
      text: `The ${waiting} still waiting will get nothing, and their units come back.`,
    });
    if (isConfirmed) mutate("cancel");
  };
  return {
    running: isPending ? variables : undefined,
    pause: () => mutate("pause"),
    resume: () => mutate("resume"),
    cancel: () => void cancel(),
  };
}
