import { Button } from "@mantine/core";
import type { AdminRateAnswer } from "@ewebal/contract";
import { useMemo, useState } from "react";
import { formatCount, formatDateTime, formatRate } from "../../../lib/texts/format.ts";
import { useSession } from "../../../lib/session/session.ts";
import { type AddressFilters, useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ListTools } from "../../../ui/lists/list-tools.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { Fold } from "../../../ui/kit/fold.tsx";
import { RateDialog } from "./rate-dialog.tsx";
import { RateHistoryPanel } from "./rate-history-panel.tsx";
import { TiersPanel } from "./tiers-panel.tsx";
import classes from "./rates-page.module.css";
import { knownFirst } from "../country-name.ts";
import {
  useAdminRates,
  useWithdrawRate,
  findAdminRates,
  isEdited,
  classInWords,
  rateShows,
  readRateShow,
} from "./admin-rates.ts";

/** The price of a page in every country, now and planned, and who changed it. */
export function RatesPage() {
  const { adminId } = useSession();
  const query = useAdminRates();
  const filters = useAddressFilters(["search", "show"]);
  const { search, show } = filters.values;
  const found = useMemo(
    () => findAdminRates(query.data ?? [], { search, show: readRateShow(show) }),
    [query.data, search, show],
  );
  const [edited, setEdited] = useState<AdminRateAnswer>();
  const withdraw = useWithdrawRate();
  const columns: Column<AdminRateAnswer>[] = [
    { title: "Country", isHeading: true, cell: (rate) => <Country rate={rate} /> },
    { title: "Code", cell: ({ code }) => `+${code}`, width: "10%" },
    { title: "Rate now", isNumeric: true, cell: (rate) => <RateNow rate={rate} />, width: "18%" },
    { title: "Planned", cell: (rate) => <Planned rate={rate} onWithdraw={withdraw} />, width: "28%" },
    {
      title: "Edit",
      isActions: true,
      width: "12%",
      cell: (rate) => (
        <Button
          size="xs"
          variant="default"
          aria-label={`Edit the rate of ${nameOf(rate)}`}
          onClick={() => setEdited(rate)}
        >
          Edit
        </Button>
      ),
    },
  ];
  return (
    <Page
      title="Rates"
      intro="Naira per page and recipient. Transactional messages have the same rate unless you give them another. Messages keep the rate they were sent or scheduled at."
    >
      <Panel
        title="Rates by country"
        aside={
          query.data && (
            <span className="muted small numeric">{`${formatCount(found.length)} of ${formatCount(query.data.length)}`}</span>
          )
        }
      >
        <RateFilters filters={filters} />
        <ListStates
          query={query}
          rowCount={found.length}
          empty={{ title: "There are no rates" }}
          onClearFilters={filters.isAnyOn ? filters.clear : undefined}
        >
          <DataTable caption="Rates by country" columns={columns} rows={found} rowKey={({ code }) => code} />
        </ListStates>
      </Panel>
      <TiersPanel />
      <RateHistoryPanel />
      {adminId !== null && <RateDialog adminId={adminId} rate={edited} onClose={() => setEdited(undefined)} />}
    </Page>
  );
}

function RateFilters({ filters }: { filters: AddressFilters<"search" | "show"> }) {
  const { search, show } = filters.values;
  return (
    <ListTools
      filters={filters}
      search={
        <SearchField label="Search country or code" value={search} onSearch={(text) => filters.set({ search: text })} />
      }
    >
      <NativeSelect
        label="Show"
        name="show"
        size="sm"
        isLabelHidden
        value={readRateShow(show)}
        onValue={(value) => filters.set({ show: value })}
      >
        {Object.entries(rateShows).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </NativeSelect>
    </ListTools>
  );
}

/** Two codes can share one name, such as Puerto Rico's two area codes; one code can have more names than a button's. */
function nameOf({ country, code }: AdminRateAnswer): string {
  const names = country.split(", ");
  return names.length > NAMES_SHOWN_MAX ? `+${code}` : `${country} (+${code})`;
}

/** A code that more countries share names the first ones and folds the rest. */
const NAMES_SHOWN_MAX = 3;

function Country({ rate: { country, isListed } }: { rate: AdminRateAnswer }) {
  const names = country.split(", ");
  const shown = names.length > NAMES_SHOWN_MAX ? knownFirst(names) : names;
  return (
    <>
      {shown.slice(0, NAMES_SHOWN_MAX).join(", ")}
      {shown.length > NAMES_SHOWN_MAX && (
        <Fold label={`and ${formatCount(shown.length - NAMES_SHOWN_MAX)} more`}>
          <span className={classes.names}>{shown.slice(NAMES_SHOWN_MAX).join(", ")}</span>
        </Fold>
      )}
      {!isListed && <span className={classes.aside}>Not in the customers' list of rates</span>}
    </>
  );
}

function RateNow({ rate }: { rate: AdminRateAnswer }) {
  return (
    <>
      <strong className="strong">{formatRate(rate.rate)}</strong>
      {rate.transactionalRate !== rate.rate && (
        <span className={classes.aside}>{`Transactional: ${formatRate(rate.transactionalRate)}`}</span>
      )}
      {isEdited(rate) && <span className={classes.aside}>{`Standard: ${formatRate(rate.specifiedRate)}`}</span>}
    </>
  );
}

function Planned({ rate, onWithdraw }: { rate: AdminRateAnswer; onWithdraw: ReturnType<typeof useWithdrawRate> }) {
  if (rate.planned.length === 0) return <span className="muted">Nothing planned</span>;
  return (
    <Stack as="ul" gap={4} className={classes.planned}>
      {rate.planned.map((edit) => (
        <li key={edit._id}>
          <span className="numeric">
            <strong>{formatRate(edit.rate ?? rate.specifiedRate)}</strong>
            {classInWords(edit)} from {formatDateTime(edit.from)}
          </span>
          <Button
            size="compact-xs"
            px={0}
            variant="transparent"
            aria-label={`Withdraw the rate planned for ${nameOf(rate)}`}
            onClick={() => onWithdraw(edit)}
          >
            Withdraw
          </Button>
        </li>
      ))}
    </Stack>
  );
}
