/**
 * `confirm({ title, text })` asks before something that cannot be undone. The answers are the specified "Proceed" and
 * "Nope"; the focus starts on "Nope", so a quick Enter destroys nothing.
 */
import { Button } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { Inline } from "../layout/boxes.tsx";
import { Dialog } from "./dialog.tsx";

type Question = {
  title: string;
  text?: string;
};

type OpenQuestion = {
  answer: (isConfirmed: boolean) => void;
} & Question;

let open: OpenQuestion | undefined;
/** What the dialog says while it fades out. */
let latest: Question = { title: "" };
const listeners = new Set<() => void>();

function publish(next: OpenQuestion | undefined): void {
  open = next;
  if (next !== undefined) latest = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @returns whether the person chose "Proceed". A second question answers the first with "Nope". */
export async function confirm(question: Question): Promise<boolean> {
  open?.answer(false);
  return await new Promise((resolve) => {
    publish({
      ...question,
      answer: (isConfirmed) => {
        publish(undefined);
        resolve(isConfirmed);
      },
    });
  });
}

/** Renders the dialog. Each signed-in shell has it once. */
export function ConfirmHost() {
  const question = useSyncExternalStore(
    subscribe,
    () => open,
    () => undefined,
  );
  return (
    <Dialog
      opened={question !== undefined}
      onClose={() => question?.answer(false)}
      title={latest.title}
      size="sm"
      isOnTop
    >
      {latest.text !== undefined && <p className="muted">{latest.text}</p>}
      <Inline gap={8} justify="end" above={24}>
        <Button variant="default" data-autofocus onClick={() => question?.answer(false)}>
          Nope
        </Button>
        <Button color="red" onClick={() => question?.answer(true)}>
          Proceed
        </Button>
      </Inline>
    </Dialog>
  );
}
