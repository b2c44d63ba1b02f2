import type { WaitingAnswer } from "@ewebal/contract";
import { approvalCalls } from "@ewebal/contract/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { explainError } from "../../../lib/texts/catalogue-texts.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

export type ApprovalVerb = "approve" | "decline";

const questions: Record<ApprovalVerb, string> = {
  approve: "About to approve this?",
  decline: "About to decline this?",
};

/** Asks first, then approves or declines what another administrator asked for, and says what came of it. */
export function useDecideApproval(adminId: string): {
  press: (row: WaitingAnswer, verb: ApprovalVerb) => void;
  decidingId: string | undefined;
} {
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async ({ row, verb }: { row: WaitingAnswer; verb: ApprovalVerb }) =>
      await call(approvalCalls[verb], { params: { adminId, approvalId: row._id } }),
    onSuccess: ({ message }) => showNotice({ title: message }),
    onError: (error) => showNotice(explainError("service", error)),
    // Also after a refusal: somebody else may have decided a moment ago.
    onSettled: async () => await queryClient.invalidateQueries({ queryKey: ["admin"] }),
  });
  const ask = async (row: WaitingAnswer, verb: ApprovalVerb): Promise<void> => {
    if (await confirm({ title: questions[verb], text: `${row.what}. Asked for by ${row.by}.` })) mutate({ row, verb });
  };
  return { press: (row, verb) => void ask(row, verb), decidingId: isPending ? variables.row._id : undefined };
}
