/** Asks for a code of the authenticator app before a call that needs a fresh one, and repeats the call with it. */
import { useSyncExternalStore } from "react";
import { ApiError, type CodeAsker } from "../../lib/api/api.ts";
import { Callout } from "../../ui/kit/callout.tsx";
import { CodeField } from "./code-step.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Form, useForm } from "../../ui/forms/form.tsx";
import { SubmitButton } from "../../ui/forms/submit-button.tsx";

type OpenRequest = {
  key: number;
  /** @throws ApiError for a wrong code: the person tries again. Any other outcome is the caller's. */
  answer: (code: string) => Promise<void>;
  cancel: () => void;
};

let open: OpenRequest | undefined;
let askedCount = 0;
const listeners = new Set<() => void>();

function publish(next: OpenRequest | undefined): void {
  open = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const isAboutCode = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === "CODE_WRONG" || error.code === "RATE_LIMITED");

/** A second question answers the first with nothing. */
export const askForCode: CodeAsker = async (refusal, repeat) => {
  open?.cancel();
  askedCount += 1;
  return await new Promise((resolve, reject) => {
    const close = (): void => publish(undefined);
    publish({
      key: askedCount,
      answer: async (code) => {
        try {
          resolve(await repeat(code));
        } catch (error) {
          if (isAboutCode(error)) throw error;
          reject(error);
        }
        close();
      },
      cancel: () => {
        close();
        reject(refusal);
      },
    });
  });
};

/** The place of the dialog; `SecondFactorHost` puts it there. */
export function CodeDialog() {
  const request = useSyncExternalStore(
    subscribe,
    () => open,
    () => undefined,
  );
  return (
    <Dialog opened={request !== undefined} onClose={() => request?.cancel()} title="Confirm it's you" size="sm" isOnTop>
      {request !== undefined && <CodeForm key={request.key} request={request} />}
    </Dialog>
  );
}

function CodeForm({ request }: { request: OpenRequest }) {
  const form = useForm({
    initial: { code: "" },
    missing: ({ code }) => (code.trim() === "" ? ["code"] : []),
    send: async ({ code }) => await request.answer(code.trim()),
  });
  return (
    <Form form={form}>
      <CodeField {...form.field("code")} />
      {form.refusal instanceof Error && <Callout tone="error" title={form.refusal.message} isAnnounced />}
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Continue
      </SubmitButton>
    </Form>
  );
}
