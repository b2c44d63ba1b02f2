import type { ReactNode } from "react";
import { useIsHydrated } from "../../../lib/browser/hydration.ts";

/**
 * Round what depends on who is there. The server's document has it as a stranger sees it; somebody whom this browser knows
 * sees its place empty until it is theirs, and never another's words first.
 */
export function ForPerson({ children }: { children: ReactNode }) {
  const isHydrated = useIsHydrated();
  return (
    <span style={{ display: "contents" }} data-for-stranger={!isHydrated || undefined}>
      {children}
    </span>
  );
}
