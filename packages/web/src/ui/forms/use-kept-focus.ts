import { useEffect, useLayoutEffect, useRef, type RefObject } from "react";

/**
 * For a button that is disabled while it is busy: browsers take the focus from what is disabled, and whoever has no mouse would
 * begin again at the top of the page. Afterwards the button has it back, unless something else has taken it.
 */
export function useKeptFocus(isBusy: boolean): RefObject<HTMLButtonElement | null> {
  const ref = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  const lastFocused = useRef<EventTarget | null>(null);
  useEffect(() => {
    const onFocusIn = ({ target }: FocusEvent): void => {
      lastFocused.current = target;
    };
    document.addEventListener("focusin", onFocusIn);
    return () => document.removeEventListener("focusin", onFocusIn);
  }, []);
  useLayoutEffect(() => {
    // Some browsers take the focus at once (Chromium 150), some with the next frame (156).
    if (isBusy)
      hadFocus.current =
        document.activeElement === ref.current || (hasNobodyFocus() && lastFocused.current === ref.current);
    else if (hadFocus.current && hasNobodyFocus()) ref.current?.focus();
    if (!isBusy) hadFocus.current = false;
  }, [isBusy]);
  return ref;
}

function hasNobodyFocus(): boolean {
  const { activeElement, body } = document;
  return activeElement === body || activeElement === null;
}
