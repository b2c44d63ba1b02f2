/**
 * Who is signed in, as far as the browser knows. The session itself is an HttpOnly cookie that no script can read; all
 * that is kept here is the id of the current customer or administrator, and sign-out removes it.
 */
import { useSyncExternalStore } from "react";
import type { QueryClient } from "@tanstack/react-query";
import { isOnServer } from "../browser/hydration.ts";
import { forgetAllInTab, KEPT_DRAFTS_KEY } from "./tab-storage.ts";

type Session = {
  userId: string | null;
  adminId: string | null;
};

/** Why a session ended; decides which notice is shown. */
export type SignOutReason = "asked" | "inactive";

const storageKeys = { userId: "ewebal.userId", adminId: "ewebal.adminId" } as const;
/** Set for a moment while a session ends: storage events arrive in order, so other tabs read the reason before the end. */
const REASON_KEY = "ewebal.signOutReason";
const listeners = new Set<() => void>();
let current: Session = readStorage();
let reasonElsewhere: SignOutReason | undefined;
// A tab that the browser brings back may have slept through the end of its session.
if (current.userId === null) forgetAllInTab();

function readStorage(): Session {
  try {
    return { userId: localStorage.getItem(storageKeys.userId), adminId: localStorage.getItem(storageKeys.adminId) };
  } catch {
    return { userId: null, adminId: null }; // Storage is blocked: the session then lasts as long as the tab.
  }
}

function setSession(next: Session): void {
  try {
    // What begins is written before what ends is removed: other tabs hear of each step, and must not find nobody in between.
    const { userId, adminId } = next;
    if (userId !== null) localStorage.setItem(storageKeys.userId, userId);
    if (adminId !== null) localStorage.setItem(storageKeys.adminId, adminId);
    if (userId === null) localStorage.removeItem(storageKeys.userId);
    if (adminId === null) localStorage.removeItem(storageKeys.adminId);
    if (userId !== current.userId) localStorage.removeItem(KEPT_DRAFTS_KEY);
  } catch {
    // See readStorage.
  }
  if (next.userId !== current.userId) forgetAllInTab();
  current = next;
  reasonElsewhere = undefined;
  for (const listener of listeners) listener();
}

/** Takes over what another tab wrote: a sign-out there is a sign-out here. */
function readAgain({ key, newValue }: StorageEvent): void {
  if (key === REASON_KEY && newValue !== null) reasonElsewhere = newValue === "asked" ? "asked" : "inactive";
  const next = readStorage();
  if (next.userId === current.userId && next.adminId === current.adminId) return;
  if (next.userId !== current.userId) forgetAllInTab();
  current = next;
  for (const listener of listeners) listener();
}

const stranger: Session = { userId: null, adminId: null };

/** Whom the server draws for. The browser's first drawing over a public document is for the same. */
let drawnFor: Session = stranger;

/** Draws what only a signed-in person sees, for nobody in particular. Only the server does. */
export function drawAs<T>(session: Session, draw: () => T): T {
  drawnFor = session;
  try {
    return draw();
  } finally {
    drawnFor = stranger;
  }
}

export function getSession(): Session {
  return current;
}

/** A cookie holds one session, so becoming one of the two ends the other. */
export function startUserSession(userId: string): void {
  setSession({ userId, adminId: null });
}

export function startAdminSession(adminId: string): void {
  setSession({ userId: null, adminId });
}

/** @param reason passed on to the other tabs. */
export function clearSession(reason: SignOutReason): void {
  try {
    localStorage.setItem(REASON_KEY, reason);
    localStorage.removeItem(REASON_KEY);
  } catch {
    // Without storage there are no other tabs to tell.
  }
  setSession({ userId: null, adminId: null });
}

/** @returns why another tab ended the session, once; undefined when this tab did, or none. */
export function takeReasonElsewhere(): SignOutReason | undefined {
  const reason = reasonElsewhere;
  reasonElsewhere = undefined;
  return reason;
}

/** @returns a function that ends the subscription. On the server nobody's session ever changes. */
export function onSessionChange(listener: () => void): () => void {
  if (isOnServer) return () => undefined;
  if (listeners.size === 0) window.addEventListener("storage", readAgain);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("storage", readAgain);
  };
}

export function useSession(): Session {
  return useSyncExternalStore(onSessionChange, getSession, () => drawnFor);
}

/**
 * The id inside a sign-in answer's token. The signature is the server's business: a forged id opens nothing, because
 * every call is checked against the cookie.
 *
 * @throws Error when the text is not a token with an id.
 */
export function readTokenId(token: string): string {
  const payload = token.split(".")[1] ?? "";
  const bytes = Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
    character.charCodeAt(0),
  );
  const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (typeof claims === "object" && claims !== null && "id" in claims && typeof claims.id === "string")
    return claims.id;
  throw new Error("The token carries no id");
}

/**
 * Forgets the person: the kept id, and everything of theirs in memory. The brand belongs to no one and stays.
 *
 * @returns the id of who was signed in, or null.
 */
export function leaveSession(queryClient: QueryClient, reason: SignOutReason): string | null {
  const { userId, adminId } = getSession();
  clearSession(reason);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "brand" });
  return userId ?? adminId;
}
