import { CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";

/** Long enough that a word is one question to the server, short enough to feel immediate. */
const PAUSE_MS = 200;

type SearchFieldProps = {
  label: string;
  /** What is searched for now, as the address says. */
  value: string;
  onSearch: (text: string) => void;
  placeholder?: string;
  /** What may be typed; everything else is dropped. */
  keep?: (text: string) => string;
  /** Which keys a phone shows. */
  inputMode?: "search" | "numeric";
};

/** Searches while one types. The field marked by `data-search` is where the `/` key leads. */
export function SearchField({
  label,
  value,
  onSearch,
  placeholder,
  keep = (text) => text,
  inputMode = "search",
}: SearchFieldProps) {
  const [text, setText] = useState(value);
  // The address changes without us too: by the back button, or "Clear filters".
  useEffect(() => setText(value), [value]);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Typed into the server's document, before anybody listened.
    const early = field.current?.value ?? "";
    if (early !== "") setText(keep(early));
  }, []);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = window.setTimeout(() => onSearch(text), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [text, value, onSearch]);
  return (
    <TextInput
      ref={field}
      type="search"
      size="sm"
      aria-label={label}
      placeholder={placeholder ?? label}
      value={text}
      data-search
      inputMode={inputMode}
      leftSection={<IconSearch size={16} stroke={1.8} aria-hidden />}
      rightSection={
        text === "" ? null : <CloseButton size="sm" aria-label="Clear the search" onClick={() => setText("")} />
      }
      onChange={({ currentTarget }) => setText(keep(currentTarget.value))}
    />
  );
}
