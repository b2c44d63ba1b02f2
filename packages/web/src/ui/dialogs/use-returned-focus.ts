import { useLayoutEffect, useRef, type RefObject } from "react";

/**
 * Gives the focus back to what had it when a dialog opened. Ours, because the library's own looks once, shortly after the dialog
 * has closed: when somebody closes it before the focus has moved into it, the library moves the focus there afterwards, and then loses it.
 * @returns belongs on the dialog, whose own returning is to be switched off.
 */
export function useReturnedFocus<Dialog extends HTMLElement>(opened: boolean): RefObject<Dialog | null> {
  const ref = useRef<Dialog>(null);
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (opened) {
      opener.current = document.activeElement;
      return undefined;
    }
    if (opener.current === null) return undefined;
    const giveBack = (): void => {
      const { activeElement, body } = document;
      const isLost = activeElement === null || activeElement === body || ref.current?.contains(activeElement) === true;
      if (isLost && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
    };
    giveBack();
    // As long as the dialog fades out, what it had planned to focus is still there.
    document.addEventListener("focusin", giveBack);
    return () => document.removeEventListener("focusin", giveBack);
  }, [opened]);
  return ref;
}
