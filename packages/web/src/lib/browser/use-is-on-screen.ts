import { useEffect, useState, type RefObject } from "react";

/** Whether the element is in the window, or nearly; only what is seen must be live. */
export function useIsOnScreen(ref: RefObject<HTMLElement | null>, marginPx = 100): boolean {
  // Tests have no window that could show anything: there everything is seen.
  const [isOnScreen, setOnScreen] = useState(typeof IntersectionObserver === "undefined");
  useEffect(() => {
    if (ref.current === null || typeof IntersectionObserver === "undefined") return undefined;
    const observer = new IntersectionObserver(([entry]) => setOnScreen(entry?.isIntersecting ?? false), {
      rootMargin: `${marginPx}px`,
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [ref, marginPx]);
  return isOnScreen;
}

/** The same for what is heavy and stays once it is there. */
export function useWasOnScreen(ref: RefObject<HTMLElement | null>, marginPx?: number): boolean {
  const isOnScreen = useIsOnScreen(ref, marginPx);
  const [wasOnScreen, setWasOnScreen] = useState(isOnScreen);
  if (isOnScreen && !wasOnScreen) setWasOnScreen(true);
  return isOnScreen || wasOnScreen;
}
