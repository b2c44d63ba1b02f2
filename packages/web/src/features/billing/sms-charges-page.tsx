import type { RateRow } from "@ewebal/contract";
import { Skeleton } from "@mantine/core";
import { useMemo, type ReactNode } from "react";
import { formatCount } from "../../lib/texts/format.ts";
import { paths } from "../../lib/paths.ts";
import { useRates } from "../../shared/rates/own-rates.ts";
import { useAddressFilters } from "../../lib/browser/use-address-filters.ts";
import { ButtonLink } from "../../ui/kit/links.tsx";
import { ListStates } from "../../ui/lists/list-states.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { RatesTable } from "../../shared/rates/rates-table.tsx";
import { SearchField } from "../../ui/forms/search-field.tsx";
import { Inline, Stack } from "../../ui/layout/boxes.tsx";
import classes from "./sms-charges-page.module.css";

type SmsChargesPageProps = {
  /** The calculator of the public site, which this feature may not import; it is drawn when the rates have arrived. */
  calculator: ReactNode;
  findRates: (rates: readonly RateRow[], search: string) => readonly RateRow[];
};

/** The price of a page in every country, and a calculator for a send. */
export function SmsChargesPage({ calculator, findRates }: SmsChargesPageProps) {
  const query = useRates();
  const { values, set, clear, isAnyOn } = useAddressFilters(["search"]);
  const found = useMemo(() => findRates(query.data ?? [], values.search), [findRates, query.data, values.search]);
  return (
    <Page
      title="SMS Charges"
      intro="One page is 160 characters. A send costs recipients x pages x the rate of the country."
      actions={<ButtonLink to={paths.buySms}>Buy SMS</ButtonLink>}
    >
      <Stack gap={24} align="top" className={classes.columns}>
        <div className={classes.calculator}>
          {query.data === undefined ? <Skeleton className={classes.calculatorToCome} radius={12} /> : calculator}
        </div>
        <Panel title="Rates by country">
          <Inline gap={8} across={16} wraps align="center" justify="between" below={12} className={classes.bar}>
            <SearchField label="Search country or code" value={values.search} onSearch={(search) => set({ search })} />
            <p className="muted small numeric" role="status">
              {query.data !== undefined &&
                `${formatCount(found.length)} of ${formatCount(query.data.length)} countries`}
            </p>
          </Inline>
          <ListStates
            query={query}
            rowCount={found.length}
            empty={{ title: "There are no rates" }}
            onClearFilters={isAnyOn ? clear : undefined}
          >
            <RatesTable rates={found} />
          </ListStates>
          <p className="muted small above-16">A country that is not listed has no price yet. Ask us for one.</p>
        </Panel>
      </Stack>
    </Page>
  );
}
