import { Select, type ComboboxItem, type OptionsFilter, type SelectProps } from "@mantine/core";
import type { Rates } from "@ewebal/contract";
import { COUNTRIES, MILLI_PER_UNIT, nameCode, rateMilliForCode } from "@ewebal/contract/rules";
import { memo, useMemo, useState } from "react";
import { formatRate } from "../../lib/texts/format.ts";
import { Inline } from "../../ui/layout/boxes.tsx";
import { useRateTable } from "./use-rate-table.ts";
import classes from "./country-select.module.css";

type CountryItem = {
  code: string;
  name: string;
  /** What is searched: without accents, in lower case. */
  words: string;
} & ComboboxItem;

/** Several countries share a code, so an option is named by both. */
const itemByValue = new Map<string, CountryItem>();
const items: CountryItem[] = COUNTRIES.map(({ name, code, iso }) => keepItem(`${code}-${iso}`, code, name));

/** An option, because a list box without any is no list box to a screen reader. */
const nothing: ComboboxItem = { value: "none", label: "No country matches", disabled: true };

function keepItem(value: string, code: string, name: string): CountryItem {
  const item = itemByValue.get(value) ?? { value, label: `${name} (+${code})`, code, name, words: simplify(name) };
  itemByValue.set(value, item);
  return item;
}

function simplify(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** By name with or without accents, from the beginning of any word, or by code with or without plus. */
export const filterCountries: OptionsFilter = ({ options, search }) => {
  const wanted = simplify(search.trim()).replace(/^\+/, "");
  const chosen = [...itemByValue.values()].find(({ label }) => label === search);
  if (wanted === "" || chosen !== undefined) return options;
  const found = options.filter((option) => {
    const item = "value" in option ? itemByValue.get(option.value) : undefined;
    return (
      item !== undefined &&
      (item.code.startsWith(wanted) || item.words.startsWith(wanted) || item.words.includes(` ${wanted}`))
    );
  });
  return found.length > 0 ? found : [nothing];
};

function renderWith(rates: Rates): SelectProps["renderOption"] {
  return function renderOption({ option }) {
    const item = itemByValue.get(option.value);
    if (item === undefined) return option.label;
    return (
      <Inline as="span" gap={12} align="baseline" justify="between" className={classes.option}>
        <span>{item.name}</span>
        {/* In the option's own colour, because the chosen one has a dark background. */}
        <span className="rigid small numeric">
          +{item.code}
          <span className={classes.rate}>{formatRate(rateMilliForCode(item.code, rates) / MILLI_PER_UNIT)}</span>
        </span>
      </Inline>
    );
  };
}

/** The countries of the specified table, and the codes that administrators have priced beside it. */
function itemsOf(rates: Rates): CountryItem[] {
  const known = new Set(COUNTRIES.map(({ code }) => code));
  const further = [...rates.keys()]
    .filter((code) => !known.has(code))
    .map((code) => keepItem(code, code, nameCode(code)[0] ?? ""));
  return further.length === 0
    ? items
    : [...items, ...further].toSorted((one, other) => one.name.localeCompare(other.name, "en"));
}

type CountrySelectProps = {
  /** A dialling code, digits only. */
  code: string;
  onCode: (code: string) => void;
  description?: string;
};

/** The country whose numbers are meant, with the units that a page costs there. */
export const CountrySelect = memo(function CountrySelect({ code, onCode, description }: CountrySelectProps) {
  // Canada stays Canada, although the code alone would say United States.
  const [chosen, setChosen] = useState<string>();
  // More than 200 options would otherwise wait unseen on every page that asks for a country.
  const [isWanted, setWanted] = useState(false);
  const rates = useRateTable();
  const all = useMemo(() => itemsOf(rates), [rates]);
  const value =
    chosen !== undefined && itemByValue.get(chosen)?.code === code
      ? chosen
      : all.find((item) => item.code === code)?.value;
  return (
    <Select
      label="Country"
      description={description}
      data={isWanted ? all : all.filter((item) => item.value === value)}
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
      renderOption={renderWith(rates)}
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
