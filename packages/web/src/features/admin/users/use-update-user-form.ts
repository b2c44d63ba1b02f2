import type { UserAnswer } from "@ewebal/contract";
import { adminUserCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { call } from "../../../lib/api/api.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { useForm, type FormState } from "../../../ui/forms/form.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

type UserValues = { userName: string; fullName: string; phoneNo: string; email: string; senderID: string };
type UpdateUserForm = FormState<UserValues>;

function valuesOf(user: UserAnswer): UserValues {
  const { userName, fullName, phoneNo, email, senderID } = user;
  return { userName, fullName, phoneNo, email, senderID: senderID.join(", ") };
}

/** Only changes are sent, so that nothing of what others changed is overwritten. */
export function changesOf(before: UserValues, after: UserValues): Partial<UserValues> {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => value.trim() !== before[name as keyof UserValues]),
  );
}

/** The specified fields may not be empty, except the sender names; and something must differ. */
export function findMissingForUpdate(before: UserValues, after: UserValues): string[] {
  const isEmpty = (text: string): boolean => text.trim() === "";
  return [
    isEmpty(after.userName) && "user name",
    isEmpty(after.fullName) && "full name",
    isEmpty(after.phoneNo) && "contact",
    isEmpty(after.email) && "email",
    Object.keys(changesOf(before, after)).length === 0 && "a change",
  ].filter((name) => name !== false);
}

/** @param onDone called when the changes are stored. */
export function useUpdateUserForm(user: UserAnswer, onDone: () => void): UpdateUserForm {
  const queryClient = useQueryClient();
  // As it was when editing began: what another administrator changes meanwhile is no change of this one.
  const [before] = useState(() => valuesOf(user));
  const form: UpdateUserForm = useForm({
    initial: before,
    missing: (values) => findMissingForUpdate(before, values),
    schema: async () => (await import("@ewebal/contract/schemas/admin/admin-users")).updateUserBody,
    send: async (values) => {
      const { message } = await call(adminUserCalls.updateUser, {
        params: { userId: user._id },
        body: changesOf(before, values),
      });
      await queryClient.invalidateQueries({ queryKey: ["admin"] });
      showNotice({ title: message });
      onDone();
    },
  });

  const ask = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (form.missing.length > 0 || form.isSending) return;
    // Asked before the form counts as sent, so that the focus can return to its button.
    if (await confirm({ title: "About to update user?", text: "This action can't be reversed" })) form.onSubmit(event);
  };
  return { ...form, onSubmit: (event) => void ask(event) };
}
