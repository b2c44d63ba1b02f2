import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

const ATTRIBUTE = "data-mantine-color-scheme";

/** Paper is white: while the browser prints, the page wears its light colours. */
export function useLightPrint(): void {
  useEffect(() => {
    const root = document.documentElement;
    let scheme: string | null = null;
    const before = (): void => {
      scheme = root.getAttribute(ATTRIBUTE);
      root.setAttribute(ATTRIBUTE, "light");
    };
    const after = (): void => {
      if (scheme !== null) root.setAttribute(ATTRIBUTE, scheme);
    };
    window.addEventListener("beforeprint", before);
    window.addEventListener("afterprint", after);
    return () => {
      window.removeEventListener("beforeprint", before);
      window.removeEventListener("afterprint", after);
    };
  }, []);
}

/** Whether the page is being put on paper: rows that are drawn only while they are on screen must all be there then. */
export function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    // The browser takes its picture right after the event.
    const begin = (): void => flushSync(() => setPrinting(true));
    const end = (): void => setPrinting(false);
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
    return () => {
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting;
}
