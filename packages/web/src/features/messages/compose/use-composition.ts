import { useSyncExternalStore } from "react";
import type { Composer, Composition } from "./composer.ts";

/** A part of what is being composed; a component draws again only when its part changes. @param select gives the same value for the same composition. */
export function useComposition<T>(composer: Composer, select: (composition: Composition) => T): T {
  return useSyncExternalStore(composer.subscribe, () => select(composer.getState()));
}
