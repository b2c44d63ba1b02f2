import { useEffect, useState, type RefObject } from "react";

/** Whether the element is in the window, or nearly; only what is seen must be live. */
export function useIsOnScreen(ref: RefObject<HTMLElement | null>): boolean {
  // Tests have no window that could show anything: there everything is seen.
  const [isOnScreen, setOnScreen] = useState(typeof IntersectionObserver === "undefined");
  useEffect(() => {
    if (ref.current === null || typeof IntersectionObserver === "undefined") return undefined;
    const observer = new IntersectionObserver(([entry]) => setOnScreen(entry?.isIntersecting ?? false), { rootMargin: "100px" });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [ref]);
  return isOnScreen;
}
