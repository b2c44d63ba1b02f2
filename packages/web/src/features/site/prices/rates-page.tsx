import "../../../ui/styles/forms.css";
import { Button } from "@mantine/core";
import { useMemo } from "react";
import { formatCount } from "../../../lib/texts/format.ts";
import { useListRates } from "../../../shared/rates/rates.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { useIsHydrated } from "../../../lib/browser/hydration.ts";
import { RatesTable } from "../../../shared/rates/rates-table.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { ApiError } from "../../../lib/api/api.ts";
import { networkLost } from "../../../lib/texts/fixed-texts.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import section from "../frame/section.module.css";
import { PageTop, SitePage } from "../frame/site-page.tsx";
import { findRates } from "./find-rates.ts";
import classes from "./rates-page.module.css";

/** The price of a page in every country, from the rates that sends are charged by. */
export function RatesPage() {
  const { data: rates, error, refetch } = useListRates();
  const { values, set, clear } = useAddressFilters(["search"]);
  // The server's document is the same for every search.
  const search = useIsHydrated() ? values.search : "";
  const found = useMemo(() => findRates(rates ?? [], search), [rates, search]);
  return (
    <SitePage
      isKeptClear
      top={
        <PageTop title="SMS Rates">What one page of 160 characters costs per recipient, in naira, by country.</PageTop>
      }
    >
      <div className={`${section.wrap} ${classes.body}`}>
        <Inline gap={12} across={20} wraps align="center" className={classes.bar}>
          <SearchField label="Search country or code" value={search} onSearch={(text) => set({ search: text })} />
          {rates !== undefined && (
            <p className="muted small numeric" role="status">
              {search === ""
                ? `${formatCount(found.length)} countries`
                : `${formatCount(found.length)} of ${formatCount(rates.length)} countries`}
            </p>
          )}
        </Inline>
        {rates === undefined && error !== null && <FailedRead error={error} onRetry={() => void refetch()} />}
        {rates !== undefined && found.length === 0 && (
          <Stack gap={12} align="start" className={`${classes.nothing} muted`}>
            <p>No country matches "{search}".</p>
            <p>A country that is not listed has no price yet. Ask us for one.</p>
            <Button variant="default" onClick={clear}>
              Clear the search
            </Button>
          </Stack>
        )}
        {found.length > 0 && (
          <div className={classes.table}>
            <RatesTable rates={found} />
          </div>
        )}
      </div>
    </SitePage>
  );
}

/** An error while reading, with a button that tries again. */
function FailedRead({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const retry = (
    <Button size="xs" variant="default" onClick={onRetry}>
      Try again
    </Button>
  );
  return (
    <Callout
      tone="error"
      title={error instanceof ApiError ? error.message : networkLost.title}
      action={retry}
      isAnnounced
    >
      {error instanceof ApiError ? undefined : networkLost.text}
    </Callout>
  );
}
