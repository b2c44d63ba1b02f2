import type { PublicSettings } from "@ewebal/contract";
import { createContext, useContext } from "react";

const BrandContext = createContext<PublicSettings | undefined>(undefined);

/** Stands round every page; `app/app.tsx` fetches what it gives. */
export const BrandProvider = BrandContext.Provider;

/** @returns undefined until the answer is there; pages then show the name's place empty rather than a wrong name. */
export function useBrand(): PublicSettings | undefined {
  return useContext(BrandContext);
}
