import { useEffect } from "react";

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
