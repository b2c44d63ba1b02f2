import { Textarea } from "@mantine/core";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, type ReactNode } from "react";
import { useRateTable } from "../rates/use-rate-table.ts";
import { cleanNumbers } from "./clean-numbers.ts";

/** A paste longer than this (about 1,400 numbers) is a list, which a text field would stutter with. */
export const TYPED_CHARACTERS_MAX = 20_000;

type NumbersFieldProps = {
  /** In the form that it belongs to. */
  name?: string;
  label: string;
  description: ReactNode;
  code: string;
  value: string;
  onValue: (text: string) => void;
  /** Takes a paste that is too long for the field. */
  onList: (text: string) => void;
  /** Takes a paste of spreadsheet cells with words beside the numbers. */
  onRange?: (text: string) => void;
  isFirst?: boolean;
  /** Each number and its comma stand on a line of their own. */
  isOnePerLine?: boolean;
  placeholder?: string;
  rows?: number;
  error?: string | undefined;
};

/** A cell and the next one in its row, as every spreadsheet copies them. */
const RANGE = /[^\t\r\n]\t[^\r\n]/;

export const ONE_PER_LINE = ",\n";

/** Phone numbers, typed or pasted in any shape; digits and commas stay. */
export function NumbersField({
  name,
  label,
  description,
  code,
  value,
  onValue,
  onList,
  onRange,
  isFirst = false,
  isOnePerLine = false,
  placeholder = "08030000001,08050000002",
  rows = 5,
  error,
}: NumbersFieldProps) {
  const ref = useRef<HTMLTextAreaElement>(null);
  const rates = useRateTable();
  const caret = useRef<number>(undefined);
  const clean = (text: string): string => cleanNumbers(text, code, rates, isOnePerLine ? ONE_PER_LINE : ",");
  // React puts the caret behind a text that comes out other than it was typed.
  useLayoutEffect(() => {
    if (caret.current !== undefined) ref.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });
  const takeLong = useEffectEvent((event: InputEvent): void => {
    const text = event.data ?? event.dataTransfer?.getData("text/plain") ?? "";
    if (text.length + value.length <= TYPED_CHARACTERS_MAX) return;
    event.preventDefault();
    onList(value === "" ? text : `${value}\n${text}`);
  });
  // Before the browser puts the text in: pasted, dropped, or inserted by a keyboard's clipboard, whose 3,000 lines take Chromium
  // 24 s. React's own event of this name is another one.
  useEffect(() => {
    const field = ref.current;
    field?.addEventListener("beforeinput", takeLong);
    return () => field?.removeEventListener("beforeinput", takeLong);
  }, []);
  return (
    <Textarea
      ref={ref}
      name={name}
      label={label}
      description={description}
      placeholder={placeholder}
      rows={rows}
      inputMode="numeric"
      autoComplete="off"
      spellCheck={false}
      data-autofocus={isFirst || undefined}
      autoFocus={isFirst}
      error={error}
      value={value}
      onChange={({ currentTarget }) => {
        const { value: typed, selectionEnd } = currentTarget;
        const isCommaMeant = isOnePerLine && isLineEndDeleted(value, typed, selectionEnd);
        const before = typed.slice(0, isCommaMeant ? selectionEnd - 1 : selectionEnd);
        const cleaned = clean(`${before}${typed.slice(selectionEnd)}`);
        if (cleaned !== typed && selectionEnd < typed.length)
          caret.current = Math.min(cleaned.length, clean(before).length);
        onValue(cleaned);
      }}
      onPaste={(event) => {
        const text = event.clipboardData.getData("text/plain");
        if (onRange === undefined || !RANGE.test(text) || !/\p{L}/u.test(text)) return;
        event.preventDefault();
        onRange(text);
      }}
      onBlur={isOnePerLine ? () => onValue(clean(`${value},`)) : undefined}
    />
  );
}

/** Who deletes a line's end means its comma, too: alone, the comma would bring the end of the line back. */
function isLineEndDeleted(before: string, typed: string, caret: number): boolean {
  return (
    before.length === typed.length + 1 &&
    before[caret] === "\n" &&
    before.startsWith(typed.slice(0, caret)) &&
    before.endsWith(typed.slice(caret))
  );
}
