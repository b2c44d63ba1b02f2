import { useEffect, type RefObject } from "react";

/**
 * Takes over what somebody typed into the server's document before the browser had taken it over: the fields show it, and
 * nobody was told.
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
