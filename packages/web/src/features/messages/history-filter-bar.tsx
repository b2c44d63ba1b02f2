import { Button, Select, TextInput } from "@mantine/core";
import { IconDownload, IconPrinter } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { fillAddress } from "../../lib/api.ts";
import type { AddressFilters } from "../../lib/use-address-filters.ts";
import { whitelistsQuery } from "../../lib/whitelists.ts";
import { SearchField } from "../../ui/search-field.tsx";
import classes from "./history-filter-bar.module.css";
import { historyStateWords, readHistoryFilters, type historyFilterNames } from "./history-filters.ts";
import { messageAddresses } from "./message-addresses.ts";

interface HistoryFilterBarProps {
  userId: string;
  filters: AddressFilters<(typeof historyFilterNames)[number]>;
}

const states = [{ value: "", label: "Any" }, ...Object.entries(historyStateWords).map(([value, label]) => ({ value, label }))];

/** Search and filters of the history, and its ways out: a file and paper. */
export function HistoryFilterBar({ userId, filters: { values, isAnyOn, set, clear } }: HistoryFilterBarProps) {
  const onSearch = useCallback((search: string) => set({ search }), [set]);
  const file = fillAddress(messageAddresses.populateSmsHistory.url, { userId }, { ...readHistoryFilters(values), format: "csv" });
  return (
    <div className={classes.bar}>
      <div className={classes.search}>
        <SearchField label="Search the messages" placeholder="Message, sender name or number" value={values.search} onSearch={onSearch} />
      </div>
      <div className={classes.filters}>
        <Select
          size="sm"
          label="State"
          data={states}
          value={values.state}
          onChange={(state) => set({ state: state ?? "" })}
          allowDeselect={false}
          withScrollArea={false}
          comboboxProps={{ withinPortal: false }}
        />
        <SenderSelect userId={userId} sender={values.sender} onSender={(sender) => set({ sender })} />
        <TextInput size="sm" type="date" label="From" value={values.from} max={values.to} onChange={({ currentTarget }) => set({ from: currentTarget.value })} />
        <TextInput size="sm" type="date" label="To" value={values.to} min={values.from} onChange={({ currentTarget }) => set({ to: currentTarget.value })} />
      </div>
      <div className={classes.ends}>
        {isAnyOn && (
          <Button size="sm" variant="subtle" onClick={clear}>
            Clear filters
          </Button>
        )}
        <Button size="sm" variant="default" component="a" href={file} download leftSection={<IconDownload size={16} stroke={1.8} aria-hidden />}>
          Export CSV
        </Button>
        <Button size="sm" variant="default" leftSection={<IconPrinter size={16} stroke={1.8} aria-hidden />} onClick={() => window.print()}>
          Print
        </Button>
      </div>
    </div>
  );
}

interface SenderSelectProps {
  userId: string;
  sender: string;
  onSender: (sender: string) => void;
}

/** The approved names, and the one in the address although it may not be approved any more. */
function SenderSelect({ userId, sender, onSender }: SenderSelectProps) {
  const approved = useQuery(whitelistsQuery(userId)).data?.senderNames ?? [];
  const names = sender === "" ? approved : [...new Set([...approved, sender])];
  return (
    <Select
      size="sm"
      label="Sender name"
      data={[{ value: "", label: "Any" }, ...names.map((name) => ({ value: name, label: name }))]}
      value={sender}
      onChange={(next) => onSender(next ?? "")}
      allowDeselect={false}
      withScrollArea={false}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
