import { whitelistCalls } from "@ewebal/contract/calls";
import { limits } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { ApiError, call } from "../../../lib/api/api.ts";
import { explainError } from "../../../lib/texts/catalogue-texts.ts";
import { whitelistsQuery } from "../message-queries.ts";
import { useForm, type FormState } from "../../../ui/forms/form.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

/** What enables the request of an address. (specification, section 5) */
const ADDRESS_CHARACTERS_MIN = 10;

/** Sender names: the text needs 5 characters, and each name between the commas has at most 11. */
export function findMissingForSource({ senderName }: { senderName: string }): string[] {
  if (senderName.length < limits.sourceWhitelistCharactersMin) {
    return [`a sender ID of at least ${limits.sourceWhitelistCharactersMin} characters`];
  }
  const tooLong = senderName.split(",").find((name) => name.trim().length > limits.senderNameCharactersMax);
  return tooLong === undefined ? [] : [`at most ${limits.senderNameCharactersMax} characters in "${tooLong.trim()}"`];
}

export function findMissingForAddress({ ip }: { ip: string }): string[] {
  return ip.length < ADDRESS_CHARACTERS_MIN ? [`an address of at least ${ADDRESS_CHARACTERS_MIN} characters`] : [];
}

/** Only digits and dots get in. */
export function cleanAddress(text: string): string {
  return text.replaceAll(/[^0-9.]/g, "");
}

export function useSourceForm(userId: string): FormState<{ senderName: string }> {
  const request = useRequest(userId);
  const form: FormState<{ senderName: string }> = useForm({
    initial: { senderName: "" },
    missing: findMissingForSource,
    send: async (body) => {
      await request(body);
      form.set("senderName", "");
    },
  });
  return form;
}

export function useAddressForm(userId: string): FormState<{ ip: string }> {
  const request = useRequest(userId);
  const form: FormState<{ ip: string }> = useForm({
    initial: { ip: "" },
    missing: findMissingForAddress,
    send: async (body) => {
      await request(body);
      form.set("ip", "");
    },
  });
  return form;
}

function useRequest(userId: string) {
  const queryClient = useQueryClient();
  return async (body: { senderName: string } | { ip: string }): Promise<void> => {
    const { message } = await ask(userId, body);
    showNotice({ title: message, text: "We e-mail you the decision within about 24 hours" });
    await queryClient.invalidateQueries({ queryKey: whitelistsQuery(userId).queryKey });
  };
}

async function ask(userId: string, body: { senderName: string } | { ip: string }) {
  try {
    return await call(whitelistCalls.sourceWhitelist, { params: { userId }, body });
  } catch (error) {
    // The field shows its own fault; the catalogue's words are shown too.
    if (error instanceof ApiError && Object.keys(error.fields).length > 0) {
      const { tone, title } = explainError("whitelist", error);
      showNotice({ tone, title });
    }
    throw error;
  }
}
