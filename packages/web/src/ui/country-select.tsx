import { Select, type ComboboxItem, type OptionsFilter, type SelectProps } from "@mantine/core";
import { COUNTRIES, formatUnits, rateMilliForCode } from "@ewebal/contract";
import { memo, useState } from "react";
import classes from "./country-select.module.css";

interface CountryItem extends ComboboxItem {
  code: string;
  name: string;
  /** What is searched: without accents, in lower case. */
  words: string;
}

/** Several countries share a code, so an option is named by both. */
const items: CountryItem[] = COUNTRIES.map(({ name, code, iso }) => ({ value: `${code}-${iso}`, label: `${name} (+${code})`, code, name, words: simplify(name) }));
const itemByValue = new Map(items.map((item) => [item.value, item]));

/** An option, because a list box without any is no list box to a screen reader. */
const nothing: ComboboxItem = { value: "none", label: "No country matches", disabled: true };

function simplify(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** By name with or without accents, from the beginning of any word, or by code with or without plus. */
export const filterCountries: OptionsFilter = ({ options, search }) => {
  const wanted = simplify(search.trim()).replace(/^\+/, "");
  const chosen = items.find(({ label }) => label === search);
  if (wanted === "" || chosen !== undefined) return options;
  const found = options.filter((option) => {
    const item = "value" in option ? itemByValue.get(option.value) : undefined;
    return item !== undefined && (item.code.startsWith(wanted) || item.words.startsWith(wanted) || item.words.includes(` ${wanted}`));
  });
  return found.length > 0 ? found : [nothing];
};

const renderOption: SelectProps["renderOption"] = ({ option }) => {
  const item = itemByValue.get(option.value);
  if (item === undefined) return option.label;
  return (
    <span className={classes.option}>
      <span>{item.name}</span>
      <span className={classes.detail}>
        +{item.code}
        <span className={classes.rate}>{formatUnits(rateMilliForCode(item.code))}</span>
      </span>
    </span>
  );
};

interface CountrySelectProps {
  /** A dialling code, digits only. */
  code: string;
  onCode: (code: string) => void;
  description?: string;
}

/** The country whose numbers are meant, with the units that a page costs there. */
export const CountrySelect = memo(function CountrySelect({ code, onCode, description }: CountrySelectProps) {
  // Canada stays Canada, although the code alone would say United States.
  const [chosen, setChosen] = useState<string>();
  // More than 200 options would otherwise wait unseen on every page that asks for a country.
  const [isWanted, setWanted] = useState(false);
  const value = chosen !== undefined && itemByValue.get(chosen)?.code === code ? chosen : items.find((item) => item.code === code)?.value;
  return (
    <Select
      label="Country"
      description={description}
      data={isWanted ? items : items.filter((item) => item.value === value)}
      value={value ?? null}
      onChange={(next) => {
        const item = next === null ? undefined : itemByValue.get(next);
        if (item === undefined) return;
        setChosen(item.value);
        onCode(item.code);
      }}
      allowDeselect={false}
      searchable
      selectFirstOptionOnChange
      filter={filterCountries}
      renderOption={renderOption}
      withScrollArea={false}
      classNames={{ options: classes.options }}
      // Inside the page's landmarks.
      comboboxProps={{ withinPortal: false }}
      onFocus={() => setWanted(true)}
      onClick={({ currentTarget }) => {
        // What is typed next is a search, not the end of the chosen name.
        if (currentTarget.value === itemByValue.get(value ?? "")?.label) currentTarget.select();
      }}
      autoComplete="off"
    />
  );
});
