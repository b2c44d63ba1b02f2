import { useLayoutEffect, useRef, type RefObject } from "react";

/**
 * For a button that is disabled while it is busy: browsers take the focus from what is disabled, and whoever has no mouse would
 * begin again at the top of the page. Afterwards the button has it back, unless something else has taken it.
 */
export function useKeptFocus(isBusy: boolean): RefObject<HTMLButtonElement | null> {
  const ref = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    // Just disabled, the button still has the focus; the browser takes it with the next frame.
    if (isBusy) hadFocus.current = activeElement === ref.current;
    else if (hadFocus.current && (activeElement === body || activeElement === null)) ref.current?.focus();
    if (!isBusy) hadFocus.current = false;
  }, [isBusy]);
  return ref;
}
