import { draftCalls } from "@ewebal/contract/calls";
import { useEffect, useState, useSyncExternalStore } from "react";
import { ApiError, call, NetworkError } from "../../../lib/api/api.ts";
import { IdempotencyKey, randomText } from "../../../lib/api/idempotency-key.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { type Composer, useComposition } from "../compose/composer.ts";
import { findMissingForDraft } from "../compose/missing-for-send.ts";
import { dropKeptDraft, keepDraft, onKeptDraftSaved } from "./kept-drafts.ts";

/** Behind the last key, so that a fast typist does not write everything at every key. */
const KEEP_AFTER_MS = 250;

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/** One that cannot be removed is a draft too many, which the customer sees and can delete. */
async function removeSaved(userId: string, draftId: string): Promise<void> {
  try {
    await call(draftCalls.deleteDraft, { params: { userId, draftId } });
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof NetworkError)) throw error;
  }
}

type State = "nothing" | "kept" | "too large";

/** Keeps what is composed on the device while the browser is offline, and says so. It becomes a draft when the network is back. */
export function KeptOffline({ composer }: { composer: Composer }) {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const composition = useComposition(composer, (whole) => whole);
  const [state, setState] = useState<State>("nothing");
  const [form] = useState(() => ({ slot: randomText(), key: new IdempotencyKey() }));
  const { userId } = composer;

  // The form still shows what was saved: once it is sent or saved as a draft itself, there would be two.
  useEffect(
    () =>
      onKeptDraftSaved((slot, draftId) => {
        if (slot !== form.slot) return;
        const before = composer.onNext;
        composer.onNext = () => {
          composer.onNext = undefined;
          before?.();
          void removeSaved(userId, draftId);
        };
      }),
    [composer, form, userId],
  );

  useEffect(() => {
    if (isOnline) return undefined;
    const timer = window.setTimeout(() => {
      if (findMissingForDraft(composition).length > 0) {
        dropKeptDraft(userId, form.slot);
        setState("nothing");
        return;
      }
      void composer
        .readDraft()
        .then((body) =>
          setState(keepDraft(userId, form.slot, { key: form.key.keyFor(body), body }) ? "kept" : "too large"),
        );
    }, KEEP_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, [isOnline, composition, composer, form, userId]);

  if (isOnline || state === "nothing") return null;
  if (state === "too large")
    return (
      <Callout tone="warn" title="You are offline, and this is too much to keep" isAnnounced>
        Leave this page open until the network is back.
      </Callout>
    );
  return (
    <Callout tone="info" title="You are offline: kept on this device" isAnnounced>
      It is saved to your drafts when the network is back.
    </Callout>
  );
}
