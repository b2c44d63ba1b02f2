import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Explanation } from "../../../lib/texts/catalogue-texts.ts";
import { writeSendAt, type Schedule } from "../scheduled/schedule.ts";
import type { ScheduledBody, SendForm } from "./send-form.ts";
import { explainNotSent, explainScheduled, explainSent, useLeaveTo } from "./send-refusal.tsx";
import { useComposition } from "./composer.ts";
import { paths } from "../../../lib/paths.ts";

type SendSms = {
  send: () => void;
  isSending: boolean;
  /** Why the last try was refused, when the catalogue leaves the person here. */
  refusal: Error | null;
};

/** Queries that a send changes. The server pushes the change too, but a page without a connection must not wait for it. */
const changedKeys = ["user", "messages", "scheduled", "drafts"];

/**
 * Sends or schedules the composed message once: a second click does nothing while the first is sent, and a retry carries the same
 * key. Afterwards opens the page that the error catalogue names, unless the customer has opened another one.
 */
export function useSendSms(form: SendForm): SendSms {
  const { composer, place } = form;
  const queryClient = useQueryClient();
  const isSending = useComposition(composer, (composition) => composition.isSending);
  const leaveTo = useLeaveTo();
  useStayWhile(isSending);

  const { mutate, error } = useMutation({
    mutationFn: async () => await submit(form),
    onSuccess: (explanation) => {
      composer.startNext();
      for (const name of changedKeys) void queryClient.invalidateQueries({ queryKey: [name] });
      leaveTo(explanation);
    },
    onError: (cause) => {
      composer.set({ isSending: false });
      leaveTo(explainNotSent(cause, place));
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

/** @returns the words for the success. */
async function submit({ composer, sendNow, sendLater }: SendForm): Promise<Explanation> {
  const { schedule } = composer.getState();
  const body = await composer.readBody();
  if (schedule === undefined) {
    if (sendNow === undefined) throw new Error("This form only schedules");
    return explainSent(await sendNow({ headers: { "idempotency-key": composer.keyFor(body) }, body }));
  }
  if (sendLater === undefined) throw new Error("This form cannot schedule");
  const scheduled = { ...body, ...readMoment(schedule) };
  return explainScheduled(
    await sendLater({ headers: { "idempotency-key": composer.keyFor(scheduled) }, body: scheduled }),
  );
}

function readMoment(schedule: Schedule): Pick<ScheduledBody, "sendAt" | "timeZone" | "repeat"> {
  const sendAt = writeSendAt(schedule);
  if (sendAt === undefined) throw new Error("The form lets no such time pass");
  const { timeZone, repeat } = schedule;
  return { sendAt, timeZone, ...(repeat && { repeat }) };
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
    mutationFn: async () => await saveDraft?.(await composer.readDraft()),
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
