import { whitelistCalls } from "@ewebal/contract/calls";
import { limits } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { useForm, type FormState } from "../../../ui/forms/form.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

type WhitelistUserForm = FormState<{ email: string; senderName: string }>;

/** A user, and sender names between commas, each as long as a carrier takes; the server looks at their characters. */
export function findMissingForUserWhitelist({ email, senderName }: { email: string; senderName: string }): string[] {
  const names = senderName
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const tooShort = names.find((name) => name.length < limits.senderNameCharactersMin);
  const tooLong = names.find((name) => name.length > limits.senderNameCharactersMax);
  return [
    email === "" && "a user",
    names.length === 0 && "a sender ID",
    tooShort !== undefined && `at least ${limits.senderNameCharactersMin} characters in "${tooShort}"`,
    tooLong !== undefined && `at most ${limits.senderNameCharactersMax} characters in "${tooLong}"`,
  ].filter((text) => text !== false);
}

/** @param onDone called when the names are given and the form is empty again. */
export function useWhitelistUserForm(adminId: string, onDone: () => void): WhitelistUserForm {
  const queryClient = useQueryClient();
  const form: WhitelistUserForm = useForm({
    initial: { email: "", senderName: "" },
    missing: findMissingForUserWhitelist,
    schema: async () =>
      (await import("@ewebal/contract/schemas/whitelists")).whitelistSchemas.whitelistUserSenderId.body,
    send: async (body) => {
      const { message } = await call(whitelistCalls.whitelistUserSenderId, { params: { adminId }, body });
      showNotice({ title: message });
      form.set("email", "");
      form.set("senderName", "");
      onDone();
      // Requests for the same names are decided with it.
      await queryClient.invalidateQueries({ queryKey: ["admin", "whitelists"] });
    },
  });
  return form;
}
