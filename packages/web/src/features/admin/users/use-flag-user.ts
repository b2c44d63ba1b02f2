import type { UserAnswer } from "@ewebal/contract";
import { adminUserCalls } from "@ewebal/contract/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { explainError, type CatalogueScreen } from "../../../lib/texts/catalogue-texts.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

export type Flag = "block" | "unblock" | "approve" | "unapprove" | "turnOffTwoFactor";

/** What is asked before each, in the specification's words, and whose words a failure has. */
const flags: Record<
  Flag,
  {
    question?: { title: string; text?: string };
    screen: CatalogueScreen;
    call: (typeof adminUserCalls)["blockUser" | "unblockUser" | "approveUser" | "unapproveUser" | "turnOffTwoFactor"];
  }
> = {
  block: {
    question: { title: "About to block user?", text: "User won't be able to use your service" },
    screen: "blockUser",
    call: adminUserCalls.blockUser,
  },
  unblock: {
    question: { title: "About to unblock user?" },
    screen: "unblockUser",
    call: adminUserCalls.unblockUser,
  },
  approve: { screen: "adminUpdateUser", call: adminUserCalls.approveUser },
  unapprove: { screen: "adminUpdateUser", call: adminUserCalls.unapproveUser },
  turnOffTwoFactor: {
    question: {
      title: "Turn two-factor sign-in off?",
      text: "Be sure that it is this person who asks. Their password alone opens the account then; they hear of it by mail and are signed out.",
    },
    screen: "service",
    call: adminUserCalls.turnOffTwoFactor,
  },
};

/** Switches a customer's access or approval, and says how it went. */
export function useFlagUser(user: UserAnswer): { press: (flag: Flag) => void; isPending: boolean } {
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async (flag: Flag) => await call(flags[flag].call, { params: { userId: user._id } }),
    onSuccess: ({ message }) => showNotice({ title: message }),
    onError: (error, flag) => showNotice(explainError(flags[flag].screen, error)),
    onSettled: async () => await queryClient.invalidateQueries({ queryKey: ["admin"] }),
  });
  const ask = async (flag: Flag): Promise<void> => {
    const { question } = flags[flag];
    if (question === undefined || (await confirm(question))) mutate(flag);
  };
  return { press: (flag) => void ask(flag), isPending };
}
