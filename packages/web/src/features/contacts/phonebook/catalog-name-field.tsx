import { TextInput } from "@mantine/core";
import { limits } from "@ewebal/contract/rules";
import { useState, type FocusEvent } from "react";
import { fixedTexts } from "../../../lib/texts/fixed-texts.ts";
import type { FieldProps } from "../../../ui/forms/form.tsx";

/** A catalog's name: required, at most 50 characters. Left empty it says so in the specified words. */
export function CatalogNameField({ field, isFirst = false }: { field: FieldProps; isFirst?: boolean }) {
  const [isTouched, setTouched] = useState(false);
  const isEmpty = field.value.trim() === "";
  const touch = (): void => setTouched(true);
  return (
    <TextInput
      label="Catalog name"
      description={`At most ${limits.catalogNameCharactersMax} characters`}
      maxLength={limits.catalogNameCharactersMax}
      autoComplete="off"
      required
      withAsterisk={false}
      data-autofocus={isFirst || undefined}
      autoFocus={isFirst}
      {...field}
      error={field.error ?? (isTouched && isEmpty ? fixedTexts.fillIn : undefined)}
      onBlur={(event) => {
        if (!isLeavingPopup(event)) touch();
      }}
      onChange={(event) => {
        touch();
        field.onChange(event);
      }}
      onKeyDown={({ key }) => {
        if (key === "Enter") touch();
      }}
    />
  );
}

/** Whoever closes a pop-up has not left a field empty by mistake. */
function isLeavingPopup({ currentTarget, relatedTarget }: FocusEvent): boolean {
  const popup = currentTarget.closest("[role=dialog]");
  if (popup === null) return false;
  return !popup.contains(relatedTarget) || relatedTarget?.getAttribute("aria-label") === "Close";
}

/** In words for "Still needed: ...". */
export function missingName({ catalogName }: { catalogName: string }): string[] {
  return catalogName.trim() === "" ? ["catalog name"] : [];
}
