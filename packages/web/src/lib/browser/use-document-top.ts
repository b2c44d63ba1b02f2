import { useLayoutEffect, useState } from "react";

/** Where the element begins in the document; a list that scrolls with the window counts from there. */
export function useDocumentTop(ref: { current: HTMLElement | null }): number {
  const [top, setTop] = useState(0);
  // After every drawing, because anything above may have grown.
  useLayoutEffect(() => {
    const next = ref.current === null ? 0 : Math.round(ref.current.getBoundingClientRect().top + window.scrollY);
    if (next !== top) setTop(next);
  });
  return top;
}
