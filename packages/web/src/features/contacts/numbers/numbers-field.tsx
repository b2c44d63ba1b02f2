import { Textarea } from "@mantine/core";
import { useLayoutEffect, useRef, type ClipboardEvent, type ReactNode } from "react";
import { useRateTable } from "../../../shared/rates/use-rate-table.ts";
import { cleanNumbers } from "./clean-numbers.ts";

/** A paste longer than this (about 1,400 numbers) is a list, which a text field would stutter with. */
export const TYPED_CHARACTERS_MAX = 20_000;

type NumbersFieldProps = {
  label: string;
  description: ReactNode;
  code: string;
  value: string;
  onValue: (text: string) => void;
  /** Takes a paste that is too long for the field. */
  onList: (text: string) => void;
  isFirst?: boolean;
  error?: string | undefined;
};

/** Phone numbers, typed or pasted in any shape; digits and commas stay. */
export function NumbersField({
  label,
  description,
  code,
  value,
  onValue,
  onList,
  isFirst = false,
  error,
}: NumbersFieldProps) {
  const ref = useRef<HTMLTextAreaElement>(null);
  const rates = useRateTable();
  const caret = useRef<number>(undefined);
  // React puts the caret behind a text that comes out other than it was typed.
  useLayoutEffect(() => {
    if (caret.current !== undefined) ref.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });
  const onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData("text/plain");
    if (text.length + value.length <= TYPED_CHARACTERS_MAX) return;
    event.preventDefault();
    onList(value === "" ? text : `${value}\n${text}`);
  };
  return (
    <Textarea
      ref={ref}
      label={label}
      description={description}
      placeholder="08030000001,08050000002"
      rows={5}
      inputMode="numeric"
      autoComplete="off"
      spellCheck={false}
      data-autofocus={isFirst || undefined}
      autoFocus={isFirst}
      error={error}
      value={value}
      onPaste={onPaste}
      onChange={({ currentTarget }) => {
        const { value: typed, selectionEnd } = currentTarget;
        const clean = cleanNumbers(typed, code, rates);
        if (clean !== typed && selectionEnd < typed.length)
          caret.current = Math.min(clean.length, cleanNumbers(typed.slice(0, selectionEnd), code, rates).length);
        onValue(clean);
      }}
    />
  );
}
