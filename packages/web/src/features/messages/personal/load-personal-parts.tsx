import type { ReactNode } from "react";
import { PopupContent } from "../../../ui/dialogs/popup-content.tsx";

type PersonalPartsProps = {
  /** The room of what is fetched. */
  waiting?: ReactNode;
  children: (parts: typeof import("./personal-parts.tsx")) => ReactNode;
};

/** What a composer has for texts that differ and for numbers that are there, fetched behind the page, so that it opens light. */
export function PersonalParts({ waiting = null, children }: PersonalPartsProps) {
  return (
    <PopupContent name="personal-parts" load={async () => await import("./personal-parts.tsx")} waiting={waiting}>
      {children}
    </PopupContent>
  );
}
