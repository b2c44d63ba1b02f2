import { messageCalls } from "@ewebal/contract/calls";
import { Button, TextInput } from "@mantine/core";
import { IconDownload, IconPrinter } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { fillAddress } from "../../../lib/api/api.ts";
import type { AddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { whitelistsQuery } from "../message-queries.ts";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { ListTools } from "../../../ui/lists/list-tools.tsx";
import {
  historyStateWords,
  readHistoryFilters,
  type historyFilterNames,
} from "../../../shared/messages/history-filters.ts";

type HistoryFilterBarProps = {
  userId: string;
  filters: AddressFilters<(typeof historyFilterNames)[number]>;
};

/** Search and filters of the history, and its ways out: a file and paper. */
export function HistoryFilterBar({ userId, filters }: HistoryFilterBarProps) {
  const { values, set } = filters;
  const onSearch = useCallback((search: string) => set({ search }), [set]);
  const file = fillAddress(
    messageCalls.populateSmsHistory.url,
    { userId },
    { ...readHistoryFilters(values), format: "csv" },
  );
  return (
    <ListTools
      filters={filters}
      search={
        <SearchField
          label="Search the messages"
          placeholder="Message, sender name or number"
          value={values.search}
          onSearch={onSearch}
        />
      }
      actions={
        <>
          <Button
            size="sm"
            variant="default"
            component="a"
            href={file}
            download
            leftSection={<IconDownload size={16} stroke={1.8} aria-hidden />}
          >
            Export CSV
          </Button>
          <Button
            size="sm"
            variant="default"
            leftSection={<IconPrinter size={16} stroke={1.8} aria-hidden />}
            onClick={() => window.print()}
          >
            Print
          </Button>
        </>
      }
    >
      <NativeSelect size="sm" label="State" name="state" value={values.state} onValue={(state) => set({ state })}>
        <option value="">Any</option>
        {Object.entries(historyStateWords).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </NativeSelect>
      <SenderSelect userId={userId} sender={values.sender} onSender={(sender) => set({ sender })} />
      <TextInput
        size="sm"
        type="date"
        label="From"
        value={values.from}
        max={values.to}
        onChange={({ currentTarget }) => set({ from: currentTarget.value })}
      />
      <TextInput
        size="sm"
        type="date"
        label="To"
        value={values.to}
        min={values.from}
        onChange={({ currentTarget }) => set({ to: currentTarget.value })}
      />
    </ListTools>
  );
}

type SenderSelectProps = {
  userId: string;
  sender: string;
  onSender: (sender: string) => void;
};

/** The approved names, and the one in the address although it may not be approved any more. */
function SenderSelect({ userId, sender, onSender }: SenderSelectProps) {
  const approved = useQuery(whitelistsQuery(userId)).data?.senderNames ?? [];
  const names = sender === "" ? approved : [...new Set([...approved, sender])];
  return (
    <NativeSelect size="sm" label="Sender name" name="sender" value={sender} onValue={onSender}>
      <option value="">Any</option>
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </NativeSelect>
  );
}
