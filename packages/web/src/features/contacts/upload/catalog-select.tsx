import type { CatalogAnswer } from "@ewebal/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { formatCounted } from "../../../lib/texts/format.ts";
import { fixedTexts } from "../../../lib/texts/fixed-texts.ts";
import { SearchSelect, useTypedSearch } from "../../../ui/forms/search-select.tsx";
import { catalogChoicesQuery, countryInWords } from "../../../shared/numbers/catalog-choices.ts";
type CatalogSelectProps = {
  userId: string;
  value: CatalogAnswer | undefined;
  onChange: (catalog: CatalogAnswer | undefined) => void;
};

/** Chooses one of the customer's catalogs by name. */
export function CatalogSelect({ userId, value, onChange }: CatalogSelectProps) {
  const typed = useTypedSearch(value?.catalogName);
  const query = useQuery({ ...catalogChoicesQuery(userId, typed.search), placeholderData: keepPreviousData });
  return (
    <SearchSelect
      label="Catalog"
      description={
        query.data?.hasMore === true
          ? "There are more catalogs than fit here. Type a part of the name."
          : "Search by name"
      }
      placeholder="Choose a catalog"
      search={typed}
      query={query}
      found={query.data?.catalogs ?? []}
      nothing={typed.search === "" ? fixedTexts.noCatalogs : "No catalog matches"}
      nameOf={({ catalogName }) => catalogName}
      detailOf={({ code, count }) => `${countryInWords(code)}, ${formatCounted(count, "contact")}`}
      value={value}
      onChange={onChange}
    />
  );
}
