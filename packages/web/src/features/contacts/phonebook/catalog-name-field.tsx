import { TextInput } from "@mantine/core";
import { limits } from "@ewebal/contract/rules";
import { useState } from "react";
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
      onBlur={touch}
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

/** In words for "Still needed: ...". */
export function missingName({ catalogName }: { catalogName: string }): string[] {
  return catalogName.trim() === "" ? ["catalog name"] : [];
}
