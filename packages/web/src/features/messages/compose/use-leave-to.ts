import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Explanation } from "../../../lib/texts/catalogue-texts.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";

/**
 * Leads the person where an answer sends them, the same way for every form that sends: with a notice, and unless they have
 * gone elsewhere meanwhile. What leaves them here is shown by the form itself.
 */
export function useLeaveTo(): (explanation: Explanation) => void {
  const navigate = useNavigate();
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return ({ goTo, ...words }) => {
    if (goTo === undefined && isHere.current) return;
    showNotice(words);
    if (goTo !== undefined && isHere.current) void navigate({ to: goTo });
  };
}
