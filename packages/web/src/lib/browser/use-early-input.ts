import { useEffect, type RefObject } from "react";

/**
 * Reads what somebody typed into the server's document before React hydrated it: the fields show the text, but no event told the
 * page.
 *
 * @param place round the fields. @param onText called for each named field, with what it holds.
 */
export function useEarlyInput(
  place: RefObject<HTMLElement | null>,
  onText: (name: string, text: string) => void,
): void {
  useEffect(() => {
    for (const field of place.current?.querySelectorAll<HTMLInputElement>(
      "input[name], textarea[name], select[name]",
    ) ?? [])
      onText(field.name, field.value);
    // Once: from the first drawing on, each field tells by itself.
  }, []);
}
