import { useSyncExternalStore } from "react";

const subscribe = (): (() => void) => () => undefined;

/**
 * @returns false on the server and for the first drawing over the server's document, which must be the same; true from then
 * on. What depends on the person or the device waits for it.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}

/** Whether this draws a document (`app/render-document.tsx`): nobody is known then, and there is no window. */
export const isOnServer = typeof document === "undefined";
