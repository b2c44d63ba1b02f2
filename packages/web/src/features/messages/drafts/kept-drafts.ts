/**
 * What a customer writes while the network is away: kept on the device, one draft for each form, and saved as drafts when the network is back.
 * It is the customer's alone, and the end of their session removes it (`tab-storage.ts`).
 *
 * A draft is saved under the key that it was kept with, so that several tabs, and a lost answer, make one draft.
 */
import { draftCalls } from "@ewebal/contract/calls";
import { ApiError, call } from "../../../lib/api/api.ts";
import { isTemporary } from "../../../lib/api/query.ts";
import { getSession } from "../../../lib/session/session.ts";
import { KEPT_DRAFTS_KEY } from "../../../lib/session/tab-storage.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import type { ComposedBody } from "../compose/composer.ts";

export type KeptDraft = {
  /** Its idempotency key. */
  key: string;
  body: ComposedBody;
};

type Kept = { userId: string; drafts: Record<string, KeptDraft> };

/** After a refusal that may pass, while the browser believes in its network. */
const RETRY_MS = 5_000;

/** What became of a form's draft, for the form that still shows it. */
type OnSaved = (slot: string, draftId: string) => void;
const listeners = new Set<OnSaved>();

/** @returns a function that ends the subscription. */
export function onKeptDraftSaved(listener: OnSaved): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function read(userId: string): Kept {
  const nothing = { userId, drafts: {} };
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT_DRAFTS_KEY) ?? "null") as Kept | null;
    return kept?.userId === userId ? kept : nothing;
  } catch {
    return nothing;
  }
}

/** @throws DOMException when there is no room. */
function write(kept: Kept): void {
  if (Object.keys(kept.drafts).length === 0) localStorage.removeItem(KEPT_DRAFTS_KEY);
  else localStorage.setItem(KEPT_DRAFTS_KEY, JSON.stringify(kept));
}

/**
 * @param slot names the form, whose earlier draft is replaced.
 * @returns whether there was room for it: a browser keeps some five million characters.
 */
export function keepDraft(userId: string, slot: string, draft: KeptDraft): boolean {
  if (getSession().userId !== userId) return false;
  try {
    const { drafts } = read(userId);
    write({ userId, drafts: { ...drafts, [slot]: draft } });
    return true;
  } catch {
    return false;
  }
}

/** @param key of the draft that may go; one that was kept since stays. */
export function dropKeptDraft(userId: string, slot: string, key?: string): void {
  const { [slot]: draft, ...drafts } = read(userId).drafts;
  if (draft === undefined || (key !== undefined && draft.key !== key)) return;
  try {
    write({ userId, drafts });
  } catch {
    // Storage is blocked, so nothing was kept.
  }
}

let saving: Promise<void> | undefined;

/** Saves all that is kept, one after another, and goes on trying while the network seems to be there. */
export async function saveKeptDrafts(userId: string): Promise<void> {
  saving ??= saveAll(userId).finally(() => (saving = undefined));
  await saving;
}

async function saveAll(userId: string): Promise<void> {
  for (const [slot, { key, body }] of Object.entries(read(userId).drafts)) {
    if (getSession().userId !== userId) return;
    try {
      const headers = { "idempotency-key": key };
      const { data } = await call(draftCalls.draftMessage, { params: { userId }, headers, body });
      dropKeptDraft(userId, slot, key);
      for (const listener of listeners) listener(slot, data._id);
      showNotice({
        tone: "ok",
        title: "Saved to your drafts",
        text: "It was kept on this device while you were offline",
      });
    } catch (error) {
      if (isTemporary(error)) {
        if (navigator.onLine) window.setTimeout(() => void saveKeptDrafts(userId), RETRY_MS);
        return;
      }
      // It stays on the device, and is tried again with the next page.
      if (error instanceof ApiError && error.code !== "AUTH_REQUIRED")
        showNotice({ tone: "error", title: "What you wrote offline could not be saved", text: error.message });
    }
  }
}

/** From the first form on, in every page of this tab. */
window.addEventListener("online", () => {
  const { userId } = getSession();
  if (userId !== null) void saveKeptDrafts(userId);
});
