import { useEffect } from "react";
import { useBrand } from "../../lib/brand.ts";

/** Sets the window's title: "Login - Ewebal"; the home page has the brand's name alone. */
export function useTitle(title?: string): void {
  const name = useBrand()?.name;
  useEffect(() => {
    document.title = [title, name].filter((part) => part !== undefined).join(" - ");
  }, [title, name]);
}
