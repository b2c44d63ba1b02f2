import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";

export type AddressFilters<Name extends string> = {
  /** What the address says; a filter that is off is an empty text. */
  values: Readonly<Record<Name, string>>;
  isAnyOn: boolean;
  /** How many are on besides the search: what a phone says on the button that unfolds them. */
  onCount: number;
  /** Changes some filters; an empty text takes one out of the address. */
  set: (changes: Partial<Record<Name, string>>) => void;
  clear: () => void;
};

/** Search, filter and order of a list, kept in the address: a reload, a bookmark and the back button keep them. */
export function useAddressFilters<const Name extends string>(names: readonly Name[]): AddressFilters<Name> {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const named = names.join(",");
  const values = useMemo(() => readFilters(named.split(",") as Name[], search), [named, search]);

  const set = useCallback(
    (changes: Partial<Record<Name, string>>) => {
      void navigate({
        to: ".",
        replace: true,
        // What a person searches for must not jump to the top at each letter.
        resetScroll: false,
        search: (before: Record<string, unknown>) => withoutEmpty({ ...before, ...changes }),
      } as Parameters<typeof navigate>[0]);
    },
    [navigate],
  );
  const clear = useCallback(
    () => set(Object.fromEntries(named.split(",").map((name) => [name, ""])) as Record<Name, string>),
    [named, set],
  );
  const on = Object.entries<string>(values).filter(([, value]) => value !== "");
  return { values, isAnyOn: on.length > 0, onCount: on.filter(([name]) => name !== "search").length, set, clear };
}

/** The router reads `?search=0803` as a number; a filter is the text that was typed. */
function readFilters<Name extends string>(
  names: readonly Name[],
  search: Record<string, unknown>,
): Record<Name, string> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      typeof search[name] === "string" || typeof search[name] === "number" ? String(search[name]) : "",
    ]),
  ) as Record<Name, string>;
}

function withoutEmpty(search: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== "" && value !== undefined));
}
