import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { call } from "../../lib/api.ts";
import type { Explanation } from "../../lib/catalogue-texts.ts";
import { showNotice } from "../../ui/notices.tsx";
import type { Composer } from "./composer.ts";
import { messageAddresses } from "./message-addresses.ts";
import { explainNotSent, explainSent } from "./send-outcome.ts";
import { useComposition } from "./use-composition.ts";

interface SendSms {
  send: () => void;
  isSending: boolean;
  /** Why the last try was refused, when the catalogue leaves the person here. */
  refusal: Error | null;
}

/**
 * Sends what is composed, once: a second click waits for the first, and a retry carries the same key. Goes where the
 * catalogue says, unless the person has gone elsewhere meanwhile.
 */
export function useSendSms(composer: Composer): SendSms {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const isSending = useComposition(composer, (composition) => composition.isSending);
  const isHere = useIsHere();
  useStayWhile(isSending);

  const leaveTo = (explanation: Explanation): void => {
    const { goTo, ...words } = explanation;
    if (goTo === undefined && isHere()) return;
    showNotice(words);
    if (goTo !== undefined && isHere()) void navigate({ to: goTo });
  };
  const { mutate, error } = useMutation({
    mutationFn: async () => {
      const body = await composer.readBody();
      const headers = { "idempotency-key": composer.keyFor(body) };
      return await call(messageAddresses.sendBulkSms, { params: { userId: composer.userId }, headers, body });
    },
    onSuccess: (answer) => {
      composer.startNext();
      // The server pushes these too; a page whose connection is down must not wait for it.
      for (const name of ["user", "messages", "history"]) void queryClient.invalidateQueries({ queryKey: [name] });
      leaveTo(explainSent(answer));
    },
    onError: (cause) => {
      composer.set({ isSending: false });
      leaveTo(explainNotSent(cause));
    },
  });
  return {
    send: () => {
      if (composer.getState().isSending) return;
      composer.set({ isSending: true });
      mutate();
    },
    isSending,
    refusal: isSending ? null : error,
  };
}

/** @returns a function that tells whether the page still stands. */
function useIsHere(): () => boolean {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return () => isHere.current;
}

/** A million numbers take minutes on a slow line; the browser asks before the tab that carries them is closed. */
function useStayWhile(isSending: boolean): void {
  useEffect(() => {
    if (!isSending) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isSending]);
}
